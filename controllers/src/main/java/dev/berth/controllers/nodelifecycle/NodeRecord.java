package dev.berth.controllers.nodelifecycle;

import dev.berth.client.Backoff;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.NodeObservation;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one node, or of a lease whose node is not known (yet). Of the node itself, only
 * what the frequent passes need is kept beside its tree. A node that goes takes its record with it,
 * so that the answers to requests under way for it find nobody.
 */
final class NodeRecord {
  final String name;

  /** The renew time of its lease, as it stands there; null if it has none. */
  @Nullable String lease;

  /** The duration of its lease; zero if it has none. */
  Duration leaseDuration = Duration.ZERO;

  /** The node; null while only its lease is known. */
  @Nullable JsonObject tree;

  @Nullable NodeObservation observation;

  /** When the passing of time alone may ask for something. */
  Instant checkAgain = Instant.MIN;

  /** Whether it has a Ready condition. */
  boolean posted;

  /** Whether its Ready condition is False or Unknown. */
  boolean notReady;

  /** Whether its Ready condition is Unknown. */
  boolean unreachable;

  /** Whether it is being emptied, by a taint or without, and its zone's pace counts that. */
  boolean emptied;

  /** Whether a write for it is under way; there is never more than one. */
  boolean busy;

  /** How long to wait after a failed write; null while there is none. */
  @Nullable Backoff backoff;

  /** The zone that it is in; null until it was first looked at. */
  @Nullable ZoneQueue zone;

  /** Whether it counts in its zone. */
  boolean counted;

  /** Whether it counts as unhealthy in its zone. */
  boolean unhealthy;

  NodeRecord(String name) {
    this.name = name;
  }

  /** It gave a sign of life then, if that is news. */
  void hear(Instant at) {
    if (observation != null && at.isAfter(observation.heard())) {
      observation = observation.heardAt(at);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
