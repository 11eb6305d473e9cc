package dev.berth.scheduler.preemption;

import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.PodFilters;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Preemption as one would explain it: for every node a cluster of its own is built without some
 * pods, and the filters are asked afresh. Remembers nothing.
 */
final class SlowPreemption {
  private final List<JsonObject> nodes;
  private final Map<String, List<JsonObject>> pods;
  private final Map<String, List<JsonObject>> promised;
  private final List<PodDisruptionBudgetView> budgets;
  private final Map<String, PodInfo> read = new HashMap<>();

  SlowPreemption(
      List<JsonObject> nodes,
      Map<String, List<JsonObject>> pods,
      Map<String, List<JsonObject>> promised,
      List<JsonObject> budgets) {
    this.nodes = nodes;
    this.pods = pods;
    this.promised = promised;
    this.budgets = budgets.stream().map(PodDisruptionBudgetView::read).toList();
  }

  /** A node and who would leave it. */
  private record Option(String node, List<JsonObject> victims, int violations) {}

  PreemptionDecision decide(JsonObject pod, Profile profile, Cluster reader) {
    read.put(uid(pod), reader.read(pod));
    pods.values().forEach(all -> all.forEach(p -> read.put(uid(p), reader.read(p))));
    promised.values().forEach(all -> all.forEach(p -> read.put(uid(p), reader.read(p))));
    Map<String, Integer> counts = new HashMap<>();
    List<Option> options = new ArrayList<>();
    for (JsonObject node : nodes) {
      String name = name(node);
      List<JsonObject> there = pods.getOrDefault(name, List.of());
      Refusal refusal = refusal(pod, name, there, profile);
      if (refusal == null) {
        continue;
      }
      List<JsonObject> lower = there.stream().filter(p -> priority(p) < priority(pod)).toList();
      if (!refusal.preemptionMayHelp()) {
        counts.merge("Preemption is not helpful for scheduling", 1, Integer::sum);
      } else if (lower.isEmpty()) {
        counts.merge("No preemption victims found for incoming pod", 1, Integer::sum);
      } else {
        List<JsonObject> rest = new ArrayList<>(there);
        rest.removeAll(lower);
        Refusal still = refusal(pod, name, rest, profile);
        if (still == null) {
          options.add(option(pod, name, rest, lower, profile));
        } else {
          still.messages().forEach(message -> counts.merge(message, 1, Integer::sum));
        }
      }
    }
    if (options.isEmpty()) {
      return new PreemptionDecision.NoHelp(nodes.size(), new TreeMap<>(counts));
    }
    Option best = options.getFirst();
    for (Option option : options) {
      if (BEST_FIRST.compare(option, best) < 0) {
        best = option;
      }
    }
    String node = best.node();
    return new PreemptionDecision.Preempt(
        node,
        best.victims().stream().map(reader::read).toList(),
        best.violations(),
        promised.getOrDefault(node, List.of()).stream()
            .filter(p -> priority(p) < priority(pod))
            .map(reader::read)
            .toList());
  }

  private Option option(
      JsonObject pod, String node, List<JsonObject> rest, List<JsonObject> lower, Profile profile) {
    List<JsonObject> sorted = lower.stream().sorted(IMPORTANT_FIRST).toList();
    List<JsonObject> violating = violating(sorted);
    List<JsonObject> order = new ArrayList<>(violating);
    sorted.stream().filter(p -> !violating.contains(p)).forEach(order::add);
    List<JsonObject> staying = new ArrayList<>(rest);
    List<JsonObject> victims = new ArrayList<>();
    for (JsonObject one : order) {
      staying.add(one);
      if (refusal(pod, node, staying, profile) != null) {
        staying.remove(one);
        victims.add(one);
      }
    }
    int violations = (int) victims.stream().filter(violating::contains).count();
    return new Option(node, victims.stream().sorted(IMPORTANT_FIRST).toList(), violations);
  }

  private List<JsonObject> violating(List<JsonObject> sorted) {
    List<JsonObject> violating = new ArrayList<>();
    Map<String, Long> left = new HashMap<>();
    budgets.forEach(b -> left.put(b.name(), b.status().disruptionsAllowed()));
    for (JsonObject pod : sorted) {
      boolean violates = false;
      for (PodDisruptionBudgetView budget : budgets) {
        if (budget.selects(new PodFixture(pod).view())
            && !budget.status().disruptedPods().containsKey(name(pod))) {
          violates |= left.merge(budget.name(), -1L, Long::sum) < 0;
        }
      }
      if (violates) {
        violating.add(pod);
      }
    }
    return violating;
  }

  /** Asks the filters about a node with these pods, with those it was promised to and without. */
  private @Nullable Refusal refusal(
      JsonObject pod, String node, List<JsonObject> there, Profile profile) {
    List<JsonObject> more = new ArrayList<>(there);
    boolean isEarlier = true;
    for (JsonObject other : promised.getOrDefault(node, List.of())) {
      isEarlier &= !uid(other).equals(uid(pod));
      if (priority(other) > priority(pod) || (isEarlier && priority(other) == priority(pod))) {
        more.add(other);
      }
    }
    Refusal with = asked(pod, node, more, profile);
    return with != null || more.size() == there.size() ? with : asked(pod, node, there, profile);
  }

  private @Nullable Refusal asked(
      JsonObject pod, String node, List<JsonObject> there, Profile profile) {
    Cluster cluster = new Cluster();
    nodes.forEach(cluster::put);
    pods.forEach((name, all) -> {
      for (JsonObject p : name.equals(node) ? there : all) {
        cluster.add(info(p), name);
      }
    });
    if (!pods.containsKey(node)) {
      there.forEach(p -> cluster.add(info(p), node));
    }
    return new PodFilters(profile, info(pod), cluster).refusal(cluster.indexOf(node));
  }

  private PodInfo info(JsonObject pod) {
    return Objects.requireNonNull(read.get(uid(pod)));
  }

  private static String name(JsonObject object) {
    return object.object("metadata").text("name", "");
  }

  private static String uid(JsonObject object) {
    return object.object("metadata").text("uid", "");
  }

  private static long priority(JsonObject pod) {
    return pod.object("spec").integer("priority").orElse(0);
  }

  private static String started(JsonObject pod) {
    return pod.object("status").text("startTime", "9999");
  }

  private static final Comparator<JsonObject> IMPORTANT_FIRST =
      Comparator.comparingLong((JsonObject pod) -> -priority(pod))
          .thenComparing(SlowPreemption::started)
          .thenComparing(SlowPreemption::name);

  private static String firstStart(Option option) {
    long highest = priority(option.victims().getFirst());
    return option.victims().stream()
        .filter(pod -> priority(pod) == highest)
        .map(SlowPreemption::started)
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static final Comparator<Option> BEST_FIRST =
      Comparator.comparingInt(Option::violations)
          .thenComparingLong(option -> priority(option.victims().getFirst()))
          .thenComparingLong(
              option -> option.victims().stream().mapToLong(p -> priority(p) + (1L << 31)).sum())
          .thenComparingInt(option -> option.victims().size())
          .thenComparing(SlowPreemption::firstStart, Comparator.reverseOrder());
}
