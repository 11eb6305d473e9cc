package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.TolerationOperator;
import dev.berth.time.fixture.SeededTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What holds of eviction times whatever the taints and tolerations are. */
class EvictionTimePropertyTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int CASES = 2_000;

  /** A pod's situation drawn at random from few enough words that they often meet. */
  private static final class Draw {
    private final SplittableRandom random;

    Draw(long seed) {
      random = new SplittableRandom(seed);
    }

    List<Taint> taints() {
      List<Taint> taints = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        taints.add(
            new Taint(
                one("a", "b", "c"),
                one("", "1", "2"),
                one(TaintEffect.NO_EXECUTE, TaintEffect.NO_EXECUTE, TaintEffect.NO_SCHEDULE),
                NOW.minusSeconds(random.nextInt(500))));
      }
      return taints;
    }

    List<Toleration> tolerations() {
      List<Toleration> tolerations = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        tolerations.add(toleration());
      }
      return tolerations;
    }

    Toleration toleration() {
      return new Toleration(
          one("", "a", "b", "c"),
          one(TolerationOperator.EXISTS, TolerationOperator.EXISTS, TolerationOperator.EQUAL),
          one("", "1", "2"),
          random.nextInt(3) == 0 ? null : TaintEffect.NO_EXECUTE,
          random.nextBoolean() ? null : (Long) (long) random.nextInt(-1, 600));
    }

    @SafeVarargs
    private <T> T one(T... choices) {
      return choices[random.nextInt(choices.length)];
    }
  }

  private static EvictionTime decide(List<Toleration> tolerations, List<Taint> taints) {
    return EvictionTime.of(
        new PodTree(pod("p").on("n").tolerating(tolerations.toArray(Toleration[]::new)).tree()),
        NOW.minusSeconds(1_000),
        taints,
        TolerationRules.STANDARD,
        NOW);
  }

  /** The instant a decision amounts to; null for never. */
  private static @Nullable Instant instant(EvictionTime time) {
    return switch (time) {
      case EvictionTime.Never _ -> null;
      case EvictionTime.At(Instant at, Taint _) -> at;
      case EvictionTime.Immediately _ -> Instant.MIN;
    };
  }

  private static boolean notEarlier(EvictionTime left, EvictionTime right) {
    Instant a = instant(left);
    Instant b = instant(right);
    return a == null || (b != null && !a.isBefore(b));
  }

  @SeededTest(fixed = 2, fresh = 1)
  void aFurtherTaintNeverMakesItLater(long seed) {
    Draw draw = new Draw(seed);
    int earlier = 0;
    for (int i = 0; i < CASES; i++) {
      List<Toleration> tolerations = draw.tolerations();
      List<Taint> taints = draw.taints();
      List<Taint> more = new ArrayList<>(taints);
      more.addAll(draw.taints());
      EvictionTime few = decide(tolerations, taints);
      EvictionTime many = decide(tolerations, more);
      assertThat(notEarlier(few, many))
          .as("seed %d, case %d: %s, then %s", seed, i, few, many)
          .isTrue();
      earlier += notEarlier(many, few) ? 0 : 1;
    }
    assertThat(earlier).as("cases where it mattered").isGreaterThan(CASES / 20);
  }

  /** It can only be earlier if it matches a taint with fewer seconds than those that were there. */
  @SeededTest(fixed = 2, fresh = 1)
  void aFurtherTolerationWithoutSecondsNeverMakesItEarlier(long seed) {
    Draw draw = new Draw(seed);
    int later = 0;
    for (int i = 0; i < CASES; i++) {
      List<Toleration> tolerations = draw.tolerations();
      List<Taint> taints = draw.taints();
      Toleration drawn = draw.toleration();
      List<Toleration> more = new ArrayList<>(tolerations);
      more.add(new Toleration(drawn.key(), drawn.operator(), drawn.value(), drawn.effect(), null));
      EvictionTime few = decide(tolerations, taints);
      EvictionTime many = decide(more, taints);
      assertThat(notEarlier(many, few))
          .as("seed %d, case %d: %s, then %s", seed, i, few, many)
          .isTrue();
      later += notEarlier(few, many) ? 0 : 1;
    }
    assertThat(later).as("cases where it mattered").isGreaterThan(CASES / 20);
  }

  @SeededTest(fixed = 2, fresh = 1)
  void aTolerationMakesItEarlierOnlyByMatchingForFewerSeconds(long seed) {
    Draw draw = new Draw(seed);
    int earlier = 0;
    for (int i = 0; i < CASES; i++) {
      List<Toleration> tolerations = draw.tolerations();
      List<Taint> taints = draw.taints();
      Toleration added = draw.toleration();
      List<Toleration> more = new ArrayList<>(tolerations);
      more.add(added);
      EvictionTime few = decide(tolerations, taints);
      EvictionTime many = decide(more, taints);
      if (!notEarlier(many, few)) {
        earlier++;
        assertThat(added.tolerationSeconds()).as("seed %d, case %d", seed, i).isNotNull();
        assertThat(taints)
            .as("seed %d, case %d", seed, i)
            .anyMatch(t -> TolerationRules.STANDARD.tolerates(added, t));
      }
    }
    assertThat(earlier).as("cases where it mattered").isGreaterThan(CASES / 50);
  }

  @SeededTest(fixed = 2, fresh = 1)
  void theOrderOfTolerationsDoesNotCount(long seed) {
    Draw draw = new Draw(seed);
    int bounded = 0;
    for (int i = 0; i < CASES; i++) {
      List<Toleration> tolerations = draw.tolerations();
      List<Taint> taints = draw.taints();
      List<Toleration> reversed = new ArrayList<>(tolerations);
      Collections.reverse(reversed);
      EvictionTime time = decide(tolerations, taints);
      assertThat(decide(reversed, taints)).as("seed %d, case %d", seed, i).isEqualTo(time);
      bounded += time instanceof EvictionTime.At ? 1 : 0;
    }
    assertThat(bounded).as("cases with a deadline").isGreaterThan(CASES / 20);
  }
}
