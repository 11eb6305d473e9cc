package dev.berth.scheduler.message;

import dev.berth.scheduler.decision.Diagnosis;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Why a pod could not be placed, in one line:
 *
 * <pre>
 * 0/5 nodes are available: 1 Insufficient cpu, 4 node(s) had untolerated taint(s). preemption: …
 * </pre>
 *
 * <p>Reasons stand in the order of their texts, count first, as upstream's do: {@code 10 x} comes
 * before {@code 2 y}.
 */
public final class FailureMessage {
  /** What is said when there is no node at all. */
  public static final String NO_NODES = "no nodes available to schedule pods";

  private FailureMessage() {}

  /**
   * The message of a pod that no node allows.
   *
   * @param preemption what came of preemption, as its decision words it; empty if nothing is to be
   *     said
   */
  public static String of(Diagnosis diagnosis, String preemption) {
    if (diagnosis.nodes() == 0) {
      return NO_NODES;
    }
    if (!diagnosis.ofPod().isEmpty()) {
      return beforeNodes(diagnosis.nodes(), diagnosis.ofPod(), preemption);
    }
    return followedBy(counted(diagnosis.nodes(), diagnosis.counts()), preemption);
  }

  /**
   * The message of a pod that was refused before any node was evaluated, such as for a claim that
   * does not exist.
   */
  public static String beforeNodes(int nodes, String reason, String preemption) {
    if (nodes == 0) {
      return NO_NODES;
    }
    return followedBy(available(nodes) + " " + reason + ".", preemption);
  }

  /** The message that counts how many of all nodes gave each reason. */
  public static String counted(int nodes, Map<String, Integer> counts) {
    List<String> reasons = new ArrayList<>(counts.size());
    counts.forEach((reason, count) -> reasons.add(count + " " + reason));
    Collections.sort(reasons);
    return available(nodes) + (reasons.isEmpty() ? "" : " " + String.join(", ", reasons) + ".");
  }

  private static String available(int nodes) {
    return "0/" + nodes + " nodes are available:";
  }

  private static String followedBy(String message, String preemption) {
    return preemption.isEmpty() ? message : message + " " + preemption;
  }
}
