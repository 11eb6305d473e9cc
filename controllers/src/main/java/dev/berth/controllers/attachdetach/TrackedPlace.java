package dev.berth.controllers.attachdetach;

import dev.berth.policy.attachment.NodeVolumes;
import dev.berth.policy.attachment.VolumePlace;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A volume at a node. */
final class TrackedPlace {
  final String node;

  /** By uid: those that need the volume here. */
  final Map<String, TrackedPod> pods = new LinkedHashMap<>();

  @Nullable TrackedAttachment attachment;

  /** Since when nobody needs it here; null if somebody does, or that is not known yet. */
  @Nullable Instant unneededSince;

  /** Whether its pods were told that another node has the volume. */
  boolean isRefused;

  TrackedPlace(String node) {
    this.node = node;
  }

  boolean isEmpty() {
    return pods.isEmpty() && attachment == null;
  }

  /** As it is now, to decide upon. */
  VolumePlace view(@Nullable NodeVolumes state, Instant now) {
    if (!pods.isEmpty()) {
      unneededSince = null;
    } else if (unneededSince == null) {
      unneededSince = now;
    }
    return new VolumePlace(
        node,
        state,
        pods.values().stream().map(TrackedPod::use).toList(),
        attachment == null ? null : attachment.seen,
        unneededSince == null ? now : unneededSince);
  }
}
