package dev.berth.agent.runtime;

import java.util.OptionalLong;

/**
 * What a node has for all of its pods together: what there is, without what is reserved for the
 * system and for Kubernetes. What eviction thresholds keep free is not left out, so that evictions
 * come before the kernel's limits.
 *
 * @param processes how many processes and threads they may have; empty if that is not known
 */
public record NodeAllocatable(long cpuMillis, long memoryBytes, OptionalLong processes) {}
