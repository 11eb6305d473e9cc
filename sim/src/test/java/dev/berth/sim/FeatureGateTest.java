package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.gate.FeatureGates;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code Gt} and {@code Lt} in tolerations, behind their gate, from the API to the scheduler. */
class FeatureGateTest {
  private static final String MORE_THAN_950 =
      "{'tolerations':[{'key':'sla','operator':'Gt','value':'950','effect':'NoSchedule'}]}";

  @Test
  void withTheGateOnANodeIsChosenByTheNumberInItsTaint() {
    try (VirtualCluster cluster =
        new VirtualCluster(
            1, new FeatureGates(Set.of(FeatureGate.TAINT_TOLERATION_COMPARISON_OPERATORS)))) {
      cluster.node("low", "4");
      cluster.taint("low", "[{'key':'sla','value':'900','effect':'NoSchedule'}]");
      cluster.node("high", "1");
      cluster.taint("high", "[{'key':'sla','value':'999','effect':'NoSchedule'}]");
      cluster.schedule();

      cluster.pod("picky", "1", MORE_THAN_950);
      cluster.settle();

      assertThat(cluster.nodeOf("picky")).isEqualTo("high");
    }
  }

  @Test
  void withTheGateOffSuchAPodIsRefused() {
    try (VirtualCluster cluster = new VirtualCluster(1)) {
      assertThatThrownBy(() -> cluster.pod("picky", "1", MORE_THAN_950))
          .hasMessageContaining("spec.tolerations[0].operator: Unsupported value: \"Gt\"");
    }
  }
}
