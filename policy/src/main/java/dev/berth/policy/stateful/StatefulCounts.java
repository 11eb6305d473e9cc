package dev.berth.policy.stateful;

/** What a StatefulSet's status counts. */
public record StatefulCounts(
    long replicas, long ready, long available, long current, long updated) {}
