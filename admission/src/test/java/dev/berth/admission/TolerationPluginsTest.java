package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.DefaultTolerations;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What tolerations and taints are given, and which may be had. */
class TolerationPluginsTest {
  private final TestCluster cluster =
      new TestCluster(
          AdmissionPlugins.choose(
                  List.of(
                      "PodTolerationRestriction", "ExtendedResourceToleration", "PodNodeSelector"),
                  List.of())
              ::chain);

  private JsonObject pod(String namespace, String fields, String resources) {
    return cluster
        .create(
            "",
            "pods",
            namespace,
            "{'metadata':{'name':'p'},'spec':{%s'containers':[{'name':'c','image':'i','resources':{%s}}]}}"
                .formatted(fields, resources))
        .tree();
  }

  /** As key:operator:effect:seconds. */
  private static List<String> tolerations(JsonObject pod) {
    return pod.object("spec").array("tolerations").objects().stream()
        .map(Toleration::read)
        .map(t ->
            t.key().replace("node.kubernetes.io/", "")
                + ":"
                + t.operator().text()
                + ":"
                + (t.effect() == null ? "" : t.effect().text())
                + ":"
                + (t.tolerationSeconds() == null ? "" : t.tolerationSeconds()))
        .toList();
  }

  @Test
  void everyPodToleratesNodeProblemsForFiveMinutes() {
    assertThat(tolerations(pod("default", "", "")))
        .containsExactly("not-ready:Exists:NoExecute:300", "unreachable:Exists:NoExecute:300");
  }

  @Test
  void orForAsLongAsFlagsSay() {
    DefaultTolerations tolerations =
        new DefaultTolerations(Duration.ofSeconds(30), Duration.ofSeconds(60));
    TestCluster other = new TestCluster(AdmissionPlugins.standard().with(tolerations)::chain);
    JsonObject pod =
        other
            .create(
                "",
                "pods",
                "default",
                "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}")
            .tree();
    assertThat(tolerations(pod))
        .containsExactly("not-ready:Exists:NoExecute:30", "unreachable:Exists:NoExecute:60");
  }

  @Test
  void aPodThatRequestsSomethingToleratesMemoryPressure() {
    assertThat(tolerations(pod("default", "", "'requests':{'cpu':'1'}")))
        .contains("memory-pressure:Exists:NoSchedule:");
  }

  /** As whoever applies a manifest again does, which does not have what was added. */
  @Test
  void defaultsComeBackWhenAListLeavesThemOut() {
    pod("default", "", "'requests':{'cpu':'1'}");
    String own = "{'key':'mine','operator':'Exists','effect':'NoExecute'}";
    JsonObject changed =
        cluster
            .registry
            .modify(
                cluster.core("pods"),
                new ObjectName("default", "p"),
                WriteOptions.DEFAULT,
                p -> p.with("spec", p.object("spec").with("tolerations", JsonArray.of(tree(own)))))
            .tree();
    assertThat(tolerations(changed))
        .containsExactlyInAnyOrder(
            "mine:Exists:NoExecute:",
            "not-ready:Exists:NoExecute:300",
            "unreachable:Exists:NoExecute:300",
            "memory-pressure:Exists:NoSchedule:");
  }

  /** What is wrong is what it asks for, not that it does not tolerate what it was made to. */
  @Test
  void aPodIsNotBlamedForATolerationThatItWasGiven() {
    pod("default", "", "'requests':{'cpu':'1'}");
    JsonObject bare = tree("{'containers':[{'name':'c','image':'other'}]}");
    assertThatThrownBy(() ->
            cluster.registry.modify(
                cluster.core("pods"),
                new ObjectName("default", "p"),
                WriteOptions.DEFAULT,
                p -> p.with("spec", bare)))
        .hasMessageContaining("pod updates may not change fields other than")
        .hasMessageNotContaining("existing toleration can not be modified");
  }

  @Test
  void aPodsOwnTolerationCounts() {
    assertThat(
            tolerations(
                pod(
                    "default",
                    "'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Equal',"
                        + "'value':'x','effect':'NoExecute','tolerationSeconds':5}],",
                    "")))
        .containsExactly("not-ready:Equal:NoExecute:5", "unreachable:Exists:NoExecute:300");
  }

