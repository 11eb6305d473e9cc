package dev.berth.scheduler.whatif;

import dev.berth.scheduler.plugin.Refusal;
import java.util.List;

/**
 * Why a node is refused to a pod.
 *
 * @param refusals of every filter that refuses it, in the profile's order; none if it is allowed
 * @param nominated whether it is refused for the sake of pods that are nominated to it, and would
 *     be allowed without them
 */
public record NodeRefusals(String node, List<Refusal> refusals, boolean nominated) {
  public NodeRefusals {
    refusals = List.copyOf(refusals);
  }
}
