package dev.berth.sim.report;

import dev.berth.sim.record.NodeHistory;
import dev.berth.sim.record.PodHistory;
import dev.berth.sim.record.Recording;
import java.util.List;

/** The changes of all pods as a table: a line for each, times in seconds from the beginning. */
public final class CsvReport {
  private static final double MILLIS = 1000;

  private CsvReport() {}

  public static String of(Recording recording) {
    StringBuilder csv =
        new StringBuilder("seconds,namespace,pod,kind,workload,node,state,reason\n");
    List<NodeHistory> nodes = recording.nodes();
    for (PodHistory pod : recording.pods()) {
      String node = pod.node() < 0 ? "" : nodes.get(pod.node()).name();
      for (int i = 0; i < pod.changes(); i++) {
        boolean evicts = pod.wasEvicted() && pod.time(i) == pod.evictedAt();
        csv.append(pod.time(i) / MILLIS)
            .append(',')
            .append(pod.name().namespace())
            .append(',')
            .append(pod.name().name())
            .append(',')
            .append(pod.workload().kind())
            .append(',')
            .append(pod.workload().name())
            .append(',')
            .append(node)
            .append(',')
            .append(pod.state(i).words())
            .append(',')
            .append(evicts ? quoted(pod.eviction()) : "")
            .append('\n');
      }
    }
    return csv.toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }
}
