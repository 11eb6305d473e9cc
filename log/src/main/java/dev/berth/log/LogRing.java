package dev.berth.log;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines, for whoever asks when something has happened. */
public final class LogRing implements LogSink {
  private final int most;
  private final Deque<LogLine> lines = new ArrayDeque<>();

  /**
   * @param most how many lines are kept
   */
  public LogRing(int most) {
    this.most = most;
  }

  @Override
  public synchronized void accept(LogLine line) {
    if (lines.size() == most) {
      lines.removeFirst();
    }
    lines.add(line);
  }

  /** What is kept, the oldest line first. */
  public String text(LogFormat format) {
    StringBuilder text = new StringBuilder();
    copy().forEach(line -> text.append(format.format(line)));
    return text.toString();
  }

  /** Formatting takes a while, and nobody who logs waits for it. */
  private synchronized Iterable<LogLine> copy() {
    return new ArrayDeque<>(lines);
  }
}
