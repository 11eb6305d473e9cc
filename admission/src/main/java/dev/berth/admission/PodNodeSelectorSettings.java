package dev.berth.admission;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What the file of PodNodeSelector says.
 *
 * @param usual the labels of the nodes for pods of a namespace that says nothing
 * @param allowed by namespace, the labels beyond which its pods may ask for none
 */
record PodNodeSelectorSettings(JsonObject usual, Map<String, JsonObject> allowed) {
  static final PodNodeSelectorSettings NONE =
      new PodNodeSelectorSettings(JsonObject.EMPTY, Map.of());

  private static final String ALL = "podNodeSelectorPluginConfig";
  private static final String USUAL = "clusterDefaultNodeSelector";

  PodNodeSelectorSettings {
    allowed = Map.copyOf(allowed);
  }

  /** Upstream's file has neither kind nor version, and a namespace is a field. */
  static PodNodeSelectorSettings read(ConfigFields fields) {
    fields.onlyHas(Set.of(ALL));
    ConfigFields selectors = fields.object(ALL);
    JsonObject usual = JsonObject.EMPTY;
    Map<String, JsonObject> allowed = new HashMap<>();
    for (String name : selectors.tree().names()) {
      String text = selectors.text(name, "");
      Optional<JsonObject> labels = labels(text);
      if (labels.isEmpty()) {
        selectors.invalid(name, text, "must be a list of labels such as env=prod,disk=ssd");
      } else if (name.equals(USUAL)) {
        usual = labels.get();
      } else {
        allowed.put(name, labels.get());
      }
    }
    return new PodNodeSelectorSettings(usual, allowed);
  }

  /** The labels of a text such as {@code env=prod,disk=ssd}; empty if it is none. */
  static Optional<JsonObject> labels(String text) {
    JsonObject labels = JsonObject.EMPTY;
    for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
      String[] parts = pair.split("=", -1);
      String key = parts[0].strip();
      String value = parts.length == 2 ? parts[1].strip() : "";
      if (parts.length != 2
          || !NameRules.qualifiedName(key).isEmpty()
          || !NameRules.labelValue(value).isEmpty()) {
        return Optional.empty();
      }
      labels = labels.with(key, value);
    }
    return Optional.of(labels);
  }

  /** Whether pods of a namespace may ask for nodes with these labels. */
  boolean allows(String namespace, JsonObject labels) {
    JsonObject all = allowed.getOrDefault(namespace, JsonObject.EMPTY);
    return all.isEmpty()
        || labels.names().stream().allMatch(key -> Objects.equals(labels.get(key), all.get(key)));
  }
}
