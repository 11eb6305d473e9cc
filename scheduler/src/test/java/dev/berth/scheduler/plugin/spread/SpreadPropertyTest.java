package dev.berth.scheduler.plugin.spread;

import static dev.berth.scheduler.fixture.TopologyFixture.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.fixture.RandomCluster;
import dev.berth.scheduler.fixture.TopologyFixture;
import dev.berth.time.fixture.SeededTest;
import java.util.Set;
import java.util.SplittableRandom;

/** Counting as pods come and go gives what counting all of them anew does. */
class SpreadPropertyTest {
  private static final int STEPS = 120;

  /** By then every seed has had the cases that the test is about. */
  private static final int MOST_STEPS = 10 * STEPS;

  private static PodFixture constrained(PodFixture pod, SplittableRandom random) {
    JsonArray constraints = JsonArray.EMPTY;
    for (int i = random.nextInt(3); i >= 0; i--) {
      constraints =
          constraints.append(
              json(
                  "{'topologyKey': '%s', 'whenUnsatisfiable': '%s', 'maxSkew': %d, %s %s %s %s %s}"
                      .formatted(
                          one(random, "topology.kubernetes.io/zone", "kubernetes.io/hostname"),
                          one(random, "DoNotSchedule", "ScheduleAnyway"),
                          random.nextInt(1, 4),
                          one(random, "", "", "'minDomains': 3,"),
                          one(random, "", "", "'nodeAffinityPolicy': 'Ignore',"),
                          one(random, "", "", "'nodeTaintsPolicy': 'Honor',"),
                          one(random, "", "", "'matchLabelKeys': ['version'],"),
                          one(
                              random,
                              "'labelSelector': {'matchLabels': {'app': 'web'}}",
                              "'labelSelector': {'matchLabels': {'app': 'db'}}",
                              "'labelSelector': {}",
                              "'labelSelector': {'matchExpressions':"
                                  + " [{'key': 'version', 'operator': 'Exists'}]}"))));
    }
    return pod.with("spec.topologySpreadConstraints", constraints);
  }

  private static String one(SplittableRandom random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  @SeededTest(fixed = 2, fresh = 1)
  void agreesWithTheObviousWay(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomCluster changing = new RandomCluster(random, pod -> constrained(pod, random));
    PodTopologySpread plugin = new PodTopologySpread(SpreadArgs.SYSTEM, TolerationRules.STANDARD);
    int refused = 0;
    int scored = 0;
    for (int step = 0;
        step < STEPS || (step < MOST_STEPS && (refused <= STEPS / 10 || scored <= STEPS / 10));
        step++) {
      changing.step();
      PodFixture pod = changing.anyPod();
      PodInfo info = changing.cluster().read(pod.tree());
      SlowSpread slow = new SlowSpread(changing.cluster(), info);
      TopologyFixture asked = new TopologyFixture(changing.cluster());
      Set<String> allowed = asked.allowed(plugin, pod);
      assertThat(allowed).as("seed %d, step %d: %s", seed, step, pod).isEqualTo(slow.allowed());
      assertThat(asked.scores(plugin, pod))
          .as("seed %d, step %d: %s", seed, step, pod)
          .isEqualTo(slow.scores());
      refused += allowed.size() < changing.cluster().size() ? 1 : 0;
      scored += Set.copyOf(slow.scores().values()).size() > 1 ? 1 : 0;
    }
    assertThat(refused).as("steps where a node was refused").isGreaterThan(STEPS / 10);
    assertThat(scored).as("steps where nodes scored differently").isGreaterThan(STEPS / 10);
  }
}
