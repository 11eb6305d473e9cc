package dev.berth.policy.cloud;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.CloudNodeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cloud.CloudLifecycleAction.Delete;
import dev.berth.policy.cloud.CloudLifecycleAction.SetTaints;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a machine that is gone or stopped means to its node (row N9). */
class CloudLifecyclePlanTest {
  private static final Instant LATER = Instant.parse("2026-01-01T00:00:05Z");
  private static final String SHUTDOWN =
      "{'key':'node.cloudprovider.kubernetes.io/shutdown','effect':'NoSchedule'}";
  private static final String OTHER = "{'key':'other','effect':'NoExecute'}";

  private static CloudAnswer machine(boolean isStopped) {
    return new CloudAnswer.Found(
        new Machine("cloud://1", "", "", "", List.of(), Map.of(), isStopped));
  }

  private static JsonObject node(String ready, String... taints) {
    return tree(
        "{'metadata':{'name':'n1'},'spec':{'taints':[%s]},'status':{'conditions':[{'type':'Ready','status':'%s'}]}}"
            .formatted(String.join(",", taints), ready));
  }

  private static boolean isAsked(JsonObject node) {
    return CloudLifecyclePlan.isCloudAsked(CloudNodeView.read(node));
  }

  private static CloudLifecyclePlan decide(JsonObject node, CloudAnswer answer) {
    return CloudLifecyclePlan.decide(new CloudNode(node, Optional.of(answer), LATER));
  }

  private static SetTaints taints(boolean isStopped, String... taints) {
    return new SetTaints(
        tree("{'t':[%s]}".formatted(String.join(",", taints))).array("t"), isStopped);
  }

  @Test
  void aReadyNodeLosesTheTaintAndItsCloudIsNotAsked() {
    assertThat(isAsked(node("True"))).isFalse();
    assertThat(decide(node("True", OTHER, SHUTDOWN), new CloudAnswer.NotFound()).actions())
        .containsExactly(taints(false, OTHER));
    assertThat(decide(node("True", OTHER), machine(true)).actions()).isEmpty();
    assertThat(decide(node("True"), machine(true)).next()).isEmpty();
  }

  @Test
  void aNodeThatIsNotReadyGoesWithItsMachine() {
    for (String ready : List.of("False", "Unknown")) {
      assertThat(isAsked(node(ready))).isTrue();
      assertThat(decide(node(ready), new CloudAnswer.NotFound()).actions())
          .containsExactly(new Delete());
    }
    assertThat(isAsked(tree("{'metadata':{'name':'new'}}"))).isTrue();
  }

  @Test
  void aNodeWhoseMachineIsStoppedIsTainted() {
    assertThat(decide(node("Unknown", OTHER), machine(true)).actions())
        .containsExactly(taints(true, OTHER, SHUTDOWN));
    assertThat(decide(node("Unknown", OTHER, SHUTDOWN), machine(true)).actions()).isEmpty();
  }

  @Test
  void theTaintStaysUntilTheNodeIsReady() {
    assertThat(decide(node("Unknown", SHUTDOWN), machine(false)).actions()).isEmpty();
  }

  @Test
  void whileNobodyKnowsNothingHappensAndTheCloudIsAskedAgain() {
    CloudLifecyclePlan plan = decide(node("Unknown"), new CloudAnswer.Failed("no connection"));
    assertThat(plan.actions()).isEmpty();
    assertThat(plan.next()).contains(LATER);
  }
}
