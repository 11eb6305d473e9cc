package dev.berth.admission;

import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pod's priority is that of its class. */
class PriorityTest {
  private static final String GROUP = "scheduling.k8s.io";
  private static final String PLURAL = "priorityclasses";

  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  private JsonObject pod(String fields) {
    return cluster
        .create(
            "pods",
            "{'metadata':{'name':'p'},'spec':{%s'containers':[{'name':'c','image':'i'}]}}"
                .formatted(fields))
        .tree();
  }

  private JsonObject priorityClass(String json) {
    return cluster.create(GROUP, PLURAL, "", json).tree();
  }

  @Test
  void withoutClassesThePriorityIsZero() {
    JsonObject pod = pod("");
    assertThat(at(pod, "spec.priority")).isEqualTo("0");
    assertThat(at(pod, "spec.preemptionPolicy")).isEqualTo("PreemptLowerPriority");
    assertThat(pod.object("spec").has("priorityClassName")).isFalse();
  }

  @Test
  void theClassSaysPriorityAndPreemption() {
    priorityClass("{'metadata':{'name':'high'},'value':1000,'preemptionPolicy':'Never'}");
    JsonObject pod = pod("'priorityClassName':'high',");
    assertThat(at(pod, "spec.priority")).isEqualTo("1000");
    assertThat(at(pod, "spec.preemptionPolicy")).isEqualTo("Never");
  }

  @Test
  void whoNamesNoneHasTheDefault() {
    priorityClass("{'metadata':{'name':'usual'},'value':10,'globalDefault':true}");
    JsonObject pod = pod("");
    assertThat(at(pod, "spec.priority")).isEqualTo("10");
    assertThat(at(pod, "spec.priorityClassName")).isEqualTo("usual");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'priorityClassName':'ghost',|no PriorityClass with name ghost was found",
        "'priority':7,|the integer value of priority (7) must not be provided in pod spec; priority"
            + " admission controller computed 0 from the given PriorityClass name",
        "'preemptionPolicy':'Never',|the string value of PreemptionPolicy (Never) must not be"
            + " provided in pod spec; priority admission controller computed PreemptLowerPriority"
            + " from the given PriorityClass name",
      })
  void nobodySetsItByHand(String fields, String problem) {
    assertThat(refused(() -> pod(fields)).message())
        .isEqualTo("pods \"p\" is forbidden: " + problem);
  }

  @Test
  void thereIsOneDefaultAtMost() {
    priorityClass("{'metadata':{'name':'a'},'value':10,'globalDefault':true}");
    assertThat(
            refused(() ->
                    priorityClass("{'metadata':{'name':'b'},'value':20,'globalDefault':true}"))
                .message())
        .isEqualTo(
            "priorityclasses.scheduling.k8s.io \"b\" is forbidden: PriorityClass a is already"
                + " marked as default. Only one default can exist");
  }

  @Test
  void theSystemsClassesAreKnownAndStay() {
    priorityClass("{'metadata':{'name':'system-node-critical'},'value':2000001000}");
    assertThat(
            refused(() ->
                    cluster.registry.delete(
                        cluster.resource(GROUP, PLURAL),
                        ObjectName.of("system-node-critical"),
                        DeletionOptions.DEFAULT))
                .message())
        .isEqualTo(
            "priorityclasses.scheduling.k8s.io \"system-node-critical\" is forbidden: this is a"
                + " system priority class and cannot be deleted");
    assertThat(
            refused(() ->
                    priorityClass("{'metadata':{'name':'system-cluster-critical'},'value':5}"))
                .message())
        .endsWith(
            "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for"
                + " system use only. error: value of system-cluster-critical PriorityClass must be"
                + " 2000000000");
    assertThat(refused(() -> priorityClass("{'metadata':{'name':'system-x'},'value':5}")).message())
        .endsWith("error: system-x is not a known system priority class");
  }

  @Test
  void aValueNeverChanges() {
    priorityClass("{'metadata':{'name':'a'},'value':10}");
    assertThat(
            refused(() ->
                    cluster.registry.modify(
                        cluster.resource(GROUP, PLURAL),
                        ObjectName.of("a"),
                        WriteOptions.DEFAULT,
                        c -> c.with("value", 11L)))
                .message())
        .endsWith("value: Forbidden: may not be changed in an update.");
  }

  @Test
  void whoReplacesAPodDoesNotTakeItsPriorityAway() {
    priorityClass("{'metadata':{'name':'high'},'value':1000}");
    pod("'priorityClassName':'high',");
    JsonObject changed =
        cluster
            .registry
            .modify(
                cluster.core("pods"),
                TestCluster.named("p"),
                WriteOptions.DEFAULT,
                p -> p.with("spec", p.object("spec").without("priority")))
            .tree();
    assertThat(at(changed, "spec.priority")).isEqualTo("1000");
  }
}
