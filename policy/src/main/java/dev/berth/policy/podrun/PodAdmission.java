package dev.berth.policy.podrun;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.pod.PodPriority;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import dev.berth.policy.taint.TolerationRules;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Whether this node lets a pod in that was bound to it, in a kubelet's order:
 *
 * <ol>
 *   <li>A node under pressure admits only critical pods. Under pressure of memory alone, also pods
 *       that request some, and those that tolerate it.
 *   <li>The pod is for this operating system.
 *   <li>The node has what it asks for ({@link NodeAdmission}).
 * </ol>
 */
public final class PodAdmission {
  private static final String OS_LABEL = "kubernetes.io/os";
  private static final String OS = "linux";

  private PodAdmission() {}

  /**
   * Why a pod is not let in; empty if it is.
   *
   * @param pod as its source shows it
   * @param pressures the conditions of the node's pressure that hold
   */
  public static Optional<AdmissionRejection> check(
      JsonObject pod, NodeView node, NodeAdmission.Taken taken, SortedSet<String> pressures) {
    PodView view = PodView.read(pod);
    if (!pressures.isEmpty() && !isAdmittedUnder(pressures, view)) {
      return Optional.of(
          new AdmissionRejection(
              "Evicted",
              "The node had condition: [" + String.join(" ", pressures) + "]. "));
    }
    JsonObject spec = pod.object("spec");
    String selected = spec.object("nodeSelector").text(OS_LABEL, OS);
    if (!selected.equals(node.labels().text(OS_LABEL, OS))) {
      return Optional.of(
          new AdmissionRejection(
              "PodOSSelectorNodeLabelDoesNotMatch",
              "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"));
    }
    if (!spec.object("os").text("name", OS).equals(OS)) {
      return Optional.of(
          new AdmissionRejection(
              "PodOSNotSupported", "Failed to admit pod as the OS field doesn't match node OS"));
    }
    return NodeAdmission.check(
        view.spec(), EffectiveResources.requests(view.spec()), node, taken);
  }

  private static boolean isAdmittedUnder(SortedSet<String> pressures, PodView pod) {
    if (PodPriority.isCritical(pod)) {
      return true;
    }
    boolean memoryOnly = pressures.size() == 1 && pressures.first().equals("MemoryPressure");
    return memoryOnly
        && (Qos.of(pod.spec()) != QosClass.BEST_EFFORT
            || TolerationRules.WITH_COMPARISONS.tolerates(
                pod.spec().tolerations(),
                new Taint(WellKnownTaints.MEMORY_PRESSURE, "", TaintEffect.NO_SCHEDULE, null)));
  }
}
