package dev.berth.log;

import dev.berth.time.FatalError;
import dev.berth.time.WriterThread;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.event.Level;

/**
 * Writes lines somewhere, on a {@link WriterThread}. What does not fit in its queue, or cannot be
 * written, is lost, and the log says how many lines that were once it can be written again.
 */
public final class LogWriter implements LogSink, AutoCloseable {
  private static final int MOST_WAITING = 10_000;
  private static final Duration FLUSH_PATIENCE = Duration.ofSeconds(2);

  /** Where lines go. */
  @FunctionalInterface
  public interface Output {
    void write(String lines) throws IOException;
  }

  private final LogFormat format;
  private final Output output;
  private final AtomicLong lost = new AtomicLong();
  private final WriterThread<String> thread;

  public LogWriter(LogFormat format, Output output) {
    this.format = format;
    this.output = output;
    this.thread = new WriterThread<>("log", MOST_WAITING, this::write);
    // What it writes to may throw anything, and it goes on: a log cannot log that it ended.
    thread.start(_ -> {});
  }

  @Override
  public void accept(LogLine line) {
    if (!thread.offer(format.format(line))) {
      lost.incrementAndGet();
    }
  }

  private void write(List<String> batch) {
    StringBuilder lines = new StringBuilder();
    long before = lost.getAndSet(0);
    if (before > 0) {
      lines.append(format.format(lossOf(before)));
    }
    batch.forEach(lines::append);
    try {
      output.write(lines.toString());
    } catch (IOException | RuntimeException | Error e) {
      FatalError.check(e);
      // Who could be told? The next line that can be written says how many could not.
      lost.addAndGet(before + batch.size());
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
    try {
      var _ = thread.flush(FLUSH_PATIENCE);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    var _ = thread.close(FLUSH_PATIENCE);
  }
}
