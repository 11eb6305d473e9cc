package dev.berth.agent.pod;

import dev.berth.agent.pod.RunningPods.Eviction;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.podrun.CriticalPreemption;
import dev.berth.policy.podrun.CriticalPreemption.Candidate;
import dev.berth.policy.podrun.GracePeriod;
import dev.berth.policy.podrun.PodAdmission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes room for critical pods, which wait until it is there. Lives on the loop of the pods. */
final class CriticalPodPreemption {
  private static final Eviction WHY =
      new Eviction(
          "Preempting",
          "Preempted in order to admit critical pod",
          Optional.of("Pod was preempted by Kubelet to accommodate a critical pod."));

  private final Map<String, List<PodWorker>> victims = new HashMap<>();
  private final KubeletMetrics metrics;

  CriticalPodPreemption(KubeletMetrics metrics) {
    this.metrics = metrics;
  }

  /** Whether a pod waits for others to end. */
  boolean isUnderWay(PodWorker worker) {
    List<PodWorker> awaited = victims.get(worker.id().uid());
    if (awaited != null && awaited.stream().allMatch(PodWorker::hasEnded)) {
      victims.remove(worker.id().uid());
    }
    return victims.containsKey(worker.id().uid());
  }

  boolean isUnderWay() {
    return !victims.isEmpty();
  }

  /**
   * Ends others, so that there is room for a pod.
   *
   * @param missing what there is too little of
   * @return whether there will be room
   */
  boolean begin(PodWorker worker, Map<String, Quantity> missing, Collection<PodWorker> others) {
    if (missing.isEmpty() || !PodAdmission.isCritical(worker.pod())) {
      return false;
    }
    Map<String, PodWorker> byUid = new HashMap<>();
    List<Candidate> candidates = new ArrayList<>();
    for (PodWorker other : others) {
      if (!PodAdmission.isCritical(other.pod())) {
        PodSpecView spec = PodSpecView.read(other.allocatedPod().object("spec"));
        byUid.put(other.id().uid(), other);
        candidates.add(
            new Candidate(other.id().uid(), Qos.of(spec), EffectiveResources.requests(spec)));
      }
    }
    Optional<List<String>> chosen = CriticalPreemption.victims(missing, candidates);
    if (chosen.isEmpty()) {
      return false;
    }
    List<PodWorker> ending = new ArrayList<>();
    for (String uid : chosen.get()) {
      PodWorker victim = byUid.get(uid);
      if (victim != null) {
        ending.add(victim);
      }
    }
    victims.put(worker.id().uid(), ending);
    metrics.preempted(missing.keySet().iterator().next(), ending.size());
    ending.forEach(victim -> victim.evict(WHY, GracePeriod.of(victim.rules())));
    return true;
  }
}
