package dev.berth.policy.limit;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.namespace.LimitRangeView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What a LimitRange gives to containers that leave out requests or limits. An annotation of the pod
 * says what was given.
 *
 * <p>It works on trees: amounts are given as the range writes them, and containers may have fields
 * that no view knows.
 */
public final class ContainerDefaults {
  private ContainerDefaults() {}

  /** A pod with what it left out. */
  public static JsonObject fill(JsonObject pod, LimitRangeView limitRange) {
    JsonObject requests = JsonObject.EMPTY;
    JsonObject limits = JsonObject.EMPTY;
    for (LimitRangeView.Item item : limitRange.items()) {
      if (item.type().equals(LimitRangeView.CONTAINER)) {
        requests = over(requests, item.defaultRequests());
        limits = over(limits, item.defaultLimits());
      }
    }
    if (requests.isEmpty() && limits.isEmpty()) {
      return pod;
    }
    List<String> notes = new ArrayList<>();
    JsonObject spec = pod.object("spec");
    spec = fill(spec, "containers", "container", requests, limits, notes);
    spec = fill(spec, "initContainers", "init container", requests, limits, notes);
    if (notes.isEmpty()) {
      return pod;
    }
    String note = "LimitRanger plugin set: " + String.join("; ", notes);
    return Metadata.annotate(pod, WellKnownAnnotations.LIMIT_RANGER, note).with("spec", spec);
  }

  private static JsonObject over(JsonObject amounts, JsonObject others) {
    return others.withMissing(amounts);
  }

  private static JsonObject fill(
      JsonObject spec,
      String list,
      String word,
      JsonObject requests,
      JsonObject limits,
      List<String> notes) {
    JsonArray containers =
        spec.array(list)
            .mapObjects(container -> {
              JsonObject resources = container.object("resources");
              resources = fill(resources, "requests", requests, word, container, notes);
              resources = fill(resources, "limits", limits, word, container, notes);
              return container.with("resources", resources);
            });
    return containers.isEmpty() ? spec : spec.with(list, containers);
  }

  private static JsonObject fill(
      JsonObject resources,
      String field,
      JsonObject defaults,
      String word,
      JsonObject container,
      List<String> notes) {
    JsonObject amounts = resources.object(field);
    TreeSet<String> added = new TreeSet<>(defaults.names());
    amounts.names().forEach(added::remove);
    if (added.isEmpty()) {
      return resources;
    }
    String singular = field.substring(0, field.length() - 1);
    notes.add(
        "%s %s for %s %s"
            .formatted(String.join(", ", added), singular, word, container.text("name", "")));
    return resources.with(field, amounts.withMissing(defaults));
  }
}
