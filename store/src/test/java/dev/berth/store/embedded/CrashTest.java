package dev.berth.store.embedded;

import dev.berth.store.Store;
import dev.berth.time.fixture.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills a process that writes, at a moment that a seed chooses, and looks whether everything it was
 * told is durable is there. {@code ./test --crash-rounds N} says how often.
 *
 * <p>The directory is kept from round to round, and looked at through a copy, so that each child
 * finds it as the one before left it.
 */
class CrashTest {

  /** In one directory, which grows; with one seed. */
  private static final int ROUNDS = 100;

  private static final int ALL_ROUNDS = Integer.getInteger("berth.crash.rounds", 200);

  @TempDir Path temporary;

  private final CrashModel model = new CrashModel();

  static LongStream seeds() {
    return Seeds.of(1, Math.ceilDiv(ALL_ROUNDS, ROUNDS) - 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void losesNothingThatWasAcknowledged(long seed) throws Exception {
    var random = new SplittableRandom(seed);
    Plan plan = Plan.draw(random);
    Child next = start(plan);
    for (int round = 0; round < ROUNDS; round++) {
      Plan current = plan;
      plan = Plan.draw(random);
      try (Child child = next) {
        next = start(plan);
        live(child, current);
        check();
      } catch (Exception | AssertionError e) {
        next.close();
        throw new AssertionError(
            "Round %d of %d, killed %s: %s%nTo replay: %s"
                .formatted(
                    round, ROUNDS, current, e.getMessage(), Seeds.replay(CrashTest.class, seed)),
            e);
      }
    }
    next.close();
  }

  /** When a child dies: at a word it says, or after so many writes, and a little later. */
  private record Plan(long seed, String word, long writes, long closeAfter, int spins) {
    static Plan draw(SplittableRandom random) {
      long seed = random.nextLong();
      int spins = random.nextInt(1 << random.nextInt(18));
      int kind = random.nextInt(20);
      if (kind < 3) {
        return new Plan(seed, "opening", 0, Long.MAX_VALUE, spins);
      }
      if (kind < 6) {
        return new Plan(seed, "closing", 0, random.nextInt(1, 200), spins);
      }
      int writes = 1 + random.nextInt(1 << random.nextInt(1, 10));
      return new Plan(seed, "did", writes, Long.MAX_VALUE, spins);
    }
  }

  private Child start(Plan plan) {
    return Child.start(
        temporary,
        List.of(),
        CrashChild.class,
        directory().toString(),
        Long.toString(plan.seed()),
        Long.toString(plan.closeAfter()));
  }

  private Path directory() {
    return temporary.resolve("data");
  }

  private void live(Child child, Plan plan) throws IOException {
    child.go();
    long writes = 0;
    String line = child.line();
    while (!line.isEmpty()) {
      if (model.hear(line)) {
        writes++;
      }
      if (line.startsWith(plan.word()) && writes >= plan.writes()) {
        for (int i = 0; i < plan.spins(); i++) {
          Thread.onSpinWait();
        }
        child.kill();
        break;
      }
      line = child.line();
    }
    child.remainingLines().forEach(model::hear);
    child.close();
  }

  private void check() throws IOException {
    if (!Files.exists(directory())) {
      return;
    }
    Path copy = temporary.resolve("copy");
    DirectoryBytes.copy(directory(), copy);
    try (Store store = EmbeddedStore.open(copy, EmbeddedStore.Options.DEFAULT)) {
      model.check(store);
    }
  }
}