  @Test
  void aPodThatRequestsAnExtendedResourceToleratesItsTaint() {
    assertThat(
            tolerations(
                pod(
                    "default",
                    "",
                    "'limits':{'example.com/gpu':'1'},'requests':{'example.com/gpu':'1','cpu':'1'}")))
        .contains("example.com/gpu:Exists:NoSchedule:")
        .noneMatch(t -> t.startsWith("cpu"));
  }

  private static TestCluster configured(AdmissionConfiguration configuration) {
    return new TestCluster(
        AdmissionPlugins.choose(List.of("PodTolerationRestriction", "PodNodeSelector"), List.of())
                .with(configuration)
            ::chain);
  }

  /** A pod of a namespace that says nothing, and of one that has these annotations. */
  private static String pod(TestCluster cluster, String annotations, String fields) {
    cluster.create(
        "namespaces", "{'metadata':{'name':'team','annotations':{%s}}}".formatted(annotations));
    JsonObject spec =
        cluster
            .create(
                "",
                "pods",
                "team",
                "{'metadata':{'name':'p'},'spec':{%s'containers':[{'name':'c','image':'i'}]}}"
                    .formatted(fields))
            .tree()
            .object("spec");
    return spec.object("nodeSelector").toString().replace('"', '\'');
  }

  @Test
  void aFileSaysWhichNodesPodsAreForWhereNamespacesDoNot() {
    AdmissionConfiguration configuration =
        AdmissionConfiguration.NONE.with(
            new PodNodeSelectorSettings(
                tree("{'env':'prod'}"), Map.of("team", tree("{'env':'prod','disk':'ssd'}"))));
    assertThat(pod(configured(configuration), "", "")).isEqualTo("{'env':'prod'}");
    assertThat(pod(configured(configuration), "", "'nodeSelector':{'disk':'ssd'},"))
        .isEqualTo("{'disk':'ssd','env':'prod'}");
    assertThat(
            pod(configured(configuration), "'scheduler.alpha.kubernetes.io/node-selector':''", ""))
        .isEqualTo("{}");
    assertThat(
            refused(() -> pod(configured(configuration), "", "'nodeSelector':{'disk':'hdd'},"))
                .message())
        .isEqualTo(
            "pods \"p\" is forbidden: pod node label selector labels conflict with its namespace"
                + " whitelist");
    assertThat(
            refused(() -> pod(configured(configuration), "", "'nodeSelector':{'env':'test'},"))
                .message())
        .isEqualTo(
            "pods \"p\" is forbidden: pod node label selector conflicts with its namespace node"
                + " label selector");
  }

  @Test
  void aFileSaysWhatPodsMayTolerateWhereNamespacesDoNot() {
    AdmissionConfiguration configuration =
        AdmissionConfiguration.NONE.with(
            new PodTolerationSettings(
                List.of(Toleration.equal("mine", "a", TaintEffect.NO_SCHEDULE)),
                List.of(
                    Toleration.equal("mine", "a", TaintEffect.NO_SCHEDULE),
                    Toleration.exists("node.kubernetes.io/not-ready", TaintEffect.NO_EXECUTE),
                    Toleration.exists("node.kubernetes.io/unreachable", TaintEffect.NO_EXECUTE))));
    TestCluster usual = configured(configuration);
    pod(usual, "", "");
    assertThat(
            tolerations(usual.registry.get(usual.core("pods"), new ObjectName("team", "p")).tree()))
        .contains("mine:Equal:NoSchedule:");
    String other = "'tolerations':[{'key':'other','operator':'Exists'}],";
    assertThat(refused(() -> pod(configured(configuration), "", other)).message())
        .isEqualTo(
            "pods \"p\" is forbidden: pod tolerations (possibly merged with namespace default"
                + " tolerations) conflict with its cluster whitelist");
    pod(
        configured(configuration),
        "'scheduler.alpha.kubernetes.io/tolerationsWhitelist':''",
        other);
  }

