package dev.berth.admission;

import static dev.berth.registry.fixture.TestCluster.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods have the zone and the region of their node as labels. */
class PodTopologyLabelsTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  @BeforeEach
  void createNodes() {
    cluster.create(
        "nodes",
        "{'metadata':{'name':'n1','labels':{'topology.kubernetes.io/zone':'z','topology.kubernetes.io/region':'r','disk':'ssd'}}}");
    cluster.create("nodes", "{'metadata':{'name':'nowhere'}}");
  }

  private static JsonObject labels(JsonObject pod) {
    return Metadata.of(pod).labels();
  }

  private JsonObject bind(String pod, String node) {
    return cluster
        .registry
        .modify(
            cluster.core("pods"),
            named(pod),
            WriteOptions.DEFAULT.subresource("binding"),
            tree -> tree.with("spec", tree.object("spec").with("nodeName", node)))
        .tree();
  }

  @Test
  void aPodGetsThemWhenItIsBound() {
    assertThat(labels(cluster.pod("p", "").tree()).isEmpty()).isTrue();
    assertThat(labels(bind("p", "n1")))
        .hasToString(
            "{\"topology.kubernetes.io/zone\":\"z\",\"topology.kubernetes.io/region\":\"r\"}");
  }

  @Test
  void aPodThatIsCreatedOnANodeHasThemAtOnce() {
    JsonObject pod =
        cluster
            .create(
                "pods",
                "{'metadata':{'name':'p','labels':{'topology.kubernetes.io/zone':'lie'}},'spec':{'nodeName':'n1','containers':[{'name':'c','image':'i'}]}}")
            .tree();
    assertThat(labels(pod).text("topology.kubernetes.io/zone", "")).isEqualTo("z");
  }

  @Test
  void aNodeWithoutThemGivesNone() {
    cluster.pod("p", "");
    assertThat(labels(bind("p", "nowhere")).isEmpty()).isTrue();
    assertThat(labels(cluster.pod("q", "gone").tree()).isEmpty()).isTrue();
  }
}
