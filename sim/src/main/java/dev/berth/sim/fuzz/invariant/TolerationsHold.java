package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.TolerationOperator;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.meta.Conditions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * T5: whoever is evicted because of a NoExecute taint does not tolerate it, or has tolerated it for
 * as long as its toleration says. Counted by when taints and pods came to the node in the store, by
 * a clock that nobody sets; the rules of matching are written out once more here. The time on a
 * taint is its writer's, so it may be as much older as the write was under way, or as clocks
 * differ.
 */
public final class TolerationsHold implements Invariant {
  private static final String BY_TAINT = "DeletionByTaintManager";

  /** How long after a taint went somebody may still act on it. */
  private static final Duration NOT_HEARD_YET = Duration.ofMinutes(1);

  /** A taint that is or was on a node. */
  private record Stay(Taint taint, Instant since, Instant until) {}

  private final Map<String, Map<String, Stay>> taints = new HashMap<>();
  private final Map<String, Instant> arrivals = new HashMap<>();

  @Override
  public String words() {
    return "no toleration is ignored or cut short";
  }

  @Override
  public Optional<String> changed(StoreChange change, ClusterState state) {
    return switch (change.resource()) {
      case ClusterState.NODES -> {
        nodeChanged(change);
        yield Optional.empty();
      }
      case ClusterState.PODS -> podChanged(change, state);
      default -> Optional.empty();
    };
  }

  private void nodeChanged(StoreChange change) {
    Map<String, Stay> stays = taints.computeIfAbsent(change.name().name(), _ -> new TreeMap<>());
    List<Taint> present =
        change.after() == null
            ? List.of()
            : change.after().object("spec").array("taints").objects().stream()
                .map(Taint::read)
                .filter(taint -> taint.effect() == TaintEffect.NO_EXECUTE)
                .toList();
    Set<String> keys = present.stream().map(TolerationsHold::key).collect(Collectors.toSet());
    stays.replaceAll((key, stay) ->
        stay.until().equals(Instant.MAX) && !keys.contains(key)
            ? new Stay(stay.taint(), stay.since(), change.at())
            : stay);
    for (Taint taint : present) {
      Stay known = stays.get(key(taint));
      Instant since =
          known != null && known.until().equals(Instant.MAX) ? known.since() : change.at();
      stays.put(key(taint), new Stay(taint, since, Instant.MAX));
    }
  }

  /** A change between the two taints of a node's problem does not begin the countdown anew (T8). */
  private static String key(Taint taint) {
    return taint.key().equals(WellKnownTaints.UNREACHABLE)
            || taint.key().equals(WellKnownTaints.NOT_READY)
        ? "problem"
        : taint.key();
  }

  private Optional<String> podChanged(StoreChange change, ClusterState state) {
    PodTree pod = new PodTree(change.latest());
    if (change.after() == null) {
      arrivals.remove(pod.uid());
      return Optional.empty();
    }
    if (pod.isBound()) {
      arrivals.putIfAbsent(pod.uid(), change.at());
    }
    boolean isDeletedNow =
        pod.terminating() && change.before() != null && !new PodTree(change.before()).terminating();
    boolean byTaint =
        isDeletedNow
            && Conditions.find(pod.tree().object("status").array("conditions"), "DisruptionTarget")
                .filter(condition -> condition.text("reason", "").equals(BY_TAINT))
                .isPresent();
    return byTaint ? judge(pod, change, state) : Optional.empty();
  }

  private Optional<String> judge(PodTree pod, StoreChange change, ClusterState state) {
    Instant arrived = arrivals.getOrDefault(pod.uid(), change.at());
    Instant latest = change.at().plus(state.clockDifference()).plus(state.longestDelay());
    StringBuilder why = new StringBuilder();
    for (Stay stay : taints.getOrDefault(pod.nodeName(), Map.of()).values()) {
      boolean isOver =
          !stay.until().equals(Instant.MAX)
              && stay.until().plus(NOT_HEARD_YET).isBefore(change.at());
      Instant began = stay.since().isAfter(arrived) ? stay.since() : arrived;
      Optional<Instant> end = end(Toleration.list(pod.tolerations()), stay.taint(), began);
      if (!isOver && end.isPresent() && !end.get().isAfter(latest)) {
        return Optional.empty();
      }
      why.append(
          "; %s is there since %s%s and tolerated until %s"
              .formatted(
                  stay.taint(),
                  stay.since(),
                  isOver ? " until " + stay.until() : "",
                  end.map(Instant::toString).orElse("the end")));
    }
    return Optional.of(
        "%s, on %s since %s, was evicted by %s, and tolerates all that is there%s"
            .formatted(change.name(), pod.nodeName(), arrived, change.sender(), why));
  }

  /** When the toleration of a taint ends; empty if it does not. */
  private static Optional<Instant> end(List<Toleration> tolerations, Taint taint, Instant began) {
    List<Toleration> matching = tolerations.stream().filter(t -> matches(t, taint)).toList();
    if (matching.isEmpty()) {
      return Optional.of(Instant.MIN);
    }
    return matching.stream()
        .map(Toleration::tolerationSeconds)
        .filter(seconds -> seconds != null)
        .map(began::plusSeconds)
        .min(Instant::compareTo);
  }

  private static boolean matches(Toleration toleration, Taint taint) {
    boolean exists = toleration.operator() == TolerationOperator.EXISTS;
    return (toleration.effect() == null || toleration.effect() == taint.effect())
        && (toleration.key().isEmpty() ? exists : toleration.key().equals(taint.key()))
        && (exists || toleration.value().equals(taint.value()));
  }
}
