package dev.berth.scheduler.decision;

import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Profile.WeightedScore;
import dev.berth.scheduler.plugin.resources.NodeResourcesFit;
import dev.berth.scheduler.plugin.resources.Shortage;
import dev.berth.scheduler.plugin.resources.Shortage.Lack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DeciderTest {
  private static final long SEED = 42;

  private final Cluster cluster = new Cluster();
  private final Decider decider =
      new Decider(cluster, TestProfiles.withZoneLimit(), new SplittableRandom(SEED));

  private static NodeFixture sized(String name) {
    return node(name).allocatable("cpu", "4", "memory", "8Gi", "pods", "110");
  }

  private static PodFixture asking(String name, String cpu) {
    return pod(name).requesting("cpu", cpu);
  }

  private Decision decide(PodFixture pod) {
    return decider.decide(cluster.read(pod.tree()));
  }

  private String nodeFor(PodFixture pod) {
    return decide(pod) instanceof Decision.Placed placed ? cluster.node(placed.node()).name() : "";
  }

  private Diagnosis diagnosis(PodFixture pod) {
    assertThat(decide(pod)).isInstanceOf(Decision.Unschedulable.class);
    return ((Decision.Unschedulable) decide(pod)).diagnosis();
  }

  private PodInfo put(PodFixture pod, String node) {
    PodInfo info = cluster.read(pod.tree());
    cluster.add(info, node);
    return info;
  }

  @Test
  void goesToTheNodeWithMostRoom() {
    cluster.put(sized("n1").tree());
    cluster.put(sized("n2").tree());
    put(asking("there", "2"), "n1");
    assertThat(nodeFor(asking("web", "1"))).isEqualTo("n2");
    put(asking("more", "3"), "n2");
    assertThat(nodeFor(asking("web", "1"))).isEqualTo("n1");
  }

  @Test
  void choosesEvenlyAmongNodesThatAreEquallyGood() {
    for (int i = 0; i < 600; i++) {
      cluster.put(sized("n" + i).tree());
    }
    List<Integer> chosen = new ArrayList<>(List.of(0, 0, 0));
    for (int i = 0; i < 3000; i++) {
      if (decide(asking("web", "1")) instanceof Decision.Placed placed) {
        assertThat(placed.feasible()).isEqualTo(600);
        int third = placed.node() / 200;
        chosen.set(third, chosen.get(third) + 1);
      }
    }
    assertThat(chosen).allSatisfy(third -> assertThat(third).isBetween(900, 1100));
  }

  @Test
  void goesToTheNodeThatItIsNominatedTo() {
    cluster.put(sized("n1").tree());
    cluster.put(sized("n2").tree());
    put(asking("there", "2"), "n1");
    cluster.nominations().put(cluster.read(asking("web", "1").tree()), "n1");
    assertThat(nodeFor(asking("web", "1"))).isEqualTo("n1");
    assertThat(nodeFor(asking("web", "3"))).as("it does not fit there").isEqualTo("n2");
  }

  @Test
  void leavesRoomForPodsThatAreNominated() {
    cluster.put(sized("n1").tree());
    cluster.put(sized("n2").tree());
    put(asking("there", "2"), "n2");
    PodFixture high = asking("high", "3").with("spec.priority", 5L);
    cluster.nominations().put(cluster.read(high.tree()), "n1");

    assertThat(nodeFor(asking("low", "2"))).isEqualTo("n2");
    assertThat(nodeFor(asking("higher", "2").with("spec.priority", 6L))).isEqualTo("n1");

    put(asking("more", "1"), "n2");
    Diagnosis diagnosis = diagnosis(asking("low", "2"));
    assertThat(diagnosis.counts()).isEqualTo(Map.of("Insufficient cpu", 2));
    assertThat(diagnosis.nodesWherePreemptionMayHelp()).containsExactly(0, 1);
    assertThat(diagnosis.refusals())
        .extracting(Diagnosis.NodeRefusal::refusal)
        .contains(new Shortage(List.of(new Lack("cpu", 2000, 3000, 4000))));
  }

  @Test
  void looksAtTheNodesThatAPodNamesAndNoOthers() {
    cluster.put(sized("n1").tree());
    cluster.put(sized("n2").tree());
    cluster.put(sized("n3").tree());
    PodFixture daemon =
        asking("daemon", "1").requiringNodes(fields(requirement("metadata.name", "In", "n1")));
    assertThat(nodeFor(daemon)).isEqualTo("n1");

    put(asking("there", "4"), "n1");
    Diagnosis full = diagnosis(daemon);
    assertThat(full.counts())
        .isEqualTo(
            Map.of("Insufficient cpu", 1, "node(s) didn't satisfy plugin(s) [NodeAffinity]", 2));
    assertThat(full.plugins()).containsExactly("NodeAffinity", "NodeResourcesFit");
    assertThat(full.nodesWherePreemptionMayHelp()).containsExactly(0);
    assertThat(full.unresolvable()).isEqualTo(2);

    assertThat(nodeFor(asking("web", "1"))).isNotEmpty();
    assertThat(nodeFor(asking("web", "1").with("spec.nodeName", "n3"))).isEqualTo("n3");

    cluster.remove("n1");
    assertThat(diagnosis(daemon).counts())
        .isEqualTo(Map.of("node(s) didn't satisfy plugin(s) [NodeAffinity]", 2));
  }

  @Test
  void saysWhyAndFollowsWhatChanges() {
    assertThat(diagnosis(asking("web", "1")).nodes()).isZero();
    cluster.put(sized("n1").tainted("a=b:NoSchedule").tree());
    cluster.put(sized("n2").tree());
    put(asking("there", "4"), "n2");
    Diagnosis first = diagnosis(asking("web", "1"));
    assertThat(first.counts())
        .isEqualTo(Map.of("Insufficient cpu", 1, "node(s) had untolerated taint(s)", 1));
    assertThat(first.nodesWherePreemptionMayHelp()).containsExactly(1);

    cluster.put(sized("n1").cordoned().tree());
    assertThat(diagnosis(asking("web", "1")).counts())
        .isEqualTo(Map.of("Insufficient cpu", 1, "node(s) were unschedulable", 1));
    assertThat(first.nodesWherePreemptionMayHelp())
        .as("asked again after a change, it looks again")
        .containsExactly(1);

    cluster.put(sized("n1").tree());
    assertThat(nodeFor(asking("web", "1"))).isEqualTo("n1");
  }

  @Test
  void filtersSeeWhatRemovingAPodWouldHelp() {
    int node = cluster.put(sized("n1").tree());
    PodInfo victim = put(asking("victim", "4"), "n1");
    PodInfo web = cluster.read(asking("web", "1").labelled("max-pods-per-zone", "1").tree());
    PodFilters filters = new PodFilters(TestProfiles.withZoneLimit(), web, cluster);
    assertThat(filters.refusal(node)).isNotNull();
    try (var dryRun = cluster.dryRun()) {
      dryRun.remove(victim, "n1");
      filters.removed(victim, node);
      assertThat(filters.refusal(node)).isNull();
    }
    filters.added(victim, node);
    assertThat(filters.refusal(node)).isNotNull();
  }

  /**
   * Scores are scaled by the greatest of the nodes that are left, not of those that are refused.
   */
  @Test
  void nodesThatAreRefusedDoNotChangeTheScoresOfOthers() {
    PodFixture web = asking("web", "1").labelled("max-pods-per-zone", "1");
    cluster.put(sized("n1").labelled("zone", "a").tainted("x:PreferNoSchedule").tree());
    assertThat(decide(web)).isInstanceOf(Decision.Placed.class);
    Decision alone = decide(web);

    cluster.put(
        sized("n2")
            .labelled("zone", "b")
            .tainted("x:PreferNoSchedule", "y:PreferNoSchedule")
            .tree());
    put(asking("there", "1"), "n2");
    assertThat(decide(web)).isEqualTo(alone);
  }

  @Test
  void keepsTheScoresOfTheClassesThatCameLast() {
    cluster.put(sized("n1").tree());
    ScoreCache cache = new ScoreCache(new ProfilePlugins(TestProfiles.local()), cluster, 10);
    for (int i = 1; i <= 20; i++) {
      cache.compute(cluster.read(asking("web", i + "m").tree()));
      assertThat(cache.find(cluster.read(asking("db", "1m").tree()))).isNotNull();
    }
    assertThat(cache.find(cluster.read(asking("db", "2m").tree()))).isNull();
    assertThat(cache.find(cluster.read(asking("db", "20m").tree()))).isNotNull();
  }

  @Test
  void refusesWeightsThatDoNotAddUp() {
    Profile heavy =
        new Profile(
            "heavy", List.of(), List.of(new WeightedScore(new NodeResourcesFit(), 1L << 40)));
    assertThatThrownBy(() -> new Decider(cluster, heavy, new SplittableRandom(SEED)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("heavy");
  }
}
