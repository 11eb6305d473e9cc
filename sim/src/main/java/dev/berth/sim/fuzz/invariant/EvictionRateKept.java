package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.core.Zone;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * N10, T9: the nodes of a zone get their NoExecute taints for problems one after the other, with at
 * least the time between them that the eviction rate says, whoever leads. A message that is slow
 * may bring two of them closer together, and so may clocks that differ.
 */
public final class EvictionRateKept implements Invariant {
  private record Last(String node, Instant at) {}

  private final Duration interval;
  private final Map<Zone, Last> last = new HashMap<>();

  /**
   * @param nodesPerSecond the eviction rate
   */
  public EvictionRateKept(double nodesPerSecond) {
    interval = Duration.ofMillis((long) (1_000 / nodesPerSecond));
  }

  @Override
  public String words() {
    return "no zone is emptied faster than its rate";
  }

  @Override
  public Optional<String> changed(StoreChange change, ClusterState state) {
    if (!change.resource().equals(ClusterState.NODES)
        || change.after() == null
        || isEmptied(change.before())
        || !isEmptied(change.after())) {
      return Optional.empty();
    }
    Zone zone = NodeView.read(change.after()).zone();
    Last before = last.put(zone, new Last(change.name().name(), change.at()));
    Duration least = interval.minus(state.longestDelay()).minus(state.clockDifference());
    boolean isTooSoon =
        before != null && Duration.between(before.at(), change.at()).compareTo(least) < 0;
    return isTooSoon
        ? Optional.of(
            "%s got its taint %s after %s of the same zone, by %s; the rate is one in %s"
                .formatted(
                    change.name(),
                    Duration.between(before.at(), change.at()),
                    before.node(),
                    change.sender(),
                    interval))
        : Optional.empty();
  }

  private static boolean isEmptied(@Nullable JsonObject node) {
    return node != null
        && node.object("spec").array("taints").objects().stream()
            .map(Taint::read)
            .anyMatch(taint ->
                taint.effect() == TaintEffect.NO_EXECUTE
                    && (taint.key().equals(WellKnownTaints.NOT_READY)
                        || taint.key().equals(WellKnownTaints.UNREACHABLE)));
  }
}
