package dev.berth.scheduler.queue;

import dev.berth.scheduler.cluster.PodInfo;
import java.time.Instant;

/**
 * A pod to be tried now.
 *
 * @param attempts how many times it has been tried, this time included
 * @param arrived when it was first ready to be tried; what it takes to place it counts from there
 */
public record QueuedPod(PodInfo pod, int attempts, Instant arrived) {}
