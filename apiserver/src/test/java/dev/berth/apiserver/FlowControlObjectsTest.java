package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.flowcontrol.BootstrapFlowControl;
import dev.berth.kinds.flowcontrol.FlowControlResources;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The flow schemas and priority levels that every cluster has stay as they should be. */
class FlowControlObjectsTest {
  private static final String LEVELS = FlowControlResources.PRIORITY_LEVELS;

  private final TestCluster cluster = new TestCluster();
  private final FlowControlObjects objects = new FlowControlObjects(cluster.registry);
  private final Resource levels = cluster.resource(FlowControlResources.GROUP, LEVELS);
  private final Resource schemas =
      cluster.resource(FlowControlResources.GROUP, FlowControlResources.FLOW_SCHEMAS);

  private JsonObject level(String name) {
    return cluster.registry.get(levels, ObjectName.of(name)).tree();
  }

  private long shares(String name) {
    return level(name)
        .object("spec")
        .object("limited")
        .integer("nominalConcurrencyShares")
        .orElse(0);
  }

  private void change(String name, UnaryOperator<JsonObject> change) {
    cluster.registry.modify(levels, ObjectName.of(name), WriteOptions.DEFAULT, change);
  }

  private static JsonObject withShares(JsonObject level, long shares) {
    return level.update(
        "spec",
        spec ->
            spec.update("limited", limited -> limited.with("nominalConcurrencyShares", shares)));
  }

  private static JsonObject annotated(JsonObject level, String value) {
    return Metadata.update(
        level,
        metadata ->
            metadata.with("annotations", JsonObject.of(BootstrapFlowControl.AUTO_UPDATE, value)));
  }

  @Test
  void makesAllOnceAndThenLeavesThemAlone() {
    assertThat(objects.ensure(Runnable::run)).isEqualTo(19);
    assertThat(objects.ensure(Runnable::run)).isZero();
    assertThat(cluster.registry.list(levels, ListOptions.ALL).entries()).hasSize(8);
    assertThat(cluster.registry.list(schemas, ListOptions.ALL).entries()).hasSize(11);
  }

  @Test
  void whatSomebodyChangedComesBackWithinAMinuteUnlessTheySayOtherwise() {
    objects.ensure(Runnable::run);
    objects.keep(cluster.time);
    change("workload-low", level -> withShares(level, 7));
    change("global-default", level -> annotated(withShares(level, 7), "false"));
    cluster.registry.delete(levels, ObjectName.of("system"), DeletionOptions.DEFAULT);
    cluster.time.advance(Duration.ofSeconds(61));
    assertThat(shares("workload-low")).isEqualTo(100);
    assertThat(shares("global-default")).isEqualTo(7);
    assertThat(shares("system")).isEqualTo(30);
  }

  @Test
  void withoutAWordWhatSomebodyChangedIsTheirs() {
    objects.ensure(Runnable::run);
    change("workload-low", level -> annotated(level, "perhaps"));
    change("global-default", level -> annotated(withShares(level, 7), "perhaps"));
    objects.ensure(Runnable::run);
    assertThat(Metadata.of(level("workload-low")).annotation(BootstrapFlowControl.AUTO_UPDATE))
        .contains("true");
    assertThat(Metadata.of(level("global-default")).annotation(BootstrapFlowControl.AUTO_UPDATE))
        .contains("false");
    assertThat(shares("global-default")).isEqualTo(7);
  }

  @Test
  void theSeatsOfExemptRequestsAreForTheOperatorToSay() {
    objects.ensure(Runnable::run);
    change(
        "exempt",
        level ->
            level.update(
                "spec",
                spec ->
                    spec.update("exempt", exempt -> exempt.with("nominalConcurrencyShares", 50L))));
    assertThat(objects.ensure(Runnable::run)).isZero();
  }

  @Test
  void whatIsNoLongerPartOfThemIsDeletedAndWhatIsSomebodysOwnIsNot() {
    String spec = "'spec':{'type':'Limited','limited':{'limitResponse':{'type':'Reject'}}}";
    cluster.create(
        FlowControlResources.GROUP,
        LEVELS,
        "",
        "{'metadata':{'name':'old','annotations':{'%s':'true'}},%s}"
            .formatted(BootstrapFlowControl.AUTO_UPDATE, spec));
    cluster.create(
        FlowControlResources.GROUP, LEVELS, "", "{'metadata':{'name':'mine'},%s}".formatted(spec));
    objects.ensure(Runnable::run);
    assertThat(cluster.registry.find(levels, ObjectName.of("old"))).isEmpty();
    assertThat(cluster.registry.find(levels, ObjectName.of("mine"))).isPresent();
  }
}
