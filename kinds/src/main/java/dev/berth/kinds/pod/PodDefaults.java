package dev.berth.kinds.pod;

import static dev.berth.kinds.resource.FieldRules.each;
import static dev.berth.kinds.resource.FieldRules.ifEmpty;
import static dev.berth.kinds.resource.FieldRules.orDefault;
import static dev.berth.kinds.resource.FieldRules.present;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.pod.ResourceNames;
import java.util.List;
import java.util.Map;

/** What is filled in where a pod leaves it out, and is left out in templates. */
final class PodDefaults {
  private PodDefaults() {}

  static JsonObject of(JsonObject spec) {
    JsonObject filled = PodSpecDefaults.of(spec);
    boolean hostNetwork = filled.flag("hostNetwork", false);
    for (String list : List.of("initContainers", "containers")) {
      filled =
          each(
              filled,
              list,
              container ->
                  present(
                      hostNetwork ? each(container, "ports", PodDefaults::hostPort) : container,
                      "resources",
                      PodDefaults::requests));
    }
    filled = resources(filled);
    return orDefault(filled, "enableServiceLinks", true);
  }

  private static JsonObject hostPort(JsonObject port) {
    Object number = port.get("containerPort");
    return number == null ? port : ifEmpty(port, "hostPort", number);
  }

  /** What is limited and not requested is requested as limited. */
  private static JsonObject requests(JsonObject resources) {
    JsonObject requests = resources.object("requests").withMissing(resources.object("limits"));
    return requests.isEmpty() ? resources : resources.with("requests", requests);
  }

  /** The pod as a whole asks for what its containers do, or else for what it is limited to. */
  private static JsonObject resources(JsonObject spec) {
    JsonObject resources = spec.object("resources");
    JsonObject limits = resources.object("limits");
    JsonObject requests = resources.object("requests");
    if (limits.isEmpty() && requests.isEmpty()) {
      return spec;
    }
    PodSpecView containers = PodSpecView.read(spec.without("resources").without("overhead"));
    for (Map.Entry<String, Quantity> limit : amounts(EffectiveResources.limits(containers))) {
      if (ResourceNames.isHugePages(limit.getKey())
          && !requests.has(limit.getKey())
          && !limits.has(limit.getKey())) {
        limits = limits.with(limit.getKey(), limit.getValue().toString());
      }
    }
    if (limits.isEmpty()) {
      return spec;
    }
    for (Map.Entry<String, Quantity> sum : amounts(EffectiveResources.requests(containers))) {
      String name = sum.getKey();
      if (!requests.has(name) && (name.equals("cpu") || name.equals("memory"))) {
        requests = requests.with(name, sum.getValue().toString());
      }
    }
    for (int i = 0; i < limits.size(); i++) {
      String name = limits.name(i);
      boolean known =
          name.equals("cpu") || name.equals("memory") || ResourceNames.isHugePages(name);
      requests = known ? orDefault(requests, name, limits.value(i)) : requests;
    }
    JsonObject filled = resources.with("limits", limits);
    return spec.with("resources", requests.isEmpty() ? filled : filled.with("requests", requests));
  }

  private static Iterable<Map.Entry<String, Quantity>> amounts(ResourceList list) {
    return list.amounts().entrySet();
  }
}
