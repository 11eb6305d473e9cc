package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod is resized as a whole only on a node that says that it can do that. */
class NodeDeclaredFeatureValidatorTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  @BeforeEach
  void createNodes() {
    node("old", "[]");
    node("new", "['InPlacePodLevelResourcesVerticalScaling']");
  }

  private void node(String name, String features) {
    cluster.create(
        "nodes",
        "{'metadata':{'name':'%s'},'status':{'allocatable':{'cpu':'4','memory':'8Gi'},'declaredFeatures':%s}}"
            .formatted(name, features));
  }

  /** A pod that is limited as a whole. */
  private void pod(String nodeName) {
    pod(nodeName, "'resources':{'limits':{'cpu':'1','memory':'1Gi'}},");
  }

  private void pod(String nodeName, String fields) {
    cluster.create(
        "pods",
        ("{'metadata':{'name':'p'},'spec':{'nodeName':'%s',%s'containers':[{'name':'c','image':'i',"
                + "'resources':{'requests':{'memory':'512Mi'}}}]}}")
            .formatted(nodeName, fields));
  }

  /** Changes the pod by replacing a text of it. */
  private JsonObject resize(String before, String after) {
    return cluster
        .registry
        .modify(
            cluster.core("pods"),
            named("p"),
            WriteOptions.DEFAULT.subresource("resize"),
            pod -> tree(pod.toString().replace(before, after).replace('"', '\'')))
        .tree();
  }

  @Test
  void aNodeThatDeclaresItIsAsked() {
    pod("new");
    assertThat(resize("\"cpu\":\"1\"", "\"cpu\":\"2\"").object("spec").object("resources"))
        .asString()
        .contains("\"cpu\":\"2\"");
  }

  @Test
  void aNodeThatDoesNotIsNot() {
    pod("old");
    assertThat(refused(() -> resize("\"cpu\":\"1\"", "\"cpu\":\"2\"")).message())
        .isEqualTo(
            "pods \"p\" is forbidden: pod update requires features"
                + " InPlacePodLevelResourcesVerticalScaling which are not available on node"
                + " \"old\"");
  }

  /** Containers are resized by any node. */
  @Test
  void whatNeedsNoFeatureIsAllowed() {
    pod("old", "");
    assertThat(resize("\"512Mi\"", "\"256Mi\"").toString()).contains("256Mi");
  }

  @Test
  void aNodeThatIsGoneIsNamed() {
    pod("gone");
    assertThat(refused(() -> resize("\"cpu\":\"1\"", "\"cpu\":\"2\"")).message())
        .isEqualTo("pods \"p\" is forbidden: node \"gone\" not found");
  }

  @Test
  void aPodThatWaitsForANodeMayBeChanged() {
    pod("");
    assertThat(resize("\"cpu\":\"1\"", "\"cpu\":\"2\"").toString()).contains("\"cpu\":\"2\"");
  }
}
