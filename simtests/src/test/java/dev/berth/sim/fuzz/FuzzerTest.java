package dev.berth.sim.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The whole control plane under faults: nothing breaks that was not broken on purpose, and what was
 * is found. {@code -Dberth.fuzz.search=true} looks for each planted bug from the first seed on,
 * instead of with one that is known to find it.
 */
class FuzzerTest {
  private static final FuzzSettings SMALL = new FuzzSettings(6, 36, 40, Duration.ofMinutes(30));
  private static final int MOST_SEEDS = 200;

  @SeededTest(fixed = 3, fresh = 3)
  void everythingHolds(long seed) {
    Optional<FuzzFailure> failure = new Fuzzer(SMALL).play(seed).failure();
    assertThat(failure.map(FuzzerTest::told)).isEmpty();
  }

  private static String told(FuzzFailure failure) {
    return "%s%n%s: %s%n%s"
        .formatted(
            failure.invariant(),
            failure.at(),
            failure.what(),
            String.join("\n", failure.history()));
  }

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void aPlantedBugIsFound(PlantedBug bug) {
    boolean searches = Boolean.getBoolean("berth.fuzz.search");
    long seed = searches ? 1 : bug.seed();
    Optional<String> broken = broken(bug, seed);
    while (searches && !broken.equals(Optional.of(bug.invariant())) && seed < MOST_SEEDS) {
      seed++;
      broken = broken(bug, seed);
    }
    assertThat(broken).contains(bug.invariant());
  }

  private static Optional<String> broken(PlantedBug bug, long seed) {
    return new Fuzzer(SMALL, bug.plant()).play(seed).failure().map(FuzzFailure::invariant);
  }

  @Test
  void theSameSeedIsTheSameHistory() {
    Fuzzer fuzzer = new Fuzzer(SMALL);
    assertThat(fuzzer.play(7)).isEqualTo(fuzzer.play(7));
  }

  @Test
  void whatIsLeftOfAHistoryStillFailsAndIsShorter() {
    PlantedBug bug = PlantedBug.DELETES_BY_FORCE;
    FuzzFailure found = new Fuzzer(SMALL, bug.plant()).play(bug.seed()).failure().orElseThrow();
    int[] tries = {0};
    FuzzFailure shortest = new Fuzzer(SMALL, bug.plant()).shrink(found, () -> tries[0]++ < 4);
    assertThat(shortest.invariant()).isEqualTo(bug.invariant());
    assertThat(shortest.numbers().size()).isLessThanOrEqualTo(found.numbers().size());
    assertThat(
            new Fuzzer(SMALL, bug.plant())
                .play(bug.seed(), Set.copyOf(shortest.numbers()))
                .failure()
                .map(FuzzFailure::what))
        .contains(shortest.what());
    assertThat(List.copyOf(shortest.history())).hasSameSizeAs(shortest.numbers());
  }
}
