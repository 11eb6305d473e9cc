package dev.berth.policy.drain;

import dev.berth.model.core.PodTree;
import dev.berth.model.drain.DrainSpec;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.WellKnownAnnotations;
import java.util.Optional;

/**
 * What a drain does about a pod of its node: the rules of {@code kubectl drain}, the first that
 * applies.
 *
 * <ol>
 *   <li>The mirror of a pod that the node runs by itself stays: deleting it would end nothing.
 *   <li>A pod that the selector does not select stays.
 *   <li>A pod that is finished, or on its way out, goes.
 *   <li>A pod of a DaemonSet stays if those are to be ignored; otherwise the node is not drained,
 *       since the pod would come back.
 *   <li>With a volume that is lost with the pod, and without a controller that makes it again: the
 *       node is not drained, unless that is allowed.
 *   <li>Every other pod goes.
 * </ol>
 *
 * <p>Unlike {@code kubectl}, whether the pod's DaemonSet still exists is not looked at.
 */
public enum PodFate {
  /** It is to go. */
  GOES(""),
  /** It stays, and nobody waits for it. */
  STAYS(""),
  /** The node cannot be drained because of it. */
  DAEMON("is of a DaemonSet (spec.ignoreDaemonSets leaves such pods alone)"),
  LOCAL_DATA("would lose the data of an emptyDir (spec.deleteEmptyDirData allows it)"),
  UNMANAGED("has no controller that makes it again (spec.force evicts it all the same)");

  private final String refusal;

  PodFate(String refusal) {
    this.refusal = refusal;
  }

  /** Why the node cannot be drained, if it cannot. */
  public Optional<String> refusal() {
    return refusal.isEmpty() ? Optional.empty() : Optional.of(refusal);
  }

  public static PodFate of(PodTree pod, DrainSpec spec) {
    if (pod.metadata().annotation(WellKnownAnnotations.CONFIG_MIRROR).isPresent()
        || !spec.podSelector().matches(pod.metadata().labels())) {
      return STAYS;
    }
    Optional<OwnerReference> controller = pod.metadata().controller();
    boolean ofDaemon = controller.filter(owner -> owner.kind().equals("DaemonSet")).isPresent();
    if (ofDaemon && !pod.phase().finished()) {
      return spec.ignoreDaemonSets() ? STAYS : DAEMON;
    }
    if (pod.phase().finished() || pod.terminating()) {
      return GOES;
    }
    if (!spec.deleteEmptyDirData() && pod.hasEmptyDir()) {
      return LOCAL_DATA;
    }
    return controller.isEmpty() && !spec.force() ? UNMANAGED : GOES;
  }
}
