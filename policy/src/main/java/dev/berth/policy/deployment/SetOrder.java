package dev.berth.policy.deployment;

import dev.berth.model.apps.ReplicaSetView;
import java.time.Instant;
import java.util.Comparator;

/** Which of a deployment's sets comes first. */
final class SetOrder {
  static final Comparator<ReplicaSetView> OLDEST_FIRST =
      Comparator.comparing(SetOrder::created).thenComparing(ReplicaSetView::name);

  static final Comparator<ReplicaSetView> LARGEST_THEN_NEWEST =
      Comparator.comparingLong(ReplicaSetView::replicas)
          .reversed()
          .thenComparing(OLDEST_FIRST.reversed());

  static final Comparator<ReplicaSetView> LARGEST_THEN_OLDEST =
      Comparator.comparingLong(ReplicaSetView::replicas).reversed().thenComparing(OLDEST_FIRST);

  static final Comparator<ReplicaSetView> BY_REVISION =
      Comparator.comparingLong(ReplicaSetView::revision).thenComparing(OLDEST_FIRST);

  private SetOrder() {}

  private static Instant created(ReplicaSetView set) {
    return set.metadata().creationTimestamp().orElse(Instant.MAX);
  }
}
