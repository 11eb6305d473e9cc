package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.gate.FeatureGates;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gates that the scheduler and the API look at. */
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

  /** Nobody turns conditions into taints here, so only the scheduler can look at them. */
  private static VirtualCluster withoutTaintNodesByCondition() {
    Set<FeatureGate> on = EnumSet.copyOf(FeatureGates.DEFAULT.on());
    on.remove(FeatureGate.TAINT_NODES_BY_CONDITION);
    VirtualCluster cluster = new VirtualCluster(1, new FeatureGates(on));
    cluster.node("node", "4");
    cluster.taint("node", "null");
    condition(cluster, "Ready", "True");
    return cluster.schedule();
  }

  private static void condition(VirtualCluster cluster, String type, String status) {
    String ready = type.equals("Ready") ? status : "True";
    cluster.patchStatus(
        Resources.NODES,
        ObjectName.of("node"),
        "{'status':{'conditions':[{'type':'Ready','status':'%s'},{'type':'%s','status':'%s'}]}}"
            .formatted(ready, type, status));
    cluster.settle();
  }

  @ParameterizedTest
  @CsvSource({
    "Ready,              False,   True,  node(s) were not ready",
    "Ready,              Unknown, True,  node(s) were not ready",
    "NetworkUnavailable, True,    False, node(s) had unavailable network",
    "DiskPressure,       True,    False, node(s) had disk pressure",
    "PIDPressure,        True,    False, node(s) had pid pressure",
  })
  void withoutTaintNodesByConditionTheSchedulerLooksAtConditions(
      String type, String bad, String good, String message) {
    try (VirtualCluster cluster = withoutTaintNodesByCondition()) {
      condition(cluster, type, bad);
      cluster.pod("waits", "1");
      cluster.settle();
      assertThat(cluster.scheduled("waits").text("message", ""))
          .startsWith("0/1 nodes are available: 1 " + message + ".");

      condition(cluster, type, good);
      cluster.advance(Duration.ofSeconds(2));
      assertThat(cluster.nodeOf("waits")).isEqualTo("node");
    }
  }

  @Test
  void withoutTaintNodesByConditionMemoryPressureKeepsAwayOnlyWhoRequestsNothing() {
    try (VirtualCluster cluster = withoutTaintNodesByCondition()) {
      condition(cluster, "MemoryPressure", "True");
      cluster.create(
          Resources.PODS,
          "{'metadata':{'name':'besteffort','namespace':'default'},"
              + "'spec':{'containers':[{'name':'c','image':'i'}]}}");
      cluster.pod("burstable", "1");
      cluster.settle();
      assertThat(cluster.nodeOf("burstable")).isEqualTo("node");
      assertThat(cluster.scheduled("besteffort").text("message", ""))
          .contains("node(s) had memory pressure");
    }
  }

  @Test
  void withoutTaintNodesByConditionWhoeverToleratesTheTaintIsNotKeptAway() {
    try (VirtualCluster cluster = withoutTaintNodesByCondition()) {
      condition(cluster, "Ready", "False");
      cluster.pod(
          "daemon",
          "1",
          "{'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists'}]}");
      cluster.settle();
      assertThat(cluster.nodeOf("daemon")).isEqualTo("node");
    }
  }
}
