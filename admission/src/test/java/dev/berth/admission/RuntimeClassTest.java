package dev.berth.admission;

import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pod gets from its RuntimeClass. */
class RuntimeClassTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  @BeforeEach
  void createClasses() {
    cluster.create(
        "node.k8s.io",
        "runtimeclasses",
        "",
        "{'metadata':{'name':'vm'},'handler':'vm','overhead':{'podFixed':{'cpu':'250m','memory':'120Mi'}},"
            + "'scheduling':{'nodeSelector':{'vm':'yes'},'tolerations':[{'key':'vm','operator':'Exists','effect':'NoSchedule'}]}}");
    cluster.create(
        "node.k8s.io", "runtimeclasses", "", "{'metadata':{'name':'plain'},'handler':'h'}");
  }

  private JsonObject pod(String fields) {
    return cluster
        .create(
            "pods",
            "{'metadata':{'name':'p'},'spec':{%s'containers':[{'name':'c','image':'i'}]}}"
                .formatted(fields))
        .tree();
  }

  @Test
  void aPodGetsOverheadSelectorAndTolerations() {
    JsonObject pod =
        pod(
            "'runtimeClassName':'vm','nodeSelector':{'disk':'ssd'},'tolerations':[{'key':'own','operator':'Exists'}],");
    assertThat(at(pod, "spec.overhead")).isEqualTo("{\"cpu\":\"250m\",\"memory\":\"120Mi\"}");
    assertThat(at(pod, "spec.nodeSelector")).isEqualTo("{\"disk\":\"ssd\",\"vm\":\"yes\"}");
    assertThat(at(pod, "spec.tolerations[0].key")).isEqualTo("own");
    assertThat(pod.object("spec").array("tolerations").objects())
        .anySatisfy(toleration -> assertThat(toleration.text("key", "")).isEqualTo("vm"));
  }

  @Test
  void theSameAmountInOtherWordsIsTheSame() {
    assertThat(
            at(
                pod("'runtimeClassName':'vm','overhead':{'cpu':'0.25','memory':'120Mi'},"),
                "spec.overhead.cpu"))
        .isEqualTo("250m");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'runtimeClassName':'none',|pod rejected: RuntimeClass \"none\" not found",
        "'runtimeClassName':'vm','overhead':{'cpu':'1'},|pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        "'runtimeClassName':'plain','overhead':{'cpu':'1'},|pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
        "'overhead':{'cpu':'1'},|pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
        "'runtimeClassName':'vm','nodeSelector':{'vm':'no'},|conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no",
      })
  void aPodCannotSayOtherwise(String fields, String expected) {
    assertThat(refused(() -> pod(fields)).message())
        .isEqualTo("pods \"p\" is forbidden: " + expected);
  }

  @Test
  void aClassWithoutAnyOfItChangesNothing() {
    assertThat(pod("'runtimeClassName':'plain',").object("spec").has("overhead")).isFalse();
  }
}
