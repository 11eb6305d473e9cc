package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.Taint;
import dev.berth.model.tree.JsonArray;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TaintTimesTest {
  private static final Instant BEFORE = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = BEFORE.plusSeconds(3600);

  private static JsonArray taints(Taint... taints) {
    return node("n").tainted(taints).tree().object("spec").array("taints");
  }

  @Test
  void aNewNoExecuteTaintIsAddedNow() {
    assertThat(TaintTimes.stamp(JsonArray.EMPTY, taints(taint("a:NoExecute")), NOW))
        .isEqualTo(taints(taint("a:NoExecute").addedAt(NOW)));
  }

  @Test
  void theTimeSurvivesAnEditThatLeavesItOut() {
    JsonArray before = taints(taint("a=1:NoExecute").addedAt(BEFORE));
    assertThat(TaintTimes.stamp(before, taints(taint("a=2:NoExecute")), NOW))
        .isEqualTo(taints(taint("a=2:NoExecute").addedAt(BEFORE)));
  }

  @Test
  void theTimeIsNotTakenFromATaintOfAnotherEffect() {
    JsonArray before = taints(taint("a:NoSchedule").addedAt(BEFORE));
    assertThat(TaintTimes.stamp(before, taints(taint("a:NoExecute")), NOW))
        .isEqualTo(taints(taint("a:NoExecute").addedAt(NOW)));
  }

  @Test
  void aTimeThatTheWriterGivesIsKept() {
    JsonArray given = taints(taint("a:NoExecute").addedAt(BEFORE));
    assertThat(TaintTimes.stamp(JsonArray.EMPTY, given, NOW)).isSameAs(given);
  }

  @Test
  void otherEffectsAndUnknownFieldsStayAsTheyAre() {
    JsonArray after =
        JsonArray.of(
            object("key", "a", "effect", "NoSchedule"),
            object("key", "b", "effect", "NoExecute", "note", "kept"));
    assertThat(TaintTimes.stamp(JsonArray.EMPTY, after, NOW))
        .isEqualTo(
            JsonArray.of(
                object("key", "a", "effect", "NoSchedule"),
                object(
                    "key",
                    "b",
                    "effect",
                    "NoExecute",
                    "note",
                    "kept",
                    "timeAdded",
                    "2026-01-01T01:00:00Z")));
  }
}
