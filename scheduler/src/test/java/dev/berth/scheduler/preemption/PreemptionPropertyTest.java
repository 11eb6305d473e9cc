package dev.berth.scheduler.preemption;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.time.fixture.SeededTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Whatever happens to a cluster, in whatever order: who is preempted is who {@link SlowPreemption}
 * says, though the one remembers and counts, and the other builds every cluster anew.
 */
class PreemptionPropertyTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int STEPS = 60;

  /** By then every seed has had the cases that the test is about. */
  private static final int MOST_STEPS = 10 * STEPS;

  private final Cluster cluster = new Cluster();
  private final Budgets budgets = new Budgets();
  private final Preemption preemption = new Preemption(cluster, budgets);

  /** The same cluster as trees, for the reference. */
  private final Map<String, JsonObject> nodes = new HashMap<>();

  private final Map<String, List<JsonObject>> pods = new HashMap<>();
  private final Map<String, List<JsonObject>> promised = new HashMap<>();
  private final Map<String, JsonObject> budgetTrees = new HashMap<>();
  private int names;

  @SeededTest(fixed = 2, fresh = 1)
  void countsAsTheReferenceDoes(long seed) {
    run(seed, TestPlugins.usual());
  }

  @SeededTest(fixed = 2, fresh = 1)
  void triesAsTheReferenceDoes(long seed) {
    run(seed, TestPlugins.tried());
  }

  private void run(long seed, Profile profile) {
    SplittableRandom random = new SplittableRandom(seed);
    int preempted = 0;
    int notHelped = 0;
    for (int i = 0; i < 5; i++) {
      putNode(random);
    }
    for (int step = 0;
        step < STEPS || (step < MOST_STEPS && (preempted <= STEPS / 6 || notHelped <= 2));
        step++) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        change(random);
      }
      JsonObject preemptor = preemptor(random);
      PreemptionDecision expected =
          new SlowPreemption(inOrder(), pods, promised, List.copyOf(budgetTrees.values()))
              .decide(preemptor, profile, cluster);
      PodInfo info = cluster.read(preemptor);
      PreemptionDecision decision = preemption.decide(info, profile);
      assertThat(decision).as("seed %d, step %d: %s", seed, step, preemptor).isEqualTo(expected);
      switch (decision) {
        case PreemptionDecision.Preempt preempt -> {
          preempted++;
          if (random.nextBoolean()) {
            promise(preemptor, preempt.node());
          }
        }
        case PreemptionDecision.NoHelp _ -> notHelped++;
        case PreemptionDecision.NotEligible _ -> {}
      }
    }
    assertThat(preempted).as("cases in which somebody made way").isGreaterThan(STEPS / 6);
    assertThat(notHelped).as("cases in which nobody could help").isGreaterThan(2);
  }

  private List<JsonObject> inOrder() {
    List<JsonObject> ordered = new ArrayList<>();
    for (int index = 0; index < cluster.limit(); index++) {
      if (cluster.exists(index)) {
        ordered.add(cluster.node(index).tree());
      }
    }
    return ordered;
  }

  private void change(SplittableRandom random) {
    switch (random.nextInt(14)) {
      case 0 -> putNode(random);
      case 1 -> removeNode(random);
      case 2, 3, 4, 5, 6 -> addPod(random);
      case 7, 8 -> removePod(random);
      case 9, 10, 11 -> unpromise(random);
      case 12 -> putBudget(random);
      default -> removeBudget(random);
    }
  }

  private void putNode(SplittableRandom random) {
    String name = "n" + random.nextInt(7);
    NodeFixture fixture =
        node(name)
            .allocatable(
                "cpu",
                String.valueOf(1 + random.nextInt(4)),
                "memory",
                "4Gi",
                "pods",
                String.valueOf(2 + random.nextInt(4)));
    if (random.nextInt(6) == 0) {
      fixture = fixture.tainted("k=v:NoSchedule");
    }
    nodes.put(name, fixture.tree());
    cluster.put(fixture.tree());
  }

  private void removeNode(SplittableRandom random) {
    if (nodes.size() > 3) {
      String name = pick(random, nodes.keySet());
      nodes.remove(name);
      cluster.remove(name);
    }
  }

  private PodFixture drawn(SplittableRandom random, String name, int lowest, int highest) {
    PodFixture fixture =
        pod(name)
            .requesting(
                "cpu",
                String.valueOf(250 * (1 + random.nextInt(6))) + "m",
                "memory",
                (1 + random.nextInt(2)) + "Gi")
            .with("spec.priority", (long) random.nextInt(lowest, highest));
    if (random.nextInt(4) > 0) {
      fixture = fixture.labelled("budget", "b" + random.nextInt(2));
    }
    if (random.nextInt(8) == 0) {
      fixture = withPort(fixture, 80 + random.nextInt(2));
    }
    if (random.nextInt(8) == 0) {
      fixture = fixture.labelled("zoned", "yes");
    }
    return fixture;
  }

  private static PodFixture withPort(PodFixture fixture, long port) {
    return fixture.with(
        "spec.containers[0].ports",
        JsonArray.of(JsonObject.of("containerPort", port).with("hostPort", port)));
  }

  private void addPod(SplittableRandom random) {
    String node = pick(random, nodes.keySet());
    PodFixture fixture = drawn(random, "p" + names++, -3, 6).on(node);
    if (random.nextInt(5) > 0) {
      fixture = fixture.with("status.startTime", START.plusSeconds(random.nextInt(3)).toString());
    }
    pods.computeIfAbsent(node, _ -> new ArrayList<>()).add(fixture.tree());
    cluster.add(cluster.read(fixture.tree()), node);
  }

  private void removePod(SplittableRandom random) {
    if (!pods.isEmpty()) {
      String node = pick(random, pods.keySet());
      List<JsonObject> there = pods.getOrDefault(node, new ArrayList<>());
      JsonObject gone = there.remove(random.nextInt(there.size()));
      cluster.remove(cluster.read(gone), node);
      if (there.isEmpty()) {
        pods.remove(node);
      }
    }
  }

  private void promise(JsonObject preemptor, String node) {
    List<JsonObject> there = promised.computeIfAbsent(node, _ -> new ArrayList<>());
    if (there.stream().noneMatch(p -> uid(p).equals(uid(preemptor)))) {
      promised.values().forEach(all -> all.removeIf(p -> uid(p).equals(uid(preemptor))));
      there.add(preemptor);
    }
    cluster.nominations().put(cluster.read(preemptor), node);
  }

  private void unpromise(SplittableRandom random) {
    List<JsonObject> all = promised.values().stream().flatMap(List::stream).toList();
    if (!all.isEmpty()) {
      JsonObject one = all.get(random.nextInt(all.size()));
      promised.values().forEach(there -> there.remove(one));
      cluster.nominations().remove(cluster.read(one));
    }
  }

  private void putBudget(SplittableRandom random) {
    String name = "b" + random.nextInt(2);
    JsonObject status = JsonObject.of("disruptionsAllowed", (long) random.nextInt(3));
    if (names > 0 && random.nextBoolean()) {
      status = status.with("disruptedPods", object("p" + random.nextInt(names), START.toString()));
    }
    JsonObject budget =
        JsonObject.of("metadata", object("namespace", "default", "name", name))
            .with(
                "spec",
                JsonObject.of("selector", JsonObject.of("matchLabels", object("budget", name))))
            .with("status", status);
    budgetTrees.put(name, budget);
    budgets.put(budget);
  }

  private void removeBudget(SplittableRandom random) {
    String name = "b" + random.nextInt(2);
    budgetTrees.remove(name);
    budgets.remove(new ObjectName("default", name));
  }

  /** Few enough kinds that what was found for one is used for the next; some come again. */
  private JsonObject preemptor(SplittableRandom random) {
    List<JsonObject> waiting = promised.values().stream().flatMap(List::stream).toList();
    if (!waiting.isEmpty() && random.nextInt(4) == 0) {
      return waiting.get(random.nextInt(waiting.size()));
    }
    PodFixture fixture =
        pod("high" + names++)
            .requesting("cpu", String.valueOf(1 + random.nextInt(2)), "memory", "1Gi")
            .with("spec.priority", 3L + random.nextInt(2));
    return (random.nextInt(5) == 0 ? withPort(fixture, 81) : fixture).tree();
  }

  private static String uid(JsonObject object) {
    return object.object("metadata").text("uid", "");
  }

  private static String pick(SplittableRandom random, Set<String> from) {
    return from.stream().sorted().skip(random.nextInt(from.size())).findFirst().orElseThrow();
  }
}
