package dev.berth.controllers.owned;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which controllers of a namespace select an object that nobody controls. */
public final class Selectors {
  /** By namespace. */
  private final Map<String, Map<ObjectName, LabelSelector>> selectors = new LinkedHashMap<>();

  public void put(ObjectName controller, LabelSelector selector) {
    selectors
        .computeIfAbsent(controller.namespace(), _ -> new LinkedHashMap<>())
        .put(controller, selector);
  }

  public void remove(ObjectName controller) {
    Map<ObjectName, LabelSelector> home = selectors.get(controller.namespace());
    if (home != null && home.remove(controller) != null && home.isEmpty()) {
      selectors.remove(controller.namespace());
    }
  }

  public Optional<LabelSelector> get(ObjectName controller) {
    return Optional.ofNullable(
        selectors.getOrDefault(controller.namespace(), Map.of()).get(controller));
  }

  /** The controllers that select an object with these labels, in the order they were first seen. */
  public List<ObjectName> matching(String namespace, JsonObject labels) {
    List<ObjectName> matching = new ArrayList<>();
    selectors
        .getOrDefault(namespace, Map.of())
        .forEach((controller, selector) -> {
          if (selector.matches(labels)) {
            matching.add(controller);
          }
        });
    return matching;
  }
}
