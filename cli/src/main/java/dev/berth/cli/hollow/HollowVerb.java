package dev.berth.cli.hollow;

import dev.berth.cli.arguments.UsageException;
import dev.berth.hollow.HollowAnnotations;
import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What hollow nodes can be made to do while they run, as the annotations for that.
 *
 * @param done what they were told, for a sentence
 */
record HollowVerb(Order order, String done) {
  static final List<String> NAMES = List.of("silence", "resume", "pressure", "not-ready");

  private static final Map<String, String> PRESSURES =
      Map.of(
          "memory", "MemoryPressure",
          "disk", "DiskPressure",
          "pid", "PIDPressure",
          "network", "NetworkUnavailable");

  /** The change to a node's annotations. */
  @FunctionalInterface
  interface Order {
    JsonObject annotations(JsonObject node);
  }

  static HollowVerb silence() {
    return new HollowVerb(_ -> JsonObject.of(HollowAnnotations.SILENT, "true"), "to be silent");
  }

  /** Takes back whatever they were told. */
  static HollowVerb resume() {
    JsonObject nothing =
        new JsonObject.Builder()
            .put(HollowAnnotations.SILENT, JsonNull.NULL)
            .put(HollowAnnotations.CONDITIONS, JsonNull.NULL)
            .put(HollowAnnotations.MEMORY_MISSING, JsonNull.NULL)
            .put(HollowAnnotations.NOT_READY, JsonNull.NULL)
            .build();
    return new HollowVerb(_ -> nothing, "to recover");
  }

  static HollowVerb notReady(String reason) {
    return new HollowVerb(
        _ -> JsonObject.of(HollowAnnotations.NOT_READY, reason), "not to be ready");
  }

  /** Adds to what they report already. */
  static HollowVerb pressure(String kind) {
    String condition = PRESSURES.get(kind);
    if (condition == null) {
      throw new UsageException(
          "berth hollow pressure takes one of %s, not \"%s\"."
              .formatted(new TreeSet<>(PRESSURES.keySet()), kind));
    }
    return new HollowVerb(
        node -> {
          var all =
              new TreeSet<>(SimulatedFaults.read(Metadata.of(node).annotations()).conditions());
          all.add(condition);
          return JsonObject.of(HollowAnnotations.CONDITIONS, String.join(",", all));
        },
        "to report " + condition);
  }
}
