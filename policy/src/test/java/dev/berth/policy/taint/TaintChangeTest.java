package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaintChangeTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final JsonObject ODD = object("key", "odd", "effect", "NoAdmit", "note", "kept");
  private static final JsonObject OLD =
      object("key", "a", "effect", "NoExecute", "timeAdded", "2025-01-01T00:00:00Z");

  @Test
  void addsWithTheTimeAndKeepsWhatItDoesNotKnow() {
    TaintChange change = new TaintChange(List.of(taint("b:NoExecute")), List.of());
    assertThat(change.applyTo(JsonArray.of(ODD), NOW))
        .isEqualTo(
            JsonArray.of(
                ODD,
                object("key", "b", "effect", "NoExecute", "timeAdded", "2026-01-01T00:00:00Z")));
  }

  @Test
  void removesByKeyAndEffect() {
    TaintChange change = new TaintChange(List.of(), List.of(taint("a=other:NoExecute")));
    JsonObject otherEffect = object("key", "a", "effect", "NoSchedule");
    assertThat(change.applyTo(JsonArray.of(OLD, otherEffect), NOW))
        .isEqualTo(JsonArray.of(otherEffect));
  }

  @Test
  void whatIsThereAlreadyKeepsItsTime() {
    TaintChange change = new TaintChange(List.of(taint("a:NoExecute")), List.of());
    assertThat(change.applyTo(JsonArray.of(OLD), NOW)).isEqualTo(JsonArray.of(OLD));
  }

  @Test
  void aTaintOfTheSameProblemTakesOverTheTime() {
    JsonObject notReady =
        object(
            "key",
            "node.kubernetes.io/not-ready",
            "effect",
            "NoExecute",
            "timeAdded",
            "2025-01-01T00:00:00Z");
    TaintChange change =
        new TaintChange(
            List.of(taint("node.kubernetes.io/unreachable:NoExecute")),
            List.of(taint("node.kubernetes.io/not-ready:NoExecute"), taint("a:NoExecute")));
    assertThat(change.applyTo(JsonArray.of(OLD, notReady), NOW))
        .isEqualTo(JsonArray.of(notReady.with("key", "node.kubernetes.io/unreachable")));
    assertThat(change.applyTo(JsonArray.of(OLD), NOW).objects().getFirst().text("timeAdded"))
        .as("another problem does not")
        .isEqualTo("2026-01-01T00:00:00Z");
  }
}
