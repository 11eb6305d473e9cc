package dev.berth.scheduler.plugin.affinity;

import static dev.berth.scheduler.fixture.TopologyFixture.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.PodFixture;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.fixture.RandomCluster;
import dev.berth.scheduler.fixture.TopologyFixture;
import dev.berth.time.fixture.SeededTest;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Counting terms as pods come and go gives what looking at all pods does. */
class AffinityPropertyTest {
  private static final int STEPS = 120;

  /** By then every seed has had the cases that the test is about. */
  private static final int MOST_STEPS = 10 * STEPS;

  private static PodFixture opinionated(PodFixture pod, SplittableRandom random) {
    PodFixture dressed = pod;
    for (String kind : new String[] {"podAffinity", "podAntiAffinity"}) {
      if (random.nextInt(3) == 0) {
        dressed =
            dressed.with(
                "spec.affinity." + kind,
                json(
                    "{'requiredDuringSchedulingIgnoredDuringExecution': [%s]}"
                        .formatted(terms(random))));
      } else if (random.nextInt(3) == 0) {
        dressed =
            dressed.with(
                "spec.affinity." + kind,
                json(
                    ("{'preferredDuringSchedulingIgnoredDuringExecution': [{'weight': %d,"
                            + " 'podAffinityTerm': %s}]}")
                        .formatted(random.nextInt(1, 20), term(random))));
      }
    }
    return dressed;
  }

  private static String terms(SplittableRandom random) {
    return random.nextBoolean() ? term(random) : term(random) + "," + term(random);
  }

  private static String term(SplittableRandom random) {
    return "{'topologyKey': '%s', %s %s 'labelSelector': %s}"
        .formatted(
            one(random, "topology.kubernetes.io/zone", "kubernetes.io/hostname"),
            one(
                random,
                "",
                "",
                "'namespaces': ['other'],",
                "'namespaceSelector': {},",
                "'namespaceSelector': {'matchLabels': {'team': 'x'}},"),
            one(
                random,
                "",
                "",
                "'matchLabelKeys': ['version'],",
                "'mismatchLabelKeys': ['version'],"),
            one(
                random,
                "{'matchLabels': {'app': 'web'}}",
                "{'matchLabels': {'app': 'db'}}",
                "{'matchExpressions': [{'key': 'version', 'operator': 'Exists'}]}"));
  }

  private static String one(SplittableRandom random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  @SeededTest(fixed = 2, fresh = 1)
  void agreesWithTheObviousWay(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomCluster changing = new RandomCluster(random, pod -> opinionated(pod, random));
    InterPodAffinity plugin = new InterPodAffinity(AffinityArgs.DEFAULT);
    int refused = 0;
    int some = 0;
    int scored = 0;
    for (int step = 0;
        step < STEPS
            || (step < MOST_STEPS
                && (refused <= STEPS / 10 || some <= STEPS / 20 || scored <= STEPS / 10));
        step++) {
      changing.step();
      PodFixture pod = changing.anyPod();
      PodInfo info = changing.cluster().read(pod.tree());
      SlowAffinity slow = new SlowAffinity(changing.cluster(), info);
      TopologyFixture asked = new TopologyFixture(changing.cluster());
      Set<String> allowed = asked.allowed(plugin, pod);
      assertThat(allowed).as("seed %d, step %d: %s", seed, step, pod).isEqualTo(slow.allowed());
      Map<String, Long> scores = asked.scores(plugin, pod);
      Map<String, Long> obvious = slow.scores();
      if (scores.isEmpty()) {
        assertThat(obvious.values()).as("seed %d, step %d", seed, step).allMatch(s -> s == 0);
      } else {
        assertThat(scores).as("seed %d, step %d: %s", seed, step, pod).isEqualTo(obvious);
      }
      refused += allowed.size() < changing.cluster().size() ? 1 : 0;
      some += allowed.size() < changing.cluster().size() && !allowed.isEmpty() ? 1 : 0;
      scored += Set.copyOf(obvious.values()).size() > 1 ? 1 : 0;
    }
    assertThat(refused).as("steps where a node was refused").isGreaterThan(STEPS / 10);
    assertThat(some).as("steps where some nodes were refused").isGreaterThan(STEPS / 20);
    assertThat(scored).as("steps where nodes scored differently").isGreaterThan(STEPS / 10);
  }
}
