package dev.berth.policy.daemon;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;

class DaemonTolerationsTest {
  private static final JsonObject UNREACHABLE =
      object("key", "node.kubernetes.io/unreachable", "operator", "Exists", "effect", "NoExecute");

  private static Toleration tolerates(String problem, TaintEffect effect) {
    return Toleration.exists("node.kubernetes.io/" + problem, effect);
  }

  @Test
  void daemonsTolerateNodeProblemsForEver() {
    assertThat(DaemonTolerations.automatic(false))
        .containsExactly(
            tolerates("not-ready", TaintEffect.NO_EXECUTE),
            tolerates("unreachable", TaintEffect.NO_EXECUTE),
            tolerates("disk-pressure", TaintEffect.NO_SCHEDULE),
            tolerates("memory-pressure", TaintEffect.NO_SCHEDULE),
            tolerates("pid-pressure", TaintEffect.NO_SCHEDULE),
            tolerates("unschedulable", TaintEffect.NO_SCHEDULE));
  }

  @Test
  void daemonsOnTheNodesNetworkTolerateItsAbsence() {
    assertThat(DaemonTolerations.automatic(true))
        .containsAll(DaemonTolerations.automatic(false))
        .contains(tolerates("network-unavailable", TaintEffect.NO_SCHEDULE))
        .hasSize(7);
  }

  @Test
  void theTemplatesOwnComeFirstAndStay() {
    JsonObject own = object("key", "dedicated", "value", "gpu", "effect", "NoSchedule");
    JsonArray merged = DaemonTolerations.addTo(JsonArray.of(own), false);
    assertThat(merged.get(0)).isEqualTo(own);
    assertThat(merged.objects().stream().skip(1).map(Toleration::read))
        .isEqualTo(DaemonTolerations.automatic(false));
  }

  @Test
  void whatTheTemplateHasAlreadyIsNotRepeatedAndLosesItsSeconds() {
    JsonArray merged =
        DaemonTolerations.addTo(JsonArray.of(UNREACHABLE.with("tolerationSeconds", 30L)), false);
    assertThat(merged.size()).isEqualTo(6);
    assertThat(merged.get(0)).isEqualTo(UNREACHABLE);
  }

  @Test
  void addingThemTwiceChangesNothing() {
    JsonArray once = DaemonTolerations.addTo(JsonArray.EMPTY, true);
    assertThat(DaemonTolerations.addTo(once, true)).isEqualTo(once);
  }
}
