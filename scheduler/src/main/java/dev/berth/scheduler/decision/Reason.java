package dev.berth.scheduler.decision;

import dev.berth.scheduler.plugin.Refusal;
import java.util.List;

/** What many nodes' refusals have in common: all but the numbers. */
record Reason(String plugin, List<String> messages, boolean preemptionMayHelp) {

  static Reason of(Refusal refusal) {
    return new Reason(refusal.plugin(), refusal.messages(), refusal.preemptionMayHelp());
  }
}
