package dev.berth.agent.volume;

import dev.berth.agent.machine.Filesystem;
import dev.berth.model.resource.ObjectName;
import java.time.Instant;
import java.util.Optional;

/**
 * What a volume takes, for {@code /stats/summary} and for evictions.
 *
 * @param name in the pod's specification
 * @param claim if it is one's
 * @param isLocalStorage whether it counts as the pod's local ephemeral storage
 * @param time when it was measured
 * @param used of a volume that is a directory among others: what is in it; else what is used of its
 *     file system
 * @param space of the file system that it is on
 */
public record VolumeStats(
    String name,
    Optional<ObjectName> claim,
    boolean isLocalStorage,
    Instant time,
    DiskUsage used,
    Filesystem space) {}
