package dev.berth.scheduler.plugin.affinity;

import dev.berth.scheduler.cluster.affinity.AffinityTerm;
import dev.berth.scheduler.plugin.Refusal;
import java.util.List;

/** Why a node would be too near or too far from other pods. */
public sealed interface AffinityRefusal extends Refusal {

  /** The pods that the new one wants to be near are not there. */
  record NotNear(AffinityTerm term) implements AffinityRefusal {
    @Override
    public List<String> messages() {
      return List.of("node(s) didn't match pod affinity rules");
    }

    @Override
    public boolean preemptionMayHelp() {
      return false;
    }
  }

  /** Pods that the new one does not want to be near are there. */
  record TooNear(AffinityTerm term) implements AffinityRefusal {
    @Override
    public List<String> messages() {
      return List.of("node(s) didn't match pod anti-affinity rules");
    }

    @Override
    public boolean preemptionMayHelp() {
      return true;
    }
  }

  /** A pod is there that does not want the new one near. */
  record Unwanted(AffinityTerm term) implements AffinityRefusal {
    @Override
    public List<String> messages() {
      return List.of("node(s) didn't satisfy existing pods anti-affinity rules");
    }

    @Override
    public boolean preemptionMayHelp() {
      return true;
    }
  }

  @Override
  default String plugin() {
    return InterPodAffinity.NAME;
  }
}
