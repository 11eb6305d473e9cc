package dev.berth.scheduler.cluster.pod;

import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;

/**
 * What a pod asks for, computed once for the pods of a template.
 *
 * @param amounts what it takes of a node; {@link ResourceTable#PODS} is not in it, since every pod
 *     counts as one
 * @param scoredCpu the cpu that scores count: what it requests, or a little if it requests none
 * @param scoredMemory likewise
 */
record EffectiveRequests(ResourceAmounts amounts, long scoredCpu, long scoredMemory) {}
