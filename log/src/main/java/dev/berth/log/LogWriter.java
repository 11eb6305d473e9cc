package dev.berth.log;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Writes lines somewhere, on a thread of its own: a pipe that nobody reads, a terminal that was
 * stopped and a full disk must not stop whoever logs. So many lines may wait; what comes then is
 * lost, and the log says how much that was once it can be written again.
 */
public final class LogWriter implements LogSink, AutoCloseable {
  private static final int MOST_WAITING = 10_000;
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  /** Where lines go. */
  @FunctionalInterface
  public interface Output {
    void write(String lines) throws IOException;
  }

  /** A line that waits, or somebody who wants to know when all before were written. */
  private record Waiting(String line, @Nullable CountDownLatch written) {}

  private final LogFormat format;
  private final Output output;
  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
  private final AtomicLong lost = new AtomicLong();
  private final Thread thread;

  public LogWriter(LogFormat format, Output output) {
    this.format = format;
    this.output = output;
    this.thread = Thread.ofPlatform().name("log").daemon().start(this::run);
  }

  @Override
  public void accept(LogLine line) {
    if (!waiting.offer(new Waiting(format.format(line), null))) {
      lost.incrementAndGet();
    }
  }

  private void run() {
    List<Waiting> batch = new ArrayList<>();
    try {
      while (true) {
        batch.add(waiting.take());
        waiting.drainTo(batch);
        write(batch);
        batch.clear();
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void write(List<Waiting> batch) {
    StringBuilder lines = new StringBuilder();
    long before = lost.getAndSet(0);
    if (before > 0) {
      lines.append(format.format(lossOf(before)));
    }
    batch.forEach(line -> lines.append(line.line()));
    try {
      output.write(lines.toString());
    } catch (IOException e) {
      // Who could be told? The next line that can be written says how many could not.
      lost.addAndGet(before + batch.stream().filter(line -> !line.line().isEmpty()).count());
    }
    for (Waiting line : batch) {
      if (line.written() != null) {
        line.written().countDown();
      }
    }
  }

  private static LogLine lossOf(long lines) {
    return new LogLine(
        Log.now(),
        Level.WARN,
        "log",
        "lines were lost because the log could not be written",
        List.of(new LogLine.Value("lines", Long.toString(lines))),
        null);
  }

  /** Waits until what was logged so far is written, but not for ever. */
  public void flush() {
    CountDownLatch written = new CountDownLatch(1);
    try {
      if (waiting.offer(new Waiting("", written), FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
        var _ = written.await(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    flush();
    thread.interrupt();
  }
}
