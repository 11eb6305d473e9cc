package dev.berth.policy.autoscale;

import java.time.Duration;
import java.time.Instant;

/**
 * What was measured of a pod.
 *
 * @param window what the value is the average of, up to the timestamp
 * @param value in thousandths
 */
public record PodMetric(Instant timestamp, Duration window, long value) {}
