package dev.berth.agent.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Session;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs commands in containers, for probes and hooks. Lives on a loop. */
final class ExecRunner {
  /** How much of a command's output is kept. */
  private static final int MOST_OUTPUT = 10 << 10;

  private static final Duration SOON = Duration.ofMillis(100);

  private final ContainerRuntime runtime;
  private final Time time;
  private final Loop loop;

  ExecRunner(ContainerRuntime runtime, Time time, Loop loop) {
    this.runtime = runtime;
    this.time = time;
    this.loop = loop;
  }

  /**
   * Runs a command, and says what came of it.
   *
   * @param timeout after which it is ended; zero for as long as it takes
   */
  void run(String container, List<String> command, Duration timeout, Consumer<Outcome> then) {
    AtomicReference<@Nullable Session> open = new AtomicReference<>();
    AtomicBoolean isLate = new AtomicBoolean();
    Loop.Timer timer =
        timeout.isZero()
            ? null
            : loop.after(
                timeout,
                () -> {
                  isLate.set(true);
                  close(open.get());
                });
    boolean accepted =
        loop.call(
            () -> run(container, new ExecSpec(command, false, false, timeout), open, isLate),
            outcome -> {
              if (timer != null) {
                timer.cancel();
              }
              then.accept(
                  isLate.get()
                      ? Outcome.failure(
                          "command timed out: \"%s\" timed out after %ds"
                              .formatted(String.join(" ", command), timeout.toSeconds()))
                      : outcome);
            });
    if (!accepted) {
      if (timer != null) {
        timer.cancel();
      }
      loop.after(SOON, () -> run(container, command, timeout, then));
    }
  }

  /** Beside the loop. */
  private Outcome run(
      String container,
      ExecSpec command,
      AtomicReference<@Nullable Session> open,
      AtomicBoolean isLate) {
    try (Session session = runtime.exec(container, command)) {
      open.set(session);
      if (isLate.get()) {
        // The timer ran before there was anything to close.
        return Outcome.failure("");
      }
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      // Both at once: a command that fills one must not wait for a reader of the other.
      time.together(
          List.of(() -> copy(session.stdout(), output), () -> copy(session.stderr(), output)));
      int code = session.waitFor();
      String text = output.toString(UTF_8);
      return code == 0 ? Outcome.success(text) : Outcome.failure(text);
    } catch (RuntimeFailure e) {
      return Outcome.error(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.error("interrupted");
    }
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

  private static void close(@Nullable Session session) {
    if (session != null) {
      session.close();
    }
  }
}
