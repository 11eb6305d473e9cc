package dev.berth.policy.drain;

import dev.berth.model.core.PodTree;
import dev.berth.model.drain.DrainNode;
import dev.berth.policy.reconcile.Action;
import java.util.List;

/** What a drain may have to do. */
public sealed interface DrainAction extends Action {

  /** Nothing more is to be scheduled onto a node, and it is marked who says so. */
  record Cordon(DrainNode node) implements DrainAction {
    @Override
    public String reason() {
      return "cordon node " + node.name();
    }
  }

  /** Takes a cordon away that the drain has put. */
  record Uncordon(DrainNode node) implements DrainAction {
    @Override
    public String reason() {
      return "uncordon node " + node.name() + ", since the drain is cancelled";
    }
  }

  /** Pods are asked to go, which budgets may refuse. */
  record Evict(List<PodTree> pods) implements DrainAction {
    @Override
    public String reason() {
      return "evict " + names(pods);
    }
  }

  /** Pods are deleted, whatever budgets say. */
  record Delete(List<PodTree> pods) implements DrainAction {
    @Override
    public String reason() {
      return "delete " + names(pods) + ", since the deadline is over";
    }
  }

  private static String names(List<PodTree> pods) {
    return pods.stream().map(pod -> pod.name().toString()).toList().toString();
  }
}
