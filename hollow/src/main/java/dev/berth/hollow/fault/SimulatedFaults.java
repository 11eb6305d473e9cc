package dev.berth.hollow.fault;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The faults that a node simulates because its annotations say so.
 *
 * @param silent it sends nothing, as if it were cut off
 * @param conditions the condition types that it reports as True
 * @param notReady why it reports that it is not ready; empty if it does not
 * @param unknown condition types that it does not know
 */
public record SimulatedFaults(
    boolean silent, List<String> conditions, String notReady, List<String> unknown) {
  public static final String MEMORY_PRESSURE = "MemoryPressure";
  public static final String DISK_PRESSURE = "DiskPressure";
  public static final String PID_PRESSURE = "PIDPressure";
  public static final String NETWORK_UNAVAILABLE = "NetworkUnavailable";

  public static final SimulatedFaults NONE = new SimulatedFaults(false, List.of(), "", List.of());

  /** The conditions that a node can simulate. */
  public static final List<String> KNOWN =
      List.of(MEMORY_PRESSURE, DISK_PRESSURE, PID_PRESSURE, NETWORK_UNAVAILABLE);

  public SimulatedFaults {
    conditions = List.copyOf(conditions);
    unknown = List.copyOf(unknown);
  }

  public static SimulatedFaults read(JsonObject annotations) {
    String conditions = annotations.text(HollowAnnotations.CONDITIONS, "");
    String notReady = annotations.text(HollowAnnotations.NOT_READY, "");
    boolean silent = annotations.text(HollowAnnotations.SILENT, "").equals("true");
    if (!silent && conditions.isEmpty() && notReady.isEmpty()) {
      return NONE;
    }
    SortedSet<String> reported = new TreeSet<>();
    List<String> unknown = new ArrayList<>();
    for (String listed : conditions.split(",", -1)) {
      String type = listed.strip();
      if (KNOWN.contains(type)) {
        reported.add(type);
      } else if (!type.isEmpty()) {
        unknown.add(type);
      }
    }
    return new SimulatedFaults(silent, List.copyOf(reported), notReady, unknown);
  }

  public boolean reports(String condition) {
    return conditions.contains(condition);
  }
}
