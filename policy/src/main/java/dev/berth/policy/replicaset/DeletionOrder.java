package dev.berth.policy.replicaset;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which pods go first when there are too many. Of two pods the one goes that
 *
 * <ol>
 *   <li>is not assigned to a node, rather than one that is;
 *   <li>is pending, rather than one of unknown phase, rather than one that runs;
 *   <li>is not ready, rather than one that is;
 *   <li>has the lower deletion cost;
 *   <li>shares its node with more pods of the same owner, other sets of that owner included;
 *   <li>became ready later;
 *   <li>was restarted more often;
 *   <li>is younger.
 * </ol>
 *
 * <p>Times of readiness and ages count by their order of magnitude, in powers of two, so that not
 * all that came last go together; their UIDs decide among those. Unlike upstream, restarts count
 * among pods whose times are of one magnitude, and not only among those with the same second: its
 * order has circles.
 */
final class DeletionOrder {
  private DeletionOrder() {}

  /** What is compared, read once. */
  private record Ranked(
      JsonObject pod,
      boolean assigned,
      int phase,
      boolean ready,
      long cost,
      int sharing,
      int readyFor,
      long restarts,
      long initRestarts,
      int age,
      String uid) {}

  private static final Comparator<Ranked> ORDER =
      Comparator.comparing(Ranked::assigned)
          .thenComparingInt(Ranked::phase)
          .thenComparing(Ranked::ready)
          .thenComparingLong(Ranked::cost)
          .thenComparing(Comparator.comparingInt(Ranked::sharing).reversed())
          .thenComparingInt(Ranked::readyFor)
          .thenComparing(Comparator.comparingLong(Ranked::restarts).reversed())
          .thenComparing(Comparator.comparingLong(Ranked::initRestarts).reversed())
          .thenComparingInt(Ranked::age)
          .thenComparing(Ranked::uid);

  /**
   * The first to go.
   *
   * @param related all active pods of the sets of the same owner, these included
   */
  static List<JsonObject> first(
      long count, List<Replica> pods, List<Replica> related, Instant now) {
    if (count >= pods.size()) {
      return pods.stream().map(replica -> replica.pod().tree()).toList();
    }
    Map<String, Integer> byNode = new HashMap<>();
    related.forEach(replica -> byNode.merge(replica.node(), 1, Integer::sum));
    List<Ranked> ranked = new ArrayList<>(pods.size());
    pods.forEach(replica -> ranked.add(rank(replica, byNode, now)));
    ranked.sort(ORDER);
    return ranked.subList(0, (int) count).stream().map(Ranked::pod).toList();
  }

  private static Ranked rank(Replica replica, Map<String, Integer> byNode, Instant now) {
    Metadata metadata = replica.metadata();
    String node = replica.node();
    return new Ranked(
        replica.pod().tree(),
        !node.isEmpty(),
        switch (replica.phase()) {
          case PENDING -> 0;
          case UNKNOWN -> 1;
          case RUNNING, SUCCEEDED, FAILED -> 2;
        },
        replica.isReady(),
        replica.deletionCost(),
        node.isEmpty() ? 0 : byNode.getOrDefault(node, 0),
        magnitude(replica.readySince(), now),
        replica.restarts(),
        replica.initRestarts(),
        magnitude(metadata.creationTimestamp(), now),
        metadata.uid());
  }

  /** How long ago something was, as a power of two; less for what was never or is yet to be. */
  private static int magnitude(Optional<Instant> since, Instant now) {
    if (since.isEmpty()) {
      return -2;
    }
    long nanos = Duration.between(since.get(), now).toNanos();
    return nanos <= 0 ? -1 : Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
  }
}
