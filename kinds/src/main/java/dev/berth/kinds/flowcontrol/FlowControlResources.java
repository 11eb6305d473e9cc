package dev.berth.kinds.flowcontrol;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The group flowcontrol.apiserver.k8s.io. */
public final class FlowControlResources {
  public static final String GROUP = "flowcontrol.apiserver.k8s.io";
  public static final String FLOW_SCHEMAS = "flowschemas";
  public static final String PRIORITY_LEVELS = "prioritylevelconfigurations";
  private static final String V1 = "v1";

  private FlowControlResources() {}

  public static List<Resource> all() {
    return List.of(flowSchemas(), priorityLevels());
  }

  private static Resource flowSchemas() {
    return Resource.clusterWide(GROUP, V1, "FlowSchema")
        .status()
        .countsGeneration()
        .rules(new FlowSchemaRules())
        .columns(
            Column.NAME,
            Column.text(
                "PriorityLevel",
                "The priority level of requests that match.",
                Cells.text("spec.priorityLevelConfiguration.name", "")),
            cell(
                "MatchingPrecedence",
                "Of the schemas that match a request, the one with the lowest number counts.",
                "spec.matchingPrecedence"),
            Column.text(
                "DistinguisherMethod",
                "What tells flows apart.",
                Cells.text("spec.distinguisherMethod.type", Cells.NONE)),
            Column.AGE,
            Column.text(
                "MissingPL",
                "Whether there is no priority level of that name.",
                FlowControlResources::dangling))
        .build();
  }

  private static String dangling(JsonObject schema) {
    return schema.object("status").array("conditions").objects().stream()
        .filter(condition -> condition.text("type", "").equals("Dangling"))
        .map(condition -> condition.text("status", ""))
        .findFirst()
        .orElse("?");
  }

  private static Resource priorityLevels() {
    return Resource.clusterWide(GROUP, V1, "PriorityLevelConfiguration")
        .status()
        .countsGeneration()
        .rules(new PriorityLevelRules())
        .columns(
            Column.NAME,
            Column.text(
                "Type", "Whether requests of the level are limited.", Cells.text("spec.type", "")),
            cell(
                "NominalConcurrencyShares",
                "The level's part of the server's seats.",
                "spec.limited.nominalConcurrencyShares"),
            cell("Queues", "How many queues there are.", queuing("queues")),
            cell("HandSize", "How many queues a flow has.", queuing("handSize")),
            cell(
                "QueueLengthLimit",
                "How many requests may wait in a queue.",
                queuing("queueLengthLimit")),
            Column.AGE)
        .build();
  }

  private static String queuing(String field) {
    return "spec.limited.limitResponse.queuing." + field;
  }

  private static Column cell(String name, String description, String path) {
    FieldPath at = FieldPath.of(path.split("\\."));
    return Column.timed(
        name,
        description,
        (object, now) -> {
          Object value = at.get(object);
          return value == null ? Cells.NONE : value;
        });
  }
}
