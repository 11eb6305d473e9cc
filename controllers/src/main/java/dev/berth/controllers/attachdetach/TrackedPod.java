package dev.berth.controllers.attachdetach;

import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.AttachableVolume;
import dev.berth.policy.attachment.VolumePlace;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A pod that is bound to a node and uses claims. */
final class TrackedPod {
  final String uid;
  final String node;
  final List<PodClaim> claims;

  /** As it was last heard of. */
  JsonObject tree;

  /**
   * What its claims mean, as far as that is known. A claim that means nothing any more keeps its
   * volume: the pod uses it all the same.
   */
  final Map<PodClaim, AttachableVolume> volumes = new LinkedHashMap<>();

  /** The volumes at whose places it is noted. */
  List<ObjectName> noted = List.of();

  TrackedPod(JsonObject tree, List<PodClaim> claims) {
    this.tree = tree;
    this.uid = Metadata.of(tree).uid();
    this.node = new PodTree(tree).nodeName();
    this.claims = claims;
  }

  VolumePlace.Use use() {
    return new VolumePlace.Use(
        ObjectName.of(tree), Metadata.of(tree).creationTimestamp().orElse(Instant.EPOCH));
  }
}