  @Test
  void aNewNodeIsTaintedNotReadyOnce() {
    for (String spec :
        List.of(
            "{}", "{'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}]}")) {
      JsonObject node =
          cluster.create("nodes", "{'metadata':{'name':'n'},'spec':" + spec + "}").tree();
      assertThat(node.object("spec").array("taints").objects())
          .extracting(taint -> taint.text("key") + ":" + taint.text("effect"))
          .containsExactly("node.kubernetes.io/not-ready:NoSchedule");
      cluster.registry.delete(cluster.core("nodes"), ObjectName.of("n"), DeletionOptions.DEFAULT);
    }
  }

  private void namespace(String annotations) {
    cluster.create(
        "namespaces", "{'metadata':{'name':'team','annotations':{%s}}}".formatted(annotations));
  }

  @Test
  void aNamespaceGivesItsPodsTolerations() {
    namespace(
        "'scheduler.alpha.kubernetes.io/defaultTolerations':"
            + "'[{\\\"key\\\":\\\"dedicated\\\",\\\"operator\\\":\\\"Exists\\\"}]'");
    assertThat(
            tolerations(
                pod(
                    "team",
                    "'tolerations':[{'key':'dedicated','operator':'Equal','value':'a',"
                        + "'effect':'NoSchedule'}],",
                    "")))
        .contains("dedicated:Exists::")
        .doesNotContain("dedicated:Equal:NoSchedule:");
  }

  @Test
  void aNamespaceSaysWhichTolerationsItsPodsMayHave() {
    namespace(
        "'scheduler.alpha.kubernetes.io/tolerationsWhitelist':"
            + "'[{\\\"key\\\":\\\"dedicated\\\",\\\"operator\\\":\\\"Exists\\\"},"
            + "{\\\"operator\\\":\\\"Exists\\\",\\\"effect\\\":\\\"NoExecute\\\","
            + "\\\"tolerationSeconds\\\":300}]'");
    pod("team", "'tolerations':[{'key':'dedicated','operator':'Exists'}],", "");
    assertThat(
            refused(() ->
                    cluster.create(
                        "",
                        "pods",
                        "team",
                        "{'metadata':{'name':'q'},'spec':{'tolerations':[{'key':'other',"
                            + "'operator':'Exists'}],'containers':[{'name':'c','image':'i'}]}}"))
                .message())
        .isEqualTo(
            "pods \"q\" is forbidden: pod tolerations (possibly merged with namespace default"
                + " tolerations) conflict with its namespace whitelist");
  }

  @Test
  void aNamespaceSaysWhichNodesItsPodsAreFor() {
    namespace("'scheduler.alpha.kubernetes.io/node-selector':'env=prod'");
    assertThat(at(pod("team", "'nodeSelector':{'disk':'ssd'},", ""), "spec.nodeSelector"))
        .isEqualTo("{\"disk\":\"ssd\",\"env\":\"prod\"}");
    assertThat(
            refused(() ->
                    cluster.create(
                        "",
                        "pods",
                        "team",
                        "{'metadata':{'name':'q'},'spec':{'nodeSelector':{'env':'test'},"
                            + "'containers':[{'name':'c','image':'i'}]}}"))
                .message())
        .endsWith("pod node label selector conflicts with its namespace node label selector");
  }

  @Test
  void aPodThatWasMadeBeforeIsHeldToTheWhitelistWhenItChanges() {
    namespace("'a':'b'");
    pod("team", "'tolerations':[{'key':'other','operator':'Exists'}],", "");
    cluster.registry.modify(
        cluster.core("namespaces"),
        ObjectName.of("team"),
        WriteOptions.DEFAULT,
        n ->
            n.with(
                "metadata",
                n.object("metadata")
                    .with(
                        "annotations",
                        tree(
                            "{'scheduler.alpha.kubernetes.io/tolerationsWhitelist':"
                                + "'[{\\\"key\\\":\\\"x\\\"}]'}"))));
    assertThat(
            refused(() ->
                    cluster.registry.modify(
                        cluster.core("pods"),
                        new ObjectName("team", "p"),
                        WriteOptions.DEFAULT,
                        p ->
                            p.with(
                                "metadata",
                                p.object("metadata").with("labels", tree("{'a':'b'}")))))
                .code())
        .isEqualTo(403);
  }
}
