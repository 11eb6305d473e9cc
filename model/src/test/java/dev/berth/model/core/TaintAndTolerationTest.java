package dev.berth.model.core;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TaintAndTolerationTest {
  private static final JsonObject TAINT =
      object("key", "a", "value", "b", "effect", "NoExecute", "timeAdded", "2026-01-01T00:00:00Z");

  @Test
  void aTaintIsReadAndWrittenAsItWas() {
    Taint taint = Taint.read(TAINT);
    assertThat(taint)
        .isEqualTo(
            new Taint("a", "b", TaintEffect.NO_EXECUTE, Instant.parse("2026-01-01T00:00:00Z")));
    assertThat(taint.toTree()).isEqualTo(TAINT);
    assertThat(Taint.read(object("key", "a", "effect", "NoSchedule")).toTree())
        .isEqualTo(object("key", "a", "effect", "NoSchedule"));
  }

  @Test
  void aTaintShowsAsKubectlTakesIt() {
    assertThat(Taint.read(TAINT)).hasToString("a=b:NoExecute");
    assertThat(Taint.of("a", TaintEffect.PREFER_NO_SCHEDULE)).hasToString("a:PreferNoSchedule");
  }

  @Test
  void anUnknownEffectIsReadAndCannotBeWritten() {
    Taint odd = Taint.read(object("key", "a", "effect", "NoAdmit"));
    assertThat(odd.effect()).isEqualTo(TaintEffect.UNKNOWN);
    assertThatThrownBy(odd::toTree).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aMalformedTimeIsAbsent() {
    assertThat(Taint.read(TAINT.with("timeAdded", "yesterday")).timeAdded()).isNull();
    assertThat(Taint.read(TAINT.with("timeAdded", JsonNull.NULL)).timeAdded()).isNull();
  }

  @Test
  void aValueOfTheWrongKindFails() {
    assertThatThrownBy(() -> Taint.read(TAINT.with("key", 1L))).isInstanceOf(JsonException.class);
  }

  @Test
  void timesAreWrittenInWholeSeconds() {
    Taint taint = Taint.of("a", TaintEffect.NO_EXECUTE);
    assertThat(taint.addedAt(Instant.parse("2026-01-01T00:00:00.987Z")).toTree().text("timeAdded"))
        .isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void aTolerationIsReadAndWrittenAsItWas() {
    JsonObject tree =
        object("key", "a", "operator", "Equal", "value", "b", "effect", "NoExecute")
            .with("tolerationSeconds", 30L);
    assertThat(Toleration.read(tree))
        .isEqualTo(Toleration.equal("a", "b", TaintEffect.NO_EXECUTE).seconds(30));
    assertThat(Toleration.read(tree).toTree()).isEqualTo(tree);
  }

  @Test
  void aTolerationOfEverythingHasNoKeyAndNoEffect() {
    JsonObject tree = object("operator", "Exists");
    assertThat(Toleration.read(tree))
        .isEqualTo(new Toleration("", TolerationOperator.EXISTS, "", null, null));
    assertThat(Toleration.read(tree).toTree()).isEqualTo(tree);
  }

  @Test
  void absentSecondsAreNotZeroSeconds() {
    assertThat(Toleration.read(object("key", "a")).tolerationSeconds()).isNull();
    assertThat(
            Toleration.read(object("key", "a").with("tolerationSeconds", 0L)).tolerationSeconds())
        .isZero();
  }

  @Test
  void anAbsentOrEmptyOperatorMeansEqualAndAnEmptyEffectEveryEffect() {
    Toleration toleration = Toleration.read(object("key", "a", "operator", "", "effect", ""));
    assertThat(toleration.operator()).isEqualTo(TolerationOperator.EQUAL);
    assertThat(toleration.effect()).isNull();
  }

  @Test
  void anUnknownOperatorIsReadAndCannotBeWritten() {
    Toleration odd = Toleration.read(object("key", "a", "operator", "In"));
    assertThat(odd.operator()).isEqualTo(TolerationOperator.UNKNOWN);
    assertThatThrownBy(odd::toTree).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void legacyKeysHaveModernOnes() {
    assertThat(WellKnownTaints.modern("node.alpha.kubernetes.io/notReady"))
        .isEqualTo("node.kubernetes.io/not-ready");
    assertThat(WellKnownTaints.modern("dedicated")).isEqualTo("dedicated");
  }
}
