package dev.berth.policy.node;

import dev.berth.model.meta.WellKnownLabels;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which labels of itself a node may not set, change or take away, since they could steer pods to it
 * that do not belong there.
 *
 * <ol>
 *   <li>All of {@code node-restriction.kubernetes.io}, and what is below it.
 *   <li>All of {@code kubernetes.io} and {@code k8s.io}, and what is below them, but for those that
 *       kubelets know and those of {@code kubelet.kubernetes.io} and {@code node.kubernetes.io}.
 * </ol>
 */
public final class ProtectedLabels {
  private static final String RESTRICTION = "node-restriction.kubernetes.io";
  private static final Set<String> OF_KUBERNETES = Set.of("kubernetes.io", "k8s.io");
  private static final Set<String> OF_KUBELETS =
      Set.of("kubelet.kubernetes.io", "node.kubernetes.io");
  private static final Set<String> KUBELETS_KNOW =
      Set.of(
          WellKnownLabels.HOSTNAME,
          WellKnownLabels.ZONE,
          WellKnownLabels.REGION,
          WellKnownLabels.BETA_ZONE,
          WellKnownLabels.BETA_REGION,
          WellKnownLabels.INSTANCE_TYPE,
          WellKnownLabels.BETA_INSTANCE_TYPE,
          WellKnownLabels.OS,
          WellKnownLabels.ARCH,
          WellKnownLabels.BETA_OS,
          WellKnownLabels.BETA_ARCH);

  private ProtectedLabels() {}

  /** The keys that a change of labels touches though it may not, in order. */
  public static Set<String> touched(Map<String, String> before, Map<String, String> after) {
    Set<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    keys.removeIf(key -> !isProtected(key) || Objects.equals(before.get(key), after.get(key)));
    return keys;
  }

  private static boolean isProtected(String key) {
    int slash = key.indexOf('/');
    String namespace = slash < 0 ? "" : key.substring(0, slash);
    return isIn(namespace, Set.of(RESTRICTION))
        || (isIn(namespace, OF_KUBERNETES)
            && !KUBELETS_KNOW.contains(key)
            && !isIn(namespace, OF_KUBELETS));
  }

  private static boolean isIn(String namespace, Set<String> domains) {
    return domains.stream()
        .anyMatch(domain -> namespace.equals(domain) || namespace.endsWith("." + domain));
  }
}
