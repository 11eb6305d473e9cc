package dev.berth.policy.podrun;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodPlatform;
import dev.berth.model.core.PodView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.pod.PodPriority;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import dev.berth.policy.podsecurity.SafeSysctls;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Whether this node lets a pod in that was bound to it, in a kubelet's order:
 *
 * <ol>
 *   <li>A node under pressure admits only critical pods. Under pressure of memory alone, also pods
 *       that request some, and those that tolerate it.
 *   <li>The pod sets no kernel parameters but safe ones, and those that its node allows; and none
 *       of the network or of IPC if it shares these with the machine.
 *   <li>The pod is for this operating system.
 *   <li>The node has what it asks for ({@link NodeAdmission}).
 *   <li>The node's runtime can leave out the groups of an image if the pod wants that.
 * </ol>
 */
public final class PodAdmission {
  private static final String OS = "linux";

  private PodAdmission() {}

  /**
   * Why a pod is not let in; empty if it is.
   *
   * @param pod as its source shows it
   * @param pressures the conditions of the node's pressure that hold
   * @param sysctls further kernel parameters that the node allows; {@code kernel.msg*} for all that
   *     begin so
   */
  public static Optional<AdmissionRejection> check(
      JsonObject pod,
      NodeView node,
      NodeAdmission.Taken taken,
      SortedSet<String> pressures,
      List<String> sysctls) {
    PodView view = PodView.read(pod);
    PodPlatform platform = PodPlatform.read(pod);
    if (!pressures.isEmpty() && !isCritical(pod) && !isAdmittedUnder(pressures, view)) {
      return Optional.of(
          new AdmissionRejection(
              "Evicted", "The node had condition: [" + String.join(" ", pressures) + "]. "));
    }
    Optional<String> forbidden = forbiddenSysctl(platform, sysctls);
    if (forbidden.isPresent()) {
      return Optional.of(
          new AdmissionRejection("SysctlForbidden", "forbidden sysctl: " + forbidden.get()));
    }
    boolean isSelected = platform.osSelector().isEmpty() || platform.osSelector().equals(OS);
    if (!isSelected) {
      return Optional.of(
          new AdmissionRejection(
              "PodOSSelectorNodeLabelDoesNotMatch",
              "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"));
    }
    if (!platform.os().isEmpty() && !platform.os().equals(OS)) {
      return Optional.of(
          new AdmissionRejection(
              "PodOSNotSupported", "Failed to admit pod as the OS field doesn't match node OS"));
    }
    return NodeAdmission.check(view.spec(), EffectiveResources.requests(view.spec()), node, taken);
  }

  /**
   * Why a pod is not let in whose groups are not to come from its image; empty if it is.
   *
   * @param leavesGroupsOut whether the node's runtime can do that
   */
  public static Optional<AdmissionRejection> checkGroups(PodPlatform pod, boolean leavesGroupsOut) {
    return pod.ownGroupsOnly() && !leavesGroupsOut
        ? Optional.of(
            new AdmissionRejection(
                "SupplementalGroupsPolicyNotSupported",
                "SupplementalGroupsPolicy=Strict is not supported in this node"))
        : Optional.empty();
  }

  /** Whether the cluster cannot do without a pod: static ones are, by whoever wrote their file. */
  public static boolean isCritical(JsonObject pod) {
    return PodPlatform.read(pod).isStatic() || PodPriority.isCritical(PodView.read(pod));
  }

  private static Optional<String> forbiddenSysctl(PodPlatform pod, List<String> allowed) {
    for (String name : pod.sysctls()) {
      if (name.startsWith("net.") && pod.hostNetwork()) {
        return Optional.of("\"%s\" not allowed with host net enabled".formatted(name));
      }
      if (isOfIpc(name) && pod.hostIpc()) {
        return Optional.of("\"%s\" not allowed with host ipc enabled".formatted(name));
      }
      if (!SafeSysctls.NAMES.contains(name)
          && allowed.stream().noneMatch(pattern -> matches(name, pattern))) {
        return Optional.of("\"%s\" not allowlisted".formatted(name));
      }
    }
    return Optional.empty();
  }

  private static boolean isOfIpc(String name) {
    return name.startsWith("kernel.shm")
        || name.startsWith("kernel.msg")
        || name.startsWith("fs.mqueue.")
        || name.equals("kernel.sem");
  }

  private static boolean matches(String name, String pattern) {
    return pattern.endsWith("*")
        ? name.startsWith(pattern.substring(0, pattern.length() - 1))
        : name.equals(pattern);
  }

  private static boolean isAdmittedUnder(SortedSet<String> pressures, PodView pod) {
    boolean memoryOnly = pressures.size() == 1 && pressures.first().equals("MemoryPressure");
    return memoryOnly
        && (Qos.of(pod.spec()) != QosClass.BEST_EFFORT
            || TolerationRules.WITH_COMPARISONS.tolerates(
                pod.spec().tolerations(),
                Taint.of(WellKnownTaints.MEMORY_PRESSURE, TaintEffect.NO_SCHEDULE)));
  }
}
