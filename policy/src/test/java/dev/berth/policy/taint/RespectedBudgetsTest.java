package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.PodFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RespectedBudgetsTest {
  private static final Instant ADDED = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = ADDED.plusSeconds(100);
  private static final Instant LONG_AGO = ADDED.minusSeconds(3600);
  private static final Taint A = taint("a:NoExecute").addedAt(ADDED);
  private static final Taint B = taint("b:NoExecute").addedAt(ADDED.plusSeconds(50));
  private static final PodFixture WEB = pod("web").on("n1");
  private static final RespectedBudgets A_FOR_600 =
      new RespectedBudgets(Set.of("a"), Duration.ofSeconds(600));
  private static final RespectedBudgets ALL_FOR_600 =
      new RespectedBudgets(Set.of("*"), Duration.ofSeconds(600));

  private static Toleration of(String key, long seconds) {
    return Toleration.exists(key, TaintEffect.NO_EXECUTE).seconds(seconds);
  }

  static Stream<Arguments> times() {
    return Stream.of(
        argumentSet(
            "without the annotation: not at all", WEB, List.of(A), RespectedBudgets.NONE, 100),
        argumentSet("not tolerated: from the taint on", WEB, List.of(A), A_FOR_600, 600),
        argumentSet(
            "tolerated for a while: from then on",
            WEB.tolerating(of("a", 40)),
            List.of(A),
            A_FOR_600,
            640),
        argumentSet("a taint that is not named: not at all", WEB, List.of(B), A_FOR_600, 50),
        argumentSet(
            "beside one that is named: not at all either", WEB, List.of(A, B), A_FOR_600, 50),
        argumentSet(
            "until the toleration of one that is not named runs out",
            WEB.tolerating(of("b", 150)),
            List.of(A, B),
            A_FOR_600,
            200),
        argumentSet(
            "one that is tolerated for ever does not count",
            WEB.tolerating(Toleration.exists("b", TaintEffect.NO_EXECUTE)),
            List.of(A, B),
            A_FOR_600,
            600),
        argumentSet("of several that are named, the first", WEB, List.of(B, A), ALL_FOR_600, 600));
  }

  @ParameterizedTest
  @MethodSource("times")
  void budgetsHoldBackUntilADeadlineThatCountsFromWhenTheEvictionIsDue(
      PodFixture pod, List<Taint> taints, RespectedBudgets respected, long seconds) {
    assertThat(
            respected.holdBackUntil(
                new PodTree(pod.tree()), LONG_AGO, taints, TolerationRules.STANDARD, NOW))
        .isEqualTo(ADDED.plusSeconds(seconds));
  }

  @Test
  void whoCameAfterTheTaintIsDueWhenItCame() {
    Instant arrived = ADDED.plusSeconds(70);
    assertThat(
            A_FOR_600.holdBackUntil(
                new PodTree(WEB.tree()), arrived, List.of(A), TolerationRules.STANDARD, NOW))
        .isEqualTo(arrived.plusSeconds(600));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a;deadline=15m                     | [a] PT15M
          example.com/a,b;deadline=1h30m     | [example.com/a, b] PT1H30M
          ' a , b ; deadline=90s '           | [a, b] PT1M30S
          *;deadline=1s                      | [*] PT1S
          """)
  void keysAndADeadlineAreRead(String text, String expected) {
    assertThat(RespectedBudgets.read(text))
        .isInstanceOfSatisfying(
            RespectedBudgets.Valid.class,
            valid ->
                assertThat(valid.budgets().keys() + " " + valid.budgets().deadline())
                    .isEqualTo(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a                        | it has no ";deadline=" after the taints' keys; right would be KEY
          a;b;deadline=5m          | it has no ";deadline=" after the taints' keys
          a;15m                    | it has no ";deadline=" after the taints' keys
          ;deadline=5m             | it names "", which cannot be a taint's key
          a,,b;deadline=5m         | it names "", which cannot be a taint's key
          a b;deadline=5m          | it names "a b", which cannot be a taint's key
          a=x:NoExecute;deadline=5m| it names "a=x:NoExecute", which cannot be a taint's key
          a;deadline=              | it has the deadline "", which is no time to wait
          a;deadline=soon          | it has the deadline "soon", which is no time to wait
          a;deadline=15            | it has the deadline "15", which is no time to wait
          a;deadline=0s            | it has the deadline "0s", which is no time to wait
          """)
  void whatIsWrongIsSaidAndWhatWouldBeRight(String text, String problem) {
    assertThat(RespectedBudgets.read(text))
        .isInstanceOfSatisfying(
            RespectedBudgets.Invalid.class,
            invalid ->
                assertThat(invalid.problem())
                    .startsWith("ignoring the annotation berth.dev/respect-budgets, which is \"")
                    .contains(problem)
                    .endsWith("or *;deadline=15m for all NoExecute taints"));
  }
}
