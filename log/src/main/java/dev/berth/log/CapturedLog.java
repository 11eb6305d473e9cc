package dev.berth.log;

import dev.berth.time.Time;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.slf4j.event.Level;

/** The log as a test reads it: everything that is logged from a level on, until it is closed. */
public final class CapturedLog implements AutoCloseable {
  private final List<LogLine> lines = new CopyOnWriteArrayList<>();
  private final Log.Attachment attachment;

  private CapturedLog(Level from, UnaryOperator<LogSink> filter) {
    attachment = Log.attach(LogLevels.of(from), filter.apply(lines::add));
  }

  /** Captures what anybody in the process logs. */
  public static CapturedLog from(Level level) {
    return new CapturedLog(level, sink -> sink);
  }

  /** Captures what loops on this clock log. */
  public static CapturedLog from(Level level, Time time) {
    return new CapturedLog(level, sink -> LogSink.on(time, sink));
  }

  public List<LogLine> lines() {
    return List.copyOf(lines);
  }

  public List<String> messages() {
    return lines.stream().map(LogLine::message).toList();
  }

  /** As a file would hold it. */
  public String text(LogFormat format) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(format.format(line)));
    return text.toString();
  }

  @Override
  public void close() {
    attachment.close();
  }
}
