package dev.berth.controllers.tainteviction;

import dev.berth.controllers.reconcile.RetryingRequests;
import dev.berth.model.core.PodTree;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pod that is bound to a node, and what was decided about it. There may be hundreds of thousands,
 * nearly all of which have nothing to fear, so what can be read from the tree is not kept.
 */
final class TrackedPod {
  final TrackedNode node;

  /** When it was first seen there. */
  final Instant seen;

  /** As it was last told. */
  JsonObject tree;

  /**
   * When its toleration runs out, or until when a disruption budget may hold back its eviction;
   * null if neither.
   */
  @Nullable Instant deadline;

  /** Its eviction, while that is tried. */
  RetryingRequests.@Nullable RetryingRequest eviction;

  /** Since when it should be gone, once it is being evicted. */
  Instant due = Instant.MAX;

  /** Whether it waits to be evicted, behind others. */
  boolean waits;

  /** Whether an event has said that it is to go. */
  boolean announced;

  /** Whether an event has said that a disruption budget holds its eviction back. */
  boolean heldBack;

  /** Whether the server has taken its deletion; nothing can take that back. */
  boolean evicted;

  /** Whether it is no more. */
  boolean gone;

  TrackedPod(TrackedNode node, JsonObject tree, Instant seen) {
    this.node = node;
    this.seen = seen;
    this.tree = tree;
  }

  ObjectName name() {
    return ObjectName.of(tree);
  }

  /** Whether it is finished or on its way out, so that there is nothing to evict. */
  boolean isEnding() {
    PodTree pod = new PodTree(tree);
    return pod.terminating() || pod.phase().finished();
  }

  /** Whether somebody may be told that it is not evicted after all. */
  boolean isPromised() {
    return deadline != null || waits || announced || eviction != null;
  }
}
