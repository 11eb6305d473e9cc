package dev.berth.hollow;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a node was told by its annotations.
 *
 * @param silent to say nothing
 * @param conditions the condition types to report as True
 * @param notReady why to report that it is not ready; empty if it is not to
 * @param unknown words among the conditions that mean nothing
 */
public record SimulatedFaults(
    boolean silent, List<String> conditions, String notReady, List<String> unknown) {
  public static final SimulatedFaults NONE = new SimulatedFaults(false, List.of(), "", List.of());

  /** The conditions that a node can be told to report. */
  public static final List<String> KNOWN =
      List.of(
          NodeConditions.MEMORY,
          NodeConditions.DISK,
          NodeConditions.PID,
          NodeConditions.NETWORK_UNAVAILABLE);

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
    for (String word : conditions.split(",", -1)) {
      String type = word.strip();
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
