package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import org.junit.jupiter.api.Test;

class RemainingTaintsTest {
  private static final PodFixture WEB = pod("web");

  private static RemainingTaints remaining(NodeFixture node, PodFixture pod) {
    return RemainingTaints.of(
        node.view().taints(), pod.view().spec().tolerations(), TolerationRules.STANDARD);
  }

  @Test
  void theSeedsThreeTaintsKeepThePodFromBeingScheduledButLetItGoOnRunning() {
    NodeFixture node =
        node("node1")
            .tainted("key1=value1:NoSchedule", "key1=value1:NoExecute", "key2=value2:NoSchedule");
    PodFixture pod =
        WEB.tolerating(
            Toleration.equal("key1", "value1", TaintEffect.NO_SCHEDULE),
            Toleration.equal("key1", "value1", TaintEffect.NO_EXECUTE));

    RemainingTaints remaining = remaining(node, pod);

    assertThat(remaining.taints()).containsExactly(taint("key2=value2:NoSchedule"));
    assertThat(remaining.refusal()).contains(taint("key2=value2:NoSchedule"));
    assertThat(remaining.evictor()).isEmpty();
  }

  @Test
  void oneRemainingNoScheduleRefuses() {
    RemainingTaints remaining = remaining(node("n").tainted("a:NoSchedule"), WEB);
    assertThat(remaining.refusal()).contains(taint("a:NoSchedule"));
    assertThat(remaining.evictor()).isEmpty();
  }

  @Test
  void oneRemainingNoExecuteRefusesAndEvicts() {
    RemainingTaints remaining = remaining(node("n").tainted("a:NoExecute"), WEB);
    assertThat(remaining.refusal()).contains(taint("a:NoExecute"));
    assertThat(remaining.evictor()).contains(taint("a:NoExecute"));
  }

  @Test
  void onlyPreferNoScheduleRemainingIsAvoidedAndNotRefused() {
    RemainingTaints remaining =
        remaining(node("n").tainted("a:PreferNoSchedule", "b:PreferNoSchedule"), WEB);
    assertThat(remaining.refusal()).isEmpty();
    assertThat(remaining.evictor()).isEmpty();
    assertThat(remaining.avoidance()).isEqualTo(2);
  }

  @Test
  void theFirstOffendingTaintInTheNodesOrderIsNamed() {
    RemainingTaints remaining =
        remaining(node("n").tainted("soft:PreferNoSchedule", "b:NoExecute", "a:NoSchedule"), WEB);
    assertThat(remaining.refusal()).contains(taint("b:NoExecute"));
    assertThat(remaining.avoidance()).isOne();
  }

  @Test
  void whatIsToleratedHasNoEffect() {
    PodFixture tolerant = WEB.with("spec.tolerations", JsonArray.of(object("operator", "Exists")));
    RemainingTaints remaining =
        remaining(node("n").tainted("a:NoSchedule", "b:NoExecute", "c:PreferNoSchedule"), tolerant);
    assertThat(remaining.taints()).isEmpty();
    assertThat(remaining.avoidance()).isZero();
  }

  @Test
  void aTaintOfUnknownEffectHasNone() {
    NodeFixture odd =
        node("n").with("spec.taints", JsonArray.of(object("key", "a", "effect", "NoAdmit")));
    assertThat(remaining(odd, WEB).taints()).isEmpty();
  }
}
