package dev.berth.policy.podsecurity;

import dev.berth.model.security.PodSecurityView;
import dev.berth.model.security.SecurityContextView;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
  private static final Set<String> ALLOWED = Set.of("RuntimeDefault", "Localhost");

  static ProfileTypes appArmor(PodSecurityView pod) {
    return of(pod, SecurityContextView::appArmorProfile);
  }

  static ProfileTypes seccomp(PodSecurityView pod) {
    return of(pod, SecurityContextView::seccompProfile);
  }

  private static ProfileTypes of(
      PodSecurityView pod, Function<SecurityContextView, @Nullable String> profile) {
    Set<String> bad = new TreeSet<>();
    String ofPod = profile.apply(pod.context());
    boolean badPod = isBad(ofPod, bad);
    List<String> badContainers =
        pod.containersThat(container -> isBad(profile.apply(container.context()), bad));
    return new ProfileTypes(
        badPod,
        badContainers,
        bad,
        ofPod != null && !badPod,
        pod.containersThat(container -> profile.apply(container.context()) == null));
  }

  private static boolean isBad(@Nullable String type, Set<String> bad) {
    if (type == null || ALLOWED.contains(type)) {
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
