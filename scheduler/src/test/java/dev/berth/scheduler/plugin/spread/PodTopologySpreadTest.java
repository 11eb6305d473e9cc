package dev.berth.scheduler.plugin.spread;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.scheduler.fixture.TopologyFixture.array;
import static dev.berth.scheduler.fixture.TopologyFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.DryRun;
import dev.berth.scheduler.cluster.affinity.OwnerSelectors.Kind;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.fixture.TopologyFixture;
import dev.berth.scheduler.plugin.NodeFilter;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodTopologySpreadTest {
  private static final String UNEVEN = "node(s) didn't match pod topology spread constraints";
  private static final PodTopologySpread SPREAD =
      new PodTopologySpread(SpreadArgs.SYSTEM, TolerationRules.STANDARD);

  /** Two nodes in zone a, one in b. */
  private final TopologyFixture cluster =
      new TopologyFixture().with(host("a1", "a"), host("a2", "a"), host("b1", "b"));

  private static NodeFixture host(String name, String zone) {
    return node(name).inZone(zone).labelled("kubernetes.io/hostname", name);
  }

  private static PodFixture web(String name) {
    return pod(name).labelled("app", "web");
  }

  private static PodFixture spread(PodFixture pod, String... constraints) {
    return pod.with("spec.topologySpreadConstraints", array(constraints));
  }

  private static String zone(long maxSkew, String more) {
    return constraint("topology.kubernetes.io/zone", "DoNotSchedule", maxSkew, more);
  }

  private static String constraint(String key, String action, long maxSkew, String more) {
    return "{'topologyKey': '%s', 'whenUnsatisfiable': '%s', 'maxSkew': %d, %s %s}"
        .formatted(key, action, maxSkew, more, "'labelSelector': {'matchLabels': {'app': 'web'}}");
  }

  private static PodFixture[] placed(String... nodes) {
    PodFixture[] pods = new PodFixture[nodes.length];
    Arrays.setAll(pods, i -> web("old-" + i).on(nodes[i]));
    return pods;
  }

  static Stream<Arguments> rules() {
    PodFixture web = web("new");
    return Stream.of(
        argumentSet("nothing there: everywhere", spread(web, zone(1, "")), placed(), "a1 a2 b1"),
        argumentSet("one more than the fewest", spread(web, zone(1, "")), placed("a1"), "b1"),
        argumentSet(
            "a greater skew is allowed", spread(web, zone(2, "")), placed("a1"), "a1 a2 b1"),
        argumentSet("and no more", spread(web, zone(2, "")), placed("a1", "a2"), "b1"),
        argumentSet(
            "a pod that is not of the group adds nothing",
            spread(pod("new"), zone(1, "")),
            placed("a1"),
            "a1 a2 b1"),
        argumentSet(
            "too few domains: the fewest is none",
            spread(web, zone(1, "'minDomains': 3,")),
            placed("a1", "b1"),
            ""),
        argumentSet(
            "as many domains as asked for",
            spread(web, zone(1, "'minDomains': 2,")),
            placed("a1", "b1"),
            "a1 a2 b1"),
        argumentSet(
            "by zone and by host: both must hold",
            spread(web, zone(2, ""), constraint("kubernetes.io/hostname", "DoNotSchedule", 1, "")),
            placed("a1"),
            "a2 b1"),
        argumentSet(
            "domains that the node selector leaves out do not count",
            spread(web, zone(1, "")).selectingNodes("topology.kubernetes.io/zone", "a"),
            placed("a1"),
            "a1 a2 b1"),
        argumentSet(
            "unless the policy is to ignore it",
            spread(web, zone(1, "'nodeAffinityPolicy': 'Ignore',"))
                .selectingNodes("topology.kubernetes.io/zone", "a"),
            placed("a1"),
            "b1"),
        argumentSet(
            "ScheduleAnyway refuses nothing",
            spread(web, constraint("topology.kubernetes.io/zone", "ScheduleAnyway", 1, "")),
            placed("a1", "a1"),
            "a1 a2 b1"),
        argumentSet(
            "an empty selector counts no pods",
            spread(
                web,
                "{'topologyKey': 'topology.kubernetes.io/zone', 'maxSkew': 1,"
                    + " 'whenUnsatisfiable': 'DoNotSchedule', 'labelSelector': {}}"),
            placed("a1", "a2"),
            "a1 a2 b1"),
        argumentSet(
            "pods of another version do not count: matchLabelKeys",
            spread(web.labelled("version", "2"), zone(1, "'matchLabelKeys': ['version'],")),
            placed("a1"),
            "a1 a2 b1"),
        argumentSet(
            "a matchLabelKey that the pod has no label for is left out",
            spread(web, zone(1, "'matchLabelKeys': ['version'],")),
            placed("a1"),
            "b1"));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void refusesNodesOfDomainsWithTooMany(PodFixture pod, PodFixture[] placed, String allowed) {
    cluster.with(placed);
    assertThat(String.join(" ", cluster.allowed(SPREAD, pod))).isEqualTo(allowed);
  }

  @Test
  void podsOnTheirWayOutAndOfOtherNamespacesDoNotCount() {
    cluster.with(
        web("leaving").on("a1").terminatingSince(Instant.EPOCH),
        web("other").with("metadata.namespace", "elsewhere").on("a1"));
    assertThat(cluster.allowed(SPREAD, spread(web("new"), zone(1, ""))))
        .containsExactly("a1", "a2", "b1");
  }

  @Test
  void domainsWhoseTaintsAreNotToleratedDoNotCountIfThatIsThePolicy() {
    cluster.with(placed("a1")).with(host("b1", "b").tainted("dedicated=x:NoSchedule"));
    PodFixture honoring = spread(web("new"), zone(1, "'nodeTaintsPolicy': 'Honor',"));
    assertThat(cluster.allowed(SPREAD, spread(web("new"), zone(1, "")))).containsExactly("b1");
    assertThat(cluster.allowed(SPREAD, honoring)).containsExactly("a1", "a2", "b1");
    assertThat(
            cluster.allowed(
                SPREAD,
                honoring.tolerating(Toleration.exists("dedicated", TaintEffect.NO_SCHEDULE))))
        .containsExactly("b1");
  }

  @Test
  void saysWhyANodeIsRefused() {
    cluster.with(placed("a1")).with(node("bare"));
    assertThat(cluster.refusals(SPREAD, spread(web("new"), zone(1, ""))))
        .isEqualTo(
            Map.of("a1", UNEVEN, "a2", UNEVEN, "bare", UNEVEN + " (missing required label)"));
  }

  @Test
  void refusalsHoldWhatWasCounted() {
    cluster.with(placed("a1", "a2"));
    PodInfo pod = cluster.read(spread(web("new"), zone(1, "")));
    NodeFilter filter = Objects.requireNonNull(SPREAD.filter(pod, cluster.cluster()));
    assertThat(filter.refusal(cluster.cluster().indexOf("a1")))
        .isEqualTo(new SpreadRefusal.TooUneven("topology.kubernetes.io/zone", "a", 3, 0, 1));
  }

  @Test
  void nodesWithoutALabelDoNotCountForOtherConstraintsEither() {
    cluster.with(node("bare").labelled("kubernetes.io/hostname", "bare"));
    cluster.with(placed("a1", "a2", "b1"));
    PodFixture pod =
        spread(
            web("new"), zone(5, ""), constraint("kubernetes.io/hostname", "DoNotSchedule", 1, ""));
    assertThat(cluster.allowed(SPREAD, pod)).containsExactly("a1", "a2", "b1");
  }

  @Test
  void aFilterKnowsWhatWasTakenAwayAndPutBack() {
    cluster.with(placed("a1"));
    PodInfo pod = cluster.read(spread(web("new"), zone(1, "")));
    NodeFilter filter = Objects.requireNonNull(SPREAD.filter(pod, cluster.cluster()));
    PodInfo victim = cluster.pods().getFirst();
    int node = cluster.cluster().indexOf("a1");
    assertThat(filter.allows(node)).isFalse();

    cluster.cluster().remove(victim, "a1");
    filter.removed(victim, node);
    assertThat(filter.allows(node)).isTrue();

    cluster.cluster().add(victim, "a1");
    filter.added(victim, node);
    assertThat(filter.allows(node)).isFalse();
  }

  @Test
  void whatWasTriedAndUndoneLeavesNoTrace() {
    cluster.with(placed("a1"));
    PodFixture pod = spread(web("new"), zone(1, ""));
    NodeFilter filter = Objects.requireNonNull(SPREAD.filter(cluster.read(pod), cluster.cluster()));
    int node = cluster.cluster().indexOf("a1");
    try (DryRun trial = cluster.cluster().dryRun()) {
      trial.remove(cluster.pods().getFirst(), "a1");
      filter.removed(cluster.pods().getFirst(), node);
      assertThat(filter.allows(node)).isTrue();
    }
    assertThat(cluster.allowed(SPREAD, pod)).containsExactly("b1");
  }

  @Test
  void followsNodesThatComeChangeAndGo() {
    cluster.with(placed("a1"));
    PodFixture pod = spread(web("new"), zone(1, ""));
    assertThat(cluster.allowed(SPREAD, pod)).containsExactly("b1");
    cluster.with(host("b1", "a"));
    assertThat(cluster.allowed(SPREAD, pod)).containsExactly("a1", "a2", "b1");
    cluster.with(host("c1", "c"));
    assertThat(cluster.allowed(SPREAD, pod)).containsExactly("c1");
    cluster.cluster().remove("c1");
    assertThat(cluster.allowed(SPREAD, pod)).containsExactly("a1", "a2", "b1");
    cluster.cluster().remove("a1");
    cluster.with(host("c1", "c"));
    assertThat(cluster.allowed(SPREAD, pod)).containsExactly("a2", "b1", "c1");
  }

  @Test
  void prefersDomainsWithFewerPods() {
    cluster.with(placed("a1", "a1", "a2", "b1"));
    PodFixture pod =
        spread(web("new"), constraint("topology.kubernetes.io/zone", "ScheduleAnyway", 1, ""));
    // 3 and 1 pods, times ln(2 + 2): 4.16 and 1.39.
    assertThat(cluster.scores(SPREAD, pod)).isEqualTo(Map.of("a1", 25L, "a2", 25L, "b1", 100L));
  }

  @Test
  void nodesWithoutALabelScoreNothing() {
    cluster.with(placed("a1")).with(node("bare"));
    PodFixture pod =
        spread(web("new"), constraint("topology.kubernetes.io/zone", "ScheduleAnyway", 1, ""));
    assertThat(cluster.scores(SPREAD, pod))
        .isEqualTo(Map.of("a1", 0L, "a2", 0L, "b1", 100L, "bare", 0L));
  }

  @Test
  void podsWithoutConstraintsAreSpreadByTheirServices() {
    cluster
        .cluster()
        .owners()
        .put(
            Kind.SERVICE,
            json(
                "{'metadata': {'name': 's', 'namespace': 'default'},"
                    + " 'spec': {'selector': {'app': 'web'}}}"));
    cluster.with(placed("a1", "a1", "a1"));
    Map<String, Long> scores = cluster.scores(SPREAD, web("new"));
    assertThat(scores.get("b1")).isEqualTo(100);
    assertThat(scores.get("a2")).isBetween(scores.getOrDefault("a1", 0L) + 1, 99L);
    assertThat(cluster.scores(SPREAD, pod("other").labelled("app", "db"))).isEmpty();

    cluster.cluster().owners().remove(Kind.SERVICE, new ObjectName("default", "s"));
    assertThat(cluster.scores(SPREAD, web("new"))).isEmpty();
  }

  @Test
  void podsWithoutConstraintsAreSpreadByTheirController() {
    cluster
        .cluster()
        .owners()
        .put(
            Kind.REPLICA_SET,
            json(
                "{'metadata': {'name': 'rs', 'namespace': 'default'},"
                    + " 'spec': {'selector': {'matchLabels': {'app': 'web'}}}}"));
    cluster.with(placed("a1"));
    assertThat(cluster.scores(SPREAD, web("new").ownedBy("ReplicaSet", "rs"))).isNotEmpty();
    assertThat(cluster.scores(SPREAD, web("new").ownedBy("Job", "rs"))).isEmpty();
  }

  @Test
  void administratorsMaySetOtherDefaults() {
    PodTopologySpread plugin =
        new PodTopologySpread(
            SpreadArgs.read(
                json(
                    "{'defaultingType': 'List', 'defaultConstraints': [{'maxSkew': 1,"
                        + " 'topologyKey': 'topology.kubernetes.io/zone',"
                        + " 'whenUnsatisfiable': 'DoNotSchedule'}]}")),
            TolerationRules.STANDARD);
    cluster
        .cluster()
        .owners()
        .put(
            Kind.SERVICE,
            json(
                "{'metadata': {'name': 's', 'namespace': 'default'},"
                    + " 'spec': {'selector': {'app': 'web'}}}"));
    cluster.with(placed("a1"));
    assertThat(cluster.allowed(plugin, web("new"))).containsExactly("b1");
    assertThat(cluster.scores(plugin, web("new"))).isEmpty();
    assertThat(cluster.allowed(plugin, pod("alone"))).isEqualTo(Set.of("a1", "a2", "b1"));
  }
}
