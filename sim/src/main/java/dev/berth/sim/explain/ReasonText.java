package dev.berth.sim.explain;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.affinity.AffinityTerm;
import java.util.stream.Collectors;

/** Parts of a pod's specification in words. */
final class ReasonText {
  private ReasonText() {}

  /** {@code disk=ssd,zone=a}. */
  static String labels(JsonObject labels) {
    return labels.toStrings().entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(","));
  }

  /** The pods that a term is about. */
  static String pods(AffinityTerm term) {
    String labels = term.pods().labels().toString();
    return labels.isEmpty() ? "pods" : "pods with " + labels;
  }

  /** {@code 1 node}, {@code 2 nodes}. */
  static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
