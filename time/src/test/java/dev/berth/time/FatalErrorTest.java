package dev.berth.time;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes with little memory, since what is tested is how they end. */
class FatalErrorTest {

  /** What such a process does. */
  static final class Child {
    private static final List<long[]> KEPT = new ArrayList<>();

    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      try {
        runLoop(args[0]);
      } catch (OutOfMemoryError e) { // this thread may be the one that finds no memory
        FatalError.check(e);
      }
    }

    private static void runLoop(String what) throws InterruptedException {
      WallTime time = new WallTime(FatalError::end);
      Loop loop = time.start("hungry");
      switch (what) {
        case "task" -> loop.offer(Child::takeAll);
        case "call" ->
            loop.call(
                () -> {
                  takeAll();
                  return 0;
                },
                _ -> {});
        case "together" -> loop.call(() -> together(time), _ -> {});
        default ->
            loop.offer(() -> {
              throw new CompletionException(new IllegalStateException("a bug"));
            });
      }
      new CountDownLatch(1).await();
    }

    private static int together(Time time) {
      time.together(List.of(Child::takeAll));
      return 0;
    }

    private static void takeAll() {
      while (true) {
        KEPT.add(new long[100_000]);
      }
    }
  }

  /** How a process ended. */
  private record End(int exitCode, String err) {}

  private static End run(String what) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                what)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new End(process.waitFor(), err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"task", "call", "together"})
  void outOfMemoryEndsTheProcessWhereverItHappens(String where) throws Exception {
    End end = run(where);
    assertThat(end.exitCode()).isEqualTo(FatalError.OUT_OF_MEMORY);
    assertThat(end.err()).startsWith("berth: Out of memory");
  }

  @Test
  void aLoopThatNobodySupervisesEndsTheProcess() throws Exception {
    End end = run("bug");
    assertThat(end.exitCode()).isEqualTo(FatalError.BUG);
    assertThat(end.err())
        .startsWith("berth: The loop \"hungry\" ended")
        .contains("IllegalStateException: a bug");
  }

  @Test
  void othersAreLeftAlone() {
    FatalError.check(new IllegalStateException(new StackOverflowError()));
  }
}
