package dev.berth.controllers.statefulset;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.stateful.StatefulSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A StatefulSet, and what is known of its revisions. */
final class TrackedSet {
  final ObjectName name;
  final String uid;
  final LabelSelector selector;
  JsonObject tree;
  StatefulSpec spec;

  /** The revision of its template; null until it exists. */
  @Nullable Revision update;

  boolean historyIsCurrent;
  long collisions;
  Instant nextStatus = Instant.MIN;

  /** What its claims have the right owners for; null if that is not known. */
  @Nullable StatefulSpec claimsKeptFor;

  TrackedSet(JsonObject tree) {
    this.name = ObjectName.of(tree);
    this.uid = Metadata.of(tree).uid();
    this.selector = LabelSelector.fromTree(tree.object("spec").get("selector"));
    this.tree = tree;
    this.spec = StatefulSpec.read(tree);
    become(tree);
  }

  void become(JsonObject heard) {
    if (!tree.object("spec").equals(heard.object("spec"))) {
      historyIsCurrent = false;
    }
    tree = heard;
    spec = StatefulSpec.read(heard);
    collisions = Math.max(collisions, heard.object("status").integer("collisionCount").orElse(0));
  }

  boolean isBeingDeleted() {
    return Metadata.of(tree).isBeingDeleted();
  }

  /** Whether a pod has a name that only this set gives. */
  boolean names(JsonObject pod) {
    return spec.ordinal(Metadata.of(pod).name()) >= 0;
  }
}
