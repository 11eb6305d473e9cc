package dev.berth.scheduler.whatif;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.preemption.PreemptionDecision;
import dev.berth.scheduler.profile.ConfigurationReader;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A scheduler that is asked what it would do. */
class WhatIfSchedulerTest {
  private final WhatIfScheduler scheduler =
      new WhatIfScheduler(ConfigurationReader.defaults(), new SplittableRandom(1));

  private void put(NodeFixture node) {
    scheduler.put("nodes", node.tree());
  }

  private void put(PodFixture pod) {
    scheduler.put("pods", pod.tree());
  }

  private static NodeFixture ofCpu(String name, String cpu) {
    return node(name).ready().allocatable("cpu", cpu, "pods", "10");
  }

  private static List<String> plugins(NodeRefusals node) {
    return node.refusals().stream().map(Refusal::plugin).toList();
  }

  @Test
  void placesAPodWhereItFits() {
    put(ofCpu("small", "1"));
    put(ofCpu("large", "4"));

    assertThat(scheduler.decide(pod("web").requesting("cpu", "2").tree()))
        .isEqualTo(new Verdict.Placed("large", 1));
  }

  @Test
  void tellsEveryFiltersRefusalAndNotOnlyTheFirst() {
    put(ofCpu("n", "1").tainted("dedicated=gpu:NoSchedule"));
    put(ofCpu("free", "4"));
    JsonObject picky = pod("web").requesting("cpu", "2").selectingNodes("disk", "ssd").tree();

    List<NodeRefusals> refusals = scheduler.refusals(picky);

    assertThat(plugins(refusals.getFirst()))
        .containsExactlyInAnyOrder("TaintToleration", "NodeAffinity", "NodeResourcesFit");
    assertThat(plugins(refusals.getLast())).containsExactly("NodeAffinity");
  }

  @Test
  void whatIsPlacedCounts() {
    put(ofCpu("n", "4"));
    JsonObject first = pod("first").requesting("cpu", "3").tree();

    assertThat(scheduler.place(first)).isEqualTo(new Verdict.Placed("n", 1));

    assertThat(scheduler.decide(pod("second").requesting("cpu", "3").tree()))
        .isInstanceOf(Verdict.Unschedulable.class);
    scheduler.remove("pods", first);
    assertThat(scheduler.decide(pod("second").requesting("cpu", "3").tree()))
        .isInstanceOf(Verdict.Placed.class);
  }

  @Test
  void aTrialLeavesNothingBehind() {
    put(ofCpu("n", "4").tainted("dedicated=gpu:NoSchedule"));
    PodFixture other = pod("other").requesting("cpu", "3").on("n");
    put(other);
    JsonObject web = pod("web").requesting("cpu", "3").tree();

    try (Trial trial = scheduler.trial()) {
      trial.put("nodes", ofCpu("n", "4").tree());
      trial.remove("pods", other.tree());
      trial.put("nodes", ofCpu("another", "4").tree());
      assertThat(scheduler.decide(web)).isInstanceOf(Verdict.Placed.class);
    }

    assertThat(scheduler.refusals(web)).hasSize(1);
    assertThat(plugins(scheduler.refusals(web).getFirst()))
        .containsExactlyInAnyOrder("TaintToleration", "NodeResourcesFit");
  }

  @Test
  void tellsWhomItWouldPreempt() {
    put(ofCpu("n", "4"));
    put(pod("low").requesting("cpu", "3").on("n"));

    Verdict verdict =
        scheduler.decide(pod("high").requesting("cpu", "3").with("spec.priority", 10L).tree());

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Unschedulable.class,
            unschedulable ->
                assertThat(unschedulable.preemption())
                    .isInstanceOfSatisfying(
                        PreemptionDecision.Preempt.class,
                        preempt -> assertThat(preempt.node()).isEqualTo("n")));
  }

  @Test
  void doesNotTryWhatTheSchedulerWouldNotTry() {
    put(ofCpu("n", "4"));

    assertThat(scheduler.decide(pod("p").with("spec.schedulerName", "another").tree()))
        .isEqualTo(new Verdict.NotTried(Verdict.Why.OTHER_SCHEDULER));
    assertThat(scheduler.decide(pod("p").terminatingSince(Instant.EPOCH).tree()))
        .isEqualTo(new Verdict.NotTried(Verdict.Why.TERMINATING));
    JsonArray gates = JsonArray.of(JsonObject.of("name", "example.com/hold"));
    assertThat(scheduler.decide(pod("p").with("spec.schedulingGates", gates).tree()))
        .isEqualTo(new Verdict.NotTried(Verdict.Why.GATED));
  }

  @Test
  void podsThatHaveEndedTakeNoRoom() {
    put(ofCpu("n", "4"));
    put(pod("done").requesting("cpu", "3").on("n").phase("Succeeded"));

    assertThat(scheduler.decide(pod("web").requesting("cpu", "3").tree()))
        .isInstanceOf(Verdict.Placed.class);
  }
}
