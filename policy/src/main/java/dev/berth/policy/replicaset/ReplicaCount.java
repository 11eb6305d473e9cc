package dev.berth.policy.replicaset;

import java.time.Instant;
import java.util.Optional;

/**
 * The pods of a set, counted at an instant.
 *
 * @param replicas those that are neither finished nor on their way out
 * @param fullyLabeled those of them that have all labels of the template
 * @param ready those of them that are ready
 * @param available those of them that have been ready for long enough
 * @param terminating those that are on their way out and have not finished
 * @param nextAvailable when one more becomes available, if it stays ready
 */
public record ReplicaCount(
    long replicas,
    long fullyLabeled,
    long ready,
    long available,
    long terminating,
    Optional<Instant> nextAvailable) {}
