package dev.berth.registry;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields that somebody owns in one version of an object, and somebody else changes in another. */
class VersionedOwnershipTest {
  private static final WriteOptions CREATOR = writer("creator");
  private static final WriteOptions OTHER = writer("other");

  private final TestCluster cluster = new TestCluster();
  private final Resource core = cluster.core("events");
  private final Resource newer = cluster.resource("events.k8s.io", "events");
  private final Resource v1 = cluster.resource("autoscaling", "horizontalpodautoscalers");
  private final Resource v2 =
      cluster.registry.catalog().get("autoscaling", "v2", "horizontalpodautoscalers");

  private static WriteOptions writer(String name) {
    return new WriteOptions(false, "", name, User.SERVER);
  }

  private static List<String> owned(JsonObject object, String manager) {
    return object.object("metadata").array("managedFields").objects().stream()
        .filter(entry -> entry.text("manager", "").equals(manager))
        .flatMap(entry -> entry.object("fieldsV1").names().stream())
        .toList();
  }

  private JsonObject createEvent() {
    JsonObject event =
        tree(
            """
            {'apiVersion':'events.k8s.io/v1','kind':'Event','metadata':{'name':'e'},
             'eventTime':'2026-01-01T00:00:00.000000Z','reportingController':'a.b/c','reportingInstance':'i',
             'action':'a','reason':'r','note':'n','type':'Normal','regarding':{'kind':'Pod','name':'p','namespace':'default'}}\
            """);
    return cluster.registry.create(newer, "default", event, CREATOR).tree();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a field of another name is taken   | message        | f:note      | f:message
          and a third                        | source         | f:none      | f:source
          one of the same name, too          | reason         | f:reason    | f:reason
          """)
  void whoChangesAFieldInOneVersionTakesItInAll(
      String rule, String field, String lost, String gained) {
    List<String> before = owned(createEvent(), "creator");

    JsonObject event =
        cluster
            .registry
            .modify(
                core,
                named("e"),
                OTHER,
                old ->
                    field.equals("source")
                        ? old.with("source", JsonObject.of("component", "c"))
                        : old.with(field, "changed"))
            .tree();

    assertThat(owned(event, "creator"))
        .as(rule)
        .containsExactlyElementsOf(before.stream().filter(name -> !name.equals(lost)).toList());
    assertThat(owned(event, "other")).containsExactly(gained);
  }

  @Test
  void aConflictIsToldInTheVersionOfWhoOwnsTheField() {
    createEvent();
    JsonObject configuration =
        tree("{'apiVersion':'v1','kind':'Event','metadata':{'name':'e'},'message':'m'}");

    String message =
        refused(() ->
                cluster.registry.apply(
                    core, named("e"), new Registry.Applied(configuration, false, OTHER)))
            .message();

    assertThat(message)
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"creator\" using events.k8s.io/v1: .note");
  }

  @Test
  void whoTakesAnAutoscalersTargetInOneVersionTakesItInTheOther() {
    JsonObject scaler =
        tree(
            """
            {'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler','metadata':{'name':'h'},
             'spec':{'maxReplicas':3,'targetCPUUtilizationPercentage':50,
                     'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'}}}\
            """);
    cluster.registry.create(v1, "default", scaler, CREATOR);
    JsonObject metric =
        tree(
            "{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization','averageUtilization':70}}}");

    JsonObject changed =
        cluster
            .registry
            .modify(
                v2,
                named("h"),
                OTHER,
                old -> old.update("spec", spec -> spec.with("metrics", JsonArray.of(metric))))
            .tree();

    assertThat(at(changed, "spec.maxReplicas")).isEqualTo("3");
    JsonObject left =
        changed.object("metadata").array("managedFields").objects().stream()
            .filter(entry -> entry.text("manager", "").equals("creator"))
            .findFirst()
            .orElseThrow()
            .object("fieldsV1")
            .object("f:spec");
    // Who creates it owns its defaults, too.
    assertThat(left.names()).containsExactly("f:maxReplicas", "f:minReplicas", "f:scaleTargetRef");
  }
}
