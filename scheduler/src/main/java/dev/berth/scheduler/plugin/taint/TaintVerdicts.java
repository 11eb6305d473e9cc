package dev.berth.scheduler.plugin.taint;

import dev.berth.model.core.Taint;
import dev.berth.model.core.Toleration;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pod makes of each set of taints, found out when first asked. */
final class TaintVerdicts {
  private final List<Toleration> tolerations;
  private final TolerationRules rules;
  private final Cluster cluster;
  private @Nullable Answer[] answers;

  TaintVerdicts(List<Toleration> tolerations, TolerationRules rules, Cluster cluster) {
    this.tolerations = tolerations;
    this.rules = rules;
    this.cluster = cluster;
    this.answers = new Answer[cluster.taintSets()];
  }

  /** The taint that keeps the pod off nodes with these taints; null if there is none. */
  @Nullable Taint refusal(int taintSet) {
    return answer(taintSet).refusal;
  }

  /** How many taints speak against such nodes. */
  int avoidance(int taintSet) {
    return answer(taintSet).avoidance;
  }

  private Answer answer(int taintSet) {
    if (taintSet >= answers.length) {
      answers = Arrays.copyOf(answers, cluster.taintSets());
    }
    Answer known = answers[taintSet];
    if (known == null) {
      RemainingTaints remaining = RemainingTaints.of(cluster.taints(taintSet), tolerations, rules);
      known = new Answer(remaining.refusal().orElse(null), remaining.avoidance());
      answers[taintSet] = known;
    }
    return known;
  }

  private record Answer(@Nullable Taint refusal, int avoidance) {}
}
