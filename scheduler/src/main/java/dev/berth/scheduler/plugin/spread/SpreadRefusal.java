package dev.berth.scheduler.plugin.spread;

import dev.berth.scheduler.plugin.Refusal;
import java.util.List;

/** Why a node would not do for a constraint. */
public sealed interface SpreadRefusal extends Refusal {

  /** The node is in no domain of a topology. */
  record NoDomain(String topologyKey) implements SpreadRefusal {
    @Override
    public List<String> messages() {
      return List.of(
          "node(s) didn't match pod topology spread constraints (missing required label)");
    }

    @Override
    public boolean preemptionMayHelp() {
      return false;
    }
  }

  /**
   * The node's domain would have too many more pods than another one.
   *
   * @param pods how many the domain would have
   * @param fewest how many the domain with the fewest has
   */
  record TooUneven(String topologyKey, String domain, long pods, long fewest, long maxSkew)
      implements SpreadRefusal {
    @Override
    public List<String> messages() {
      return List.of("node(s) didn't match pod topology spread constraints");
    }

    @Override
    public boolean preemptionMayHelp() {
      return true;
    }
  }

  @Override
  default String plugin() {
    return PodTopologySpread.NAME;
  }
}
