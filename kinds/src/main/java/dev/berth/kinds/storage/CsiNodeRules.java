package dev.berth.kinds.storage;

import dev.berth.kinds.resource.DriverNames;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The drivers of a node: one that is there only changes in how many volumes it takes. */
final class CsiNodeRules implements ResourceRules {
  private static final FieldPath DRIVERS = FieldPath.of("spec", "drivers");
  private static final int LONGEST_NODE_ID = 256;

  @Override
  public List<FieldError> validate(JsonObject node) {
    FieldErrorList problems = new FieldErrorList();
    List<JsonObject> drivers = node.object("spec").array("drivers").objects();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < drivers.size(); i++) {
      driver(drivers.get(i), DRIVERS.index(i), names, problems);
    }
    return problems.all();
  }

  private static void driver(
      JsonObject driver, FieldPath at, Set<String> names, FieldErrorList problems) {
    String name = driver.text("name", "");
    DriverNames.validate(name, at.field("name"), problems);
    if (problems.present(driver, "nodeID", at)) {
      String id = driver.text("nodeID", "");
      if (id.length() > LONGEST_NODE_ID) {
        problems.invalid(
            at.field("nodeID"), id, "must be %d characters or less".formatted(LONGEST_NODE_ID));
      }
    }
    problems.notNegative(driver.object("allocatable"), "count", at.field("allocatable"));
    if (!names.add(name)) {
      problems.duplicate(at.field("name"), name);
    }
    Set<String> keys = new HashSet<>();
    for (String key : driver.array("topologyKeys").texts()) {
      if (key.isEmpty()) {
        problems.required(at, "");
      }
      if (!keys.add(key)) {
        problems.duplicate(at, key);
      }
      problems.invalid(at, key, NameRules.qualifiedName(key));
    }
  }

  /** As Kubernetes shows a driver in messages. */
  private static JsonObject shown(JsonObject driver) {
    JsonArray keys = driver.array("topologyKeys");
    return new JsonObject.Builder()
        .put("Name", driver.text("name", ""))
        .put("NodeID", driver.text("nodeID", ""))
        .put("TopologyKeys", keys.isEmpty() ? JsonNull.NULL : keys)
        .put("Allocatable", JsonNull.NULL)
        .build();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject node, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    Map<String, JsonObject> now = new HashMap<>();
    node.object("spec")
        .array("drivers")
        .objects()
        .forEach(driver -> now.put(driver.text("name", ""), driver.without("allocatable")));
    for (JsonObject before : old.object("spec").array("drivers").objects()) {
      JsonObject after = now.get(before.text("name", ""));
      if (after != null && !after.equals(before.without("allocatable"))) {
        problems.invalid(DRIVERS, shown(after), "field is immutable");
      }
    }
    return problems.all();
  }
}
