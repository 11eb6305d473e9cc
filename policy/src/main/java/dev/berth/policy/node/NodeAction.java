package dev.berth.policy.node;

import dev.berth.model.core.Condition;
import dev.berth.model.core.Taint;
import dev.berth.policy.taint.TaintChange;
import java.util.List;

/** What a check of a node's health asks to be done. */
public sealed interface NodeAction {

  /** The conditions of a lost node become Unknown. They take the place of those of their types. */
  record MarkUnknown(List<Condition> conditions) implements NodeAction {
    public MarkUnknown {
      conditions = List.copyOf(conditions);
    }
  }

  /** The pods of a node are no longer ready, so that nobody sends them work. */
  record MarkPodsNotReady() implements NodeAction {}

  /** Taints change at once. */
  record ChangeTaints(TaintChange change) implements NodeAction {}

  /** A NoExecute taint waits for the eviction rate of the node's zone. */
  record AwaitEvictionRate(Taint taint) implements NodeAction {}

  /** The node's pods are to be evicted, without a taint, when the rate of its zone permits. */
  record AwaitPodEviction() implements NodeAction {}
}
