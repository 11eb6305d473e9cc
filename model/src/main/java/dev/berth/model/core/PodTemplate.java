package dev.berth.model.core;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What a controller makes its pods from. All but a few fields is open content, which its pods get
 * as it is.
 */
public record PodTemplate(JsonObject tree) {

  public JsonObject labels() {
    return Metadata.of(tree).labels();
  }

  /** What its pods get of its metadata: labels, annotations and finalizers. */
  public JsonObject podMetadata() {
    JsonObject metadata = Metadata.of(tree).tree();
    return new JsonObject.Builder()
        .putIfPresent("labels", metadata.get("labels"))
        .putIfPresent("annotations", metadata.get("annotations"))
        .putIfPresent("finalizers", metadata.get("finalizers"))
        .build();
  }

  public PodTemplate withLabel(String key, String value) {
    return withLabels(labels -> labels.with(key, value));
  }

  public PodTemplate withoutLabel(String key) {
    return withLabels(labels -> labels.without(key));
  }

  private PodTemplate withLabels(UnaryOperator<JsonObject> change) {
    return new PodTemplate(tree.update("metadata", metadata -> metadata.update("labels", change)));
  }

  /** The template with further volumes, which take the places of those of the same names. */
  public PodTemplate withVolumes(List<JsonObject> further) {
    if (further.isEmpty()) {
      return this;
    }
    List<JsonObject> volumes = new ArrayList<>(further);
    for (JsonObject volume : spec().array("volumes").objects()) {
      String name = volume.text("name", "");
      if (further.stream().noneMatch(other -> other.text("name", "").equals(name))) {
        volumes.add(volume);
      }
    }
    return withSpec(spec().with("volumes", JsonArray.copyOf(volumes)));
  }

  /**
   * The template with a variable in the environment of each container that has none of that name.
   *
   * @param valueFrom where its value comes from
   */
  public PodTemplate withVariable(String name, JsonObject valueFrom) {
    JsonObject variable =
        new JsonObject.Builder().put("name", name).put("valueFrom", valueFrom).build();
    JsonObject spec = spec();
    for (String list : List.of("initContainers", "containers")) {
      if (spec.has(list)) {
        List<JsonObject> containers = new ArrayList<>();
        for (JsonObject container : spec.array(list).objects()) {
          JsonArray variables = container.array("env");
          boolean isSet =
              variables.objects().stream().anyMatch(other -> other.text("name", "").equals(name));
          containers.add(isSet ? container : container.with("env", variables.append(variable)));
        }
        spec = spec.with(list, JsonArray.copyOf(containers));
      }
    }
    return withSpec(spec);
  }

  private PodTemplate withSpec(JsonObject spec) {
    return new PodTemplate(tree.with("spec", spec));
  }

  /** Who starts containers again; empty if it does not say. */
  public String restartPolicy() {
    return spec().text("restartPolicy", "");
  }

  /** The specification as the tree has it; {@link PodSpecView#read} reads it. */
  public JsonObject spec() {
    return tree.object("spec");
  }
}
