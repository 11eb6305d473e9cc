package dev.berth.agent.pod;

import dev.berth.policy.podrun.AdmissionRejection;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Gives pods their devices, processors and memory while they are let in: after what is said of the
 * node's pressure, and before the node's room is counted, as a kubelet does. Lives on the loop of
 * the pods.
 */
final class DeviceAdmission {
  private final PodContext context;
  private final Set<PodWorker> underWay = new LinkedHashSet<>();

  /** Pods that have their devices and are not let in yet. */
  private final Set<PodWorker> given = new HashSet<>();

  DeviceAdmission(PodContext context) {
    this.context = context;
  }

  boolean isUnderWay(PodWorker worker) {
    return underWay.contains(worker);
  }

  /** The other pods that are just given devices, or have been and wait for others to make way. */
  Stream<PodWorker> beside(PodWorker worker) {
    return Stream.concat(underWay.stream(), given.stream())
        .filter(other -> other != worker && !other.isAdmitted() && !other.hasEnded());
  }

  /**
   * Whether a pod is to be given devices before anything else is decided.
   *
   * @param rejection what speaks against the pod so far
   */
  boolean comesNext(PodWorker worker, Optional<AdmissionRejection> rejection) {
    boolean mayBeLetIn = rejection.isEmpty() || rejection.get().reason().startsWith("OutOf");
    return mayBeLetIn && !given.contains(worker) && context.devices().wants(worker.pod());
  }

  /**
   * @param then told why the pod is not let in; nothing if it has its devices
   */
  void begin(PodWorker worker, Consumer<Optional<AdmissionRejection>> then) {
    underWay.add(worker);
    context
        .devices()
        .allocate(
            worker.pod(),
            failure -> context.loop().after(Duration.ZERO, () -> ended(worker, failure, then)));
  }

  private void ended(
      PodWorker worker,
      Optional<AdmissionRejection> failure,
      Consumer<Optional<AdmissionRejection>> then) {
    underWay.remove(worker);
    if (failure.isEmpty()) {
      given.add(worker);
    }
    then.accept(failure);
  }

  /** A pod needs its devices no more. */
  void release(PodWorker worker) {
    given.remove(worker);
    context.devices().release(worker.id().uid());
  }
}
