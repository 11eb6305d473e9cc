package dev.berth.scheduler.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.decision.Diagnosis;
import dev.berth.scheduler.preemption.PreemptionDecision;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The words that users of Kubernetes look for. */
class FailureMessageTest {

  private static Diagnosis diagnosis(int nodes, Map<String, Integer> counts) {
    return new Diagnosis(nodes, counts, Set.of(), 0, List.of());
  }

  @Test
  void countsReasonsInTheOrderOfTheirTexts() {
    Diagnosis diagnosis =
        diagnosis(
            15,
            Map.of(
                "node(s) had untolerated taint(s)", 2,
                "Insufficient memory", 3,
                "Insufficient cpu", 3,
                "node(s) were unschedulable", 10));
    assertThat(FailureMessage.of(diagnosis, ""))
        .isEqualTo(
            "0/15 nodes are available: 10 node(s) were unschedulable, 2 node(s) had untolerated"
                + " taint(s), 3 Insufficient cpu, 3 Insufficient memory.");
  }

  @Test
  void saysWhyPreemptionDoesNotHelp() {
    PreemptionDecision noHelp =
        new PreemptionDecision.NoHelp(
            5,
            new TreeMap<>(
                Map.of(
                    "Preemption is not helpful for scheduling", 1,
                    "No preemption victims found for incoming pod", 4)));
    Diagnosis diagnosis = diagnosis(5, Map.of("Insufficient cpu", 4, "node(s) x", 1));
    assertThat(FailureMessage.of(diagnosis, noHelp.message()))
        .isEqualTo(
            "0/5 nodes are available: 1 node(s) x, 4 Insufficient cpu. preemption: 0/5 nodes are"
                + " available: 1 Preemption is not helpful for scheduling, 4 No preemption victims"
                + " found for incoming pod.");
  }

  @Test
  void saysWhyAPodMayNotPreempt() {
    PreemptionDecision never =
        new PreemptionDecision.NotEligible("not eligible due to preemptionPolicy=Never.");
    assertThat(FailureMessage.of(diagnosis(1, Map.of("Insufficient cpu", 1)), never.message()))
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to"
                + " preemptionPolicy=Never.");
  }

  @Test
  void saysNothingOfPreemptionWhileRoomIsBeingMade() {
    PreemptionDecision preempt = new PreemptionDecision.Preempt("n1", List.of(), 0, List.of());
    assertThat(FailureMessage.of(diagnosis(1, Map.of("Insufficient cpu", 1)), preempt.message()))
        .isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");
  }

  @Test
  void saysWhatIsWrongBeforeAnyNodeIsLookedAt() {
    assertThat(
            FailureMessage.beforeNodes(
                3, "persistentvolumeclaim \"data\" not found", "preemption: x."))
        .isEqualTo(
            "0/3 nodes are available: persistentvolumeclaim \"data\" not found. preemption: x.");
  }

  @Test
  void saysThatThereAreNoNodes() {
    assertThat(FailureMessage.of(diagnosis(0, Map.of()), "preemption: x."))
        .isEqualTo("no nodes available to schedule pods");
    assertThat(new PreemptionDecision.NoHelp(0, new TreeMap<>()).message()).isEmpty();
  }

  @Test
  void conditionsHaveUpstreamsReasons() {
    assertThat(PodScheduled.unschedulable("why").toString())
        .isEqualTo(
            "{\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":\"Unschedulable\","
                + "\"message\":\"why\"}");
    assertThat(PodScheduled.schedulerError("why").text("reason")).isEqualTo("SchedulerError");
    assertThat(PodScheduled.gated().text("reason")).isEqualTo("SchedulingGated");
    assertThat(PodScheduled.gated().text("message"))
        .isEqualTo("Scheduling is blocked due to non-empty scheduling gates");
  }

  @Test
  void eventsHaveUpstreamsWords() {
    assertThat(EventText.scheduled(new ObjectName("default", "web"), "n1"))
        .isEqualTo(
            new EventText(
                "Normal", "Scheduled", "Binding", "Successfully assigned default/web to n1"));
    assertThat(EventText.failedScheduling("why"))
        .isEqualTo(new EventText("Warning", "FailedScheduling", "Scheduling", "why"));
    assertThat(EventText.preempted("uid-1", "n1").note())
        .isEqualTo("Preempted by pod uid-1 on node n1");
  }

  @Test
  void notesAreCutOffWhereTheApiWouldRefuseThem() {
    String longest = "x".repeat(1024);
    assertThat(EventText.failedScheduling(longest).note()).isEqualTo(longest);
    assertThat(EventText.failedScheduling(longest + "y").note())
        .hasSize(1024)
        .isEqualTo("x".repeat(1020) + " ...");
  }
}
