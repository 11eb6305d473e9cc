package dev.berth.model.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-01-01T00:05:00Z");

  private static final JsonArray READY =
      Conditions.set(
          JsonArray.EMPTY, Conditions.condition("Ready", "True", "Up", "all is well"), THEN);

  @Test
  void addsAConditionWithTheTimeItWasFirstSet() {
    assertThat(READY)
        .hasToString(
            "[{\"type\":\"Ready\",\"status\":\"True\",\"reason\":\"Up\",\"message\":\"all is"
                + " well\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]");
  }

  @Test
  void keepsTheTransitionTimeWhileTheStatusStays() {
    JsonObject news = Conditions.condition("Ready", "True", "StillUp", "nothing new");
    JsonArray changed = Conditions.set(READY, news, NOW);
    JsonObject ready = Conditions.find(changed, "Ready").orElseThrow();
    assertThat(ready.text("reason")).isEqualTo("StillUp");
    assertThat(ready.text("lastTransitionTime")).isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void movesTheTransitionTimeWhenTheStatusChanges() {
    JsonObject news = Conditions.condition("Ready", "Unknown", "Silent", "no heartbeat");
    JsonArray changed = Conditions.set(READY, news.with("lastTransitionTime", "2000-01-01"), NOW);
    JsonObject ready = Conditions.find(changed, "Ready").orElseThrow();
    assertThat(ready.text("lastTransitionTime")).isEqualTo("2026-01-01T00:05:00Z");
    assertThat(changed.size()).isEqualTo(1);
  }

  @Test
  void isTheSameListWhenNothingIsNews() {
    JsonObject same = Conditions.condition("Ready", "True", "Up", "all is well");
    assertThat(Conditions.set(READY, same, NOW)).isSameAs(READY);
  }

  @Test
  void keepsFieldsThatTheNewsDoNotName() {
    JsonObject condition = (JsonObject) READY.get(0);
    JsonArray probed = JsonArray.of(condition.with("lastProbeTime", "2026-01-01T00:01:00Z"));
    JsonArray changed =
        Conditions.set(probed, JsonObject.of("type", "Ready").with("status", "False"), NOW);
    JsonObject ready = Conditions.find(changed, "Ready").orElseThrow();
    assertThat(ready.text("lastProbeTime")).isEqualTo("2026-01-01T00:01:00Z");
    assertThat(ready.text("reason")).isEqualTo("Up");
    assertThat(ready.text("status")).isEqualTo("False");
  }

  @Test
  void findsAndRemovesByType() {
    JsonArray two = Conditions.set(READY, Conditions.condition("Full", "False", "", ""), NOW);
    assertThat(Conditions.isTrue(two, "Ready")).isTrue();
    assertThat(Conditions.isTrue(two, "Full")).isFalse();
    assertThat(Conditions.status(two, "Absent")).isEqualTo("Unknown");
    assertThat(Conditions.find(two, "Absent")).isEmpty();
    assertThat(Conditions.remove(two, "Full")).isEqualTo(READY);
    assertThat(Conditions.remove(two, "Absent")).isSameAs(two);
  }
}
