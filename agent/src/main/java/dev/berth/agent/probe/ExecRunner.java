package dev.berth.agent.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Session;
import dev.berth.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Runs commands in containers, for probes and hooks. Lives on a loop. */
final class ExecRunner {
  /** How much of a command's output is kept. */
  private static final int MOST_OUTPUT = 10 << 10;

  private final ContainerRuntime runtime;
  private final Time time;
  private final ContainerCalls calls;

  ExecRunner(ContainerRuntime runtime, Time time, ContainerCalls calls) {
    this.runtime = runtime;
    this.time = time;
    this.calls = calls;
  }

  /**
   * Runs a command, and says what came of it.
   *
   * @param timeout after which it is ended; zero for as long as it takes
   */
  void run(String container, List<String> command, Duration timeout, Consumer<Outcome> then) {
    calls.call(container, timeout, cutoff -> run(container, command, cutoff), then);
  }

  /** Beside the loop. */
  private Outcome run(String container, List<String> command, Cutoff cutoff) {
    ExecSpec spec = new ExecSpec(command, false, false, cutoff.limit());
    try (Session session = runtime.exec(container, spec)) {
      cutoff.opened(session);
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      // Both at once: a command that fills one must not wait for a reader of the other.
      time.together(
          List.of(() -> copy(session.stdout(), output), () -> copy(session.stderr(), output)));
      int code = session.waitFor();
      if (cutoff.isOver()) {
        return timedOut(command, cutoff);
      }
      String text = output.toString(UTF_8);
      return code == 0 ? Outcome.success(text) : Outcome.failure(text);
    } catch (RuntimeFailure e) {
      return cutoff.isOver()
          ? timedOut(command, cutoff)
          : Outcome.error(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.error("interrupted");
    }
  }

  private static Outcome timedOut(List<String> command, Cutoff cutoff) {
    return Outcome.failure(
        "command timed out: \"%s\" timed out after %ds"
            .formatted(String.join(" ", command), cutoff.limit().toSeconds()));
  }

  private static void copy(InputStream from, ByteArrayOutputStream to) {
    byte[] buffer = new byte[4096];
    try {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        synchronized (to) {
          to.write(buffer, 0, Math.min(read, Math.max(0, MOST_OUTPUT - to.size())));
        }
      }
    } catch (IOException _) {
      // It was closed because it took too long; what it said so far stays.
    }
  }
}
