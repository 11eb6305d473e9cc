package dev.berth.hollow.fault;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The faults that a node simulates because its annotations say so.
 *
 * @param silent it sends nothing, as if it were cut off
 * @param conditions the condition types that it reports as True
 * @param notReady why it reports that it is not ready; empty if it does not
 * @param memoryMissing how many bytes of memory pods have to free; 0 if there is enough
 * @param problems what its annotations say that cannot be simulated, a sentence for each
 */
public record SimulatedFaults(
    boolean silent,
    List<String> conditions,
    String notReady,
    long memoryMissing,
    List<String> problems) {
  public static final String MEMORY_PRESSURE = "MemoryPressure";
  public static final String DISK_PRESSURE = "DiskPressure";
  public static final String PID_PRESSURE = "PIDPressure";
  public static final String NETWORK_UNAVAILABLE = "NetworkUnavailable";

  public static final SimulatedFaults NONE =
      new SimulatedFaults(false, List.of(), "", 0, List.of());

  /** The conditions that a node can simulate. */
  public static final List<String> KNOWN =
      List.of(MEMORY_PRESSURE, DISK_PRESSURE, PID_PRESSURE, NETWORK_UNAVAILABLE);

  public SimulatedFaults {
    conditions = List.copyOf(conditions);
    problems = List.copyOf(problems);
  }

  public static SimulatedFaults read(JsonObject annotations) {
    String conditions = annotations.text(HollowAnnotations.CONDITIONS, "");
    String notReady = annotations.text(HollowAnnotations.NOT_READY, "");
    boolean silent = annotations.text(HollowAnnotations.SILENT, "").equals("true");
    String missing = annotations.text(HollowAnnotations.MEMORY_MISSING, "");
    if (!silent && conditions.isEmpty() && notReady.isEmpty() && missing.isEmpty()) {
      return NONE;
    }
    SortedSet<String> reported = new TreeSet<>();
    List<String> problems = new ArrayList<>();
    for (String listed : conditions.split(",", -1)) {
      String type = listed.strip();
      if (KNOWN.contains(type)) {
        reported.add(type);
      } else if (!type.isEmpty()) {
        problems.add(
            "%s: \"%s\" is none of %s".formatted(HollowAnnotations.CONDITIONS, type, KNOWN));
      }
    }
    OptionalLong bytes = bytes(annotations, HollowAnnotations.MEMORY_MISSING);
    if (!missing.isEmpty() && bytes.isEmpty()) {
      problems.add(
          "%s: \"%s\" is no amount such as 2Gi"
              .formatted(HollowAnnotations.MEMORY_MISSING, missing));
    }
    return new SimulatedFaults(silent, List.copyOf(reported), notReady, bytes.orElse(0), problems);
  }

  /** An amount of bytes; empty if there is none, or what is written is none. */
  public static OptionalLong bytes(JsonObject annotations, String key) {
    String text = annotations.text(key, "").strip();
    try {
      long bytes = text.isEmpty() ? -1 : Quantity.parse(text).value();
      return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    } catch (QuantityFormatException e) {
      return OptionalLong.empty();
    }
  }

  public boolean reports(String condition) {
    return conditions.contains(condition);
  }
}
