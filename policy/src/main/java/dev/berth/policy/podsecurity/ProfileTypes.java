package dev.berth.policy.podsecurity;

import static dev.berth.policy.podsecurity.PodSecuritySpec.securityContext;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which profiles of a kind a pod and its containers name.
 *
 * @param badPod whether the pod names one that is not allowed
 * @param badContainers containers that do
 * @param bad what they name
 * @param goodPod whether the pod names one that is allowed
 * @param silentContainers containers that name none
 */
record ProfileTypes(
    boolean badPod,
    List<String> badContainers,
    Set<String> bad,
    boolean goodPod,
    List<String> silentContainers) {

  static ProfileTypes of(PodSecuritySpec pod, String field, Set<String> allowed) {
    Set<String> bad = new TreeSet<>();
    boolean badPod = isBad(pod.securityContext(), field, allowed, bad);
    List<String> badContainers =
        pod.containersThat(container -> isBad(securityContext(container), field, allowed, bad));
    return new ProfileTypes(
        badPod,
        badContainers,
        bad,
        pod.securityContext().has(field) && !badPod,
        pod.containersThat(container -> !securityContext(container).has(field)));
  }

  private static boolean isBad(
      JsonObject context, String field, Set<String> allowed, Set<String> bad) {
    if (!context.has(field)) {
      return false;
    }
    String type = context.object(field).text("type", "");
    if (allowed.contains(type)) {
      return false;
    }
    bad.add(type);
    return true;
  }

  boolean hasBad() {
    return badPod || !badContainers.isEmpty();
  }

  /** Who names what is not allowed. */
  String setters() {
    return Wording.setters(badPod, badContainers);
  }
}
