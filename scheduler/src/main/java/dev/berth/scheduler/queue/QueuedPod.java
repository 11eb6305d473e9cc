package dev.berth.scheduler.queue;

import dev.berth.scheduler.cluster.pod.PodInfo;
import java.time.Instant;

/**
 * A pod that was popped, to be scheduled now.
 *
 * @param attempts how many attempts there were, this one included
 * @param arrived when it was first active; scheduling latency counts from there
 */
public record QueuedPod(PodInfo pod, int attempts, Instant arrived) {}
