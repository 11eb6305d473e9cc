package dev.berth.scheduler.queue;

/**
 * How many pods are where, for metrics.
 *
 * @param inFlight popped, and neither put back nor done
 */
public record QueueSizes(int active, int backoff, int unschedulable, int gated, int inFlight) {}
