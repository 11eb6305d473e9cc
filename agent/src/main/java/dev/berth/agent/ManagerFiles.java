package dev.berth.agent;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the managers of processors, memory and devices have given to which container, read from the
 * files that they keep, in a kubelet's formats. A manager without a file has given nothing.
 */
final class ManagerFiles {
  private final Path root;

  /** The names of pods by their uids. */
  private final Map<String, String> names;

  private ManagerFiles(Path root, Map<String, String> names) {
    this.root = root;
    this.names = names;
  }

  static JsonObject read(Path root, List<JsonObject> pods) {
    Map<String, String> names =
        pods.stream()
            .map(Metadata::of)
            .collect(
                Collectors.toMap(
                    Metadata::uid, pod -> pod.namespace() + "/" + pod.name(), (one, _) -> one));
    ManagerFiles files = new ManagerFiles(root, names);
    return JsonObject.of("cpu", files.cpus())
        .with("memory", files.memory())
        .with("device", files.devices());
  }

  private JsonObject file(String name) {
    Path file = root.resolve(name);
    try {
      return Files.exists(file)
          ? JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED)
          : JsonObject.EMPTY;
    } catch (IOException | JsonException e) {
      return JsonObject.of("problem", "%s cannot be read: %s".formatted(file, e.getMessage()));
    }
  }

  private JsonObject cpus() {
    JsonObject state = file("cpu_manager_state");
    return manager(state, "none").with("sharedCpus", state.text("defaultCpuSet", ""));
  }

  private JsonObject memory() {
    return manager(file("memory_manager_state"), "None");
  }

  /** Entries by pod and container; a problem instead of them if there is one. */
  private JsonObject manager(JsonObject state, String otherwise) {
    List<JsonObject> assignments = new ArrayList<>();
    state
        .object("entries")
        .forEach((pod, containers) -> {
          if (containers instanceof JsonObject each) {
            each.forEach((container, given) ->
                assignments.add(assignment(pod, container).with("given", given)));
          }
        });
    JsonObject shown =
        JsonObject.of("policy", state.text("policyName", otherwise))
            .with("assignments", JsonArray.copyOf(assignments));
    return state.has("problem") ? shown.with("problem", state.text("problem", "")) : shown;
  }

  private JsonObject devices() {
    JsonObject state = file("device-assignments.json");
    List<JsonObject> assignments = new ArrayList<>();
    for (JsonObject each : state.array("assignments").objects()) {
      assignments.add(
          assignment(each.text("podUid", ""), each.text("container", ""))
              .with("resource", each.text("resource", ""))
              .with(
                  "given",
                  JsonArray.copyOf(
                      each.array("devices").objects().stream()
                          .map(device -> device.text("id", ""))
                          .toList())));
    }
    return JsonObject.of("resources", state.array("registered"))
        .with("assignments", JsonArray.copyOf(assignments));
  }

  private JsonObject assignment(String podUid, String container) {
    return JsonObject.of("pod", names.getOrDefault(podUid, podUid)).with("container", container);
  }
}
