package dev.berth.scheduler.plugin.affinity;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.scheduler.fixture.TopologyFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.fixture.TopologyFixture;
import dev.berth.scheduler.plugin.NodeFilter;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class InterPodAffinityTest {
  private static final InterPodAffinity AFFINITY = new InterPodAffinity(AffinityArgs.DEFAULT);
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final String ZONE = "'topologyKey': 'topology.kubernetes.io/zone'";
  private static final String HOST = "'topologyKey': 'kubernetes.io/hostname'";

  /** Two nodes in zone a, one in b. */
  private final TopologyFixture cluster =
      new TopologyFixture().with(host("a1", "a"), host("a2", "a"), host("b1", "b"));

  private static NodeFixture host(String name, String zone) {
    return node(name).inZone(zone).labelled("kubernetes.io/hostname", name);
  }

  private static PodFixture app(String name) {
    return pod(name).labelled("app", name);
  }

  private static String term(String app, String more) {
    return "{'labelSelector': {'matchLabels': {'app': '%s'}}, %s}".formatted(app, more);
  }

  private static PodFixture near(PodFixture pod, String... terms) {
    return pod.with(
        "spec.affinity.podAffinity",
        json("{'%s': [%s]}".formatted(REQUIRED, String.join(",", terms))));
  }

  private static PodFixture far(PodFixture pod, String... terms) {
    return pod.with(
        "spec.affinity.podAntiAffinity",
        json("{'%s': [%s]}".formatted(REQUIRED, String.join(",", terms))));
  }

  private static PodFixture prefers(PodFixture pod, String kind, long weight, String term) {
    return pod.with(
        "spec.affinity." + kind,
        json("{'%s': [{'weight': %d, 'podAffinityTerm': %s}]}".formatted(PREFERRED, weight, term)));
  }

  static Stream<Arguments> rules() {
    PodFixture web = app("web");
    return Stream.of(
        argumentSet("no affinity: everywhere", web, "a1 a2 b1"),
        argumentSet("near db by zone", near(web, term("db", ZONE)), "a1 a2"),
        argumentSet("near db by host", near(web, term("db", HOST)), "a1"),
        argumentSet("near nobody that is there", near(web, term("cache", ZONE)), ""),
        argumentSet(
            "near one pod that all terms are about",
            near(web, term("db", ZONE), term("log", ZONE)),
            ""),
        argumentSet(
            "the first of a group that is near itself", near(web, term("web", ZONE)), "a1 a2 b1"),
        argumentSet("far from db by zone", far(web, term("db", ZONE)), "b1"),
        argumentSet("far from db by host", far(web, term("db", HOST)), "a2 b1"),
        argumentSet("far from any of several", far(web, term("db", HOST), term("log", HOST)), "a2"),
        argumentSet("near and far", far(near(web, term("db", ZONE)), term("db", HOST)), "a2"),
        argumentSet(
            "a term without a selector is about nobody", far(web, "{" + ZONE + "}"), "a1 a2 b1"),
        argumentSet(
            "an empty selector is about everybody of the namespace",
            far(web, "{'labelSelector': {}, " + HOST + "}"),
            "a2"),
        argumentSet(
            "by a label that no node has", near(web, term("db", "'topologyKey': 'rack'")), ""),
        argumentSet(
            "pods of other namespaces are not meant", far(web, term("remote", HOST)), "a1 a2 b1"),
        argumentSet(
            "unless they are named",
            far(web, term("remote", HOST + ", 'namespaces': ['other']")),
            "a1 b1"),
        argumentSet(
            "or their labels are",
            far(
                web,
                term("remote", HOST + ", 'namespaceSelector': {'matchLabels': {'team': 'x'}}")),
            "a1 b1"),
        argumentSet(
            "or others' labels",
            far(
                web,
                term("remote", HOST + ", 'namespaceSelector': {'matchLabels': {'team': 'y'}}")),
            "a1 a2 b1"),
        argumentSet(
            "or all are", far(web, term("remote", HOST + ", 'namespaceSelector': {}")), "a1 b1"),
        argumentSet(
            "matchLabelKeys: only the same version",
            far(web.labelled("v", "2"), term("db", HOST + ", 'matchLabelKeys': ['v']")),
            "a1 a2 b1"),
        argumentSet(
            "mismatchLabelKeys: only other versions",
            far(web.labelled("v", "2"), term("db", HOST + ", 'mismatchLabelKeys': ['v']")),
            "a2 b1"),
        argumentSet("a pod that another does not want near", app("noise"), "a1 a2"));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void keepsPodsNearAndFar(PodFixture pod, String allowed) {
    cluster.cluster().putNamespace("other", object("team", "x"));
    cluster.with(
        app("db").labelled("v", "1").on("a1"),
        far(app("log"), term("noise", ZONE)).on("b1"),
        app("remote").with("metadata.namespace", "other").on("a2"));
    assertThat(String.join(" ", cluster.allowed(AFFINITY, pod))).isEqualTo(allowed);
  }

  @Test
  void aNamespaceMayGetOtherLabels() {
    cluster.with(app("remote").with("metadata.namespace", "other").on("a2"));
    PodFixture pod =
        far(
            app("web"),
            term("remote", HOST + ", 'namespaceSelector': {'matchLabels': {'team': 'x'}}"));
    assertThat(cluster.allowed(AFFINITY, pod)).containsExactly("a1", "a2", "b1");
    cluster.cluster().putNamespace("other", object("team", "x"));
    assertThat(cluster.allowed(AFFINITY, pod)).containsExactly("a1", "b1");
    cluster.cluster().removeNamespace("other");
    assertThat(cluster.allowed(AFFINITY, pod)).containsExactly("a1", "a2", "b1");
  }

  @Test
  void saysWhyANodeIsRefused() {
    cluster.with(app("db").on("a1"), far(app("log"), term("web", HOST)).on("a2"));
    PodFixture pod = far(near(app("web"), term("db", ZONE)), term("db", HOST));
    assertThat(cluster.refusals(AFFINITY, pod))
        .isEqualTo(
            Map.of(
                "a1", "node(s) didn't match pod anti-affinity rules",
                "a2", "node(s) didn't satisfy existing pods anti-affinity rules",
                "b1", "node(s) didn't match pod affinity rules"));
  }

  @Test
  void hasNothingToSayWhereNobodyHasAffinity() {
    cluster.with(app("db").on("a1"));
    PodInfo pod = cluster.read(app("web"));
    assertThat(AFFINITY.filter(pod, cluster.cluster())).isNull();
    assertThat(AFFINITY.score(pod, cluster.cluster())).isNull();
  }

  @Test
  void aFilterKnowsWhatWasTakenAwayAndPutBack() {
    cluster.with(far(app("log"), term("web", HOST)).on("a1"));
    PodInfo pod = cluster.read(app("web"));
    NodeFilter filter = Objects.requireNonNull(AFFINITY.filter(pod, cluster.cluster()));
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

  static Stream<Arguments> preferences() {
    PodFixture web = app("web");
    return Stream.of(
        argumentSet(
            "it likes db",
            prefers(web, "podAffinity", 10, term("db", ZONE)),
            Map.of("a1", 100L, "a2", 100L, "b1", 0L)),
        argumentSet(
            "it dislikes db",
            prefers(web, "podAntiAffinity", 10, term("db", HOST)),
            Map.of("a1", 0L, "a2", 100L, "b1", 100L)),
        argumentSet(
            "a pod that is there likes it", app("friend"), Map.of("a1", 0L, "a2", 0L, "b1", 100L)),
        argumentSet(
            "a pod that is there dislikes it",
            app("foe"),
            Map.of("a1", 0L, "a2", 100L, "b1", 100L)),
        argumentSet(
            "a pod that is there requires it",
            app("master"),
            Map.of("a1", 0L, "a2", 100L, "b1", 0L)),
        argumentSet("nobody cares", app("other"), Map.of()));
  }

  @ParameterizedTest
  @MethodSource("preferences")
  void prefersNodesNearWhatIsLiked(PodFixture pod, Map<String, Long> scores) {
    cluster.with(
        app("db").on("a1"),
        prefers(app("fan"), "podAffinity", 5, term("friend", HOST)).on("b1"),
        prefers(app("rival"), "podAntiAffinity", 5, term("foe", HOST)).on("a1"),
        near(app("slave"), term("master", HOST)).on("a2"));
    assertThat(cluster.scores(AFFINITY, pod)).isEqualTo(scores);
  }

  @Test
  void mayIgnoreWhatOthersPrefer() {
    InterPodAffinity plugin =
        new InterPodAffinity(
            AffinityArgs.read(json("{'ignorePreferredTermsOfExistingPods': true}")));
    cluster.with(prefers(app("fan"), "podAffinity", 5, term("web", HOST)).on("b1"));
    assertThat(cluster.scores(plugin, app("web"))).isEmpty();
    assertThat(cluster.scores(AFFINITY, app("web"))).isNotEmpty();
  }

  @Test
  void mayNotCountWhatOthersRequire() {
    InterPodAffinity plugin =
        new InterPodAffinity(AffinityArgs.read(json("{'hardPodAffinityWeight': 0}")));
    cluster.with(near(app("slave"), term("web", HOST)).on("b1"));
    assertThat(cluster.scores(plugin, app("web"))).isEmpty();
  }
}
