package dev.berth.log;

import dev.berth.time.LoopContext;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Where all loggers of a process meet those who want their lines. Until somebody does, nothing is
 * logged and a call costs a comparison; so tests and programs that embed Berth are not talked to.
 *
 * <p>Static, since SLF4J's loggers are.
 */
public final class Log {
  private static final Time WALL_CLOCK = new WallTime(_ -> {});
  private static final Map<String, ComponentLogger> LOGGERS = new ConcurrentHashMap<>();
  private static final List<Attached> SINKS = new CopyOnWriteArrayList<>();

  private record Attached(LogLevels levels, LogSink sink) {}

  /** Ends what {@link #attach} began. */
  public interface Attachment extends AutoCloseable {
    @Override
    void close();
  }

  private Log() {}

  /** From now on, a sink gets every line that its levels let through. */
  public static Attachment attach(LogLevels levels, LogSink sink) {
    Attached attached = new Attached(levels, sink);
    SINKS.add(attached);
    adjustAll();
    return () -> {
      SINKS.remove(attached);
      adjustAll();
    };
  }

  /** The logger of a name, which is a component's or that of a library's class. */
  static ComponentLogger logger(String name) {
    ComponentLogger found = LOGGERS.get(name);
    if (found != null) {
      return found;
    }
    ComponentLogger logger = LOGGERS.computeIfAbsent(name, ComponentLogger::new);
    // After it is in the map, so that a change of levels at this moment finds it too.
    adjust(logger);
    return logger;
  }

  private static void adjustAll() {
    LOGGERS.values().forEach(Log::adjust);
  }

  private static synchronized void adjust(ComponentLogger logger) {
    int least = ComponentLogger.OFF;
    for (Attached attached : SINKS) {
      least = Math.min(least, attached.levels().of(logger.component()).toInt());
    }
    logger.logFrom(least);
  }

  static void publish(LogLine line) {
    for (Attached attached : SINKS) {
      if (line.level().toInt() >= attached.levels().of(line.component()).toInt()) {
        attached.sink().accept(line);
      }
    }
  }

  /** Now, on the clock of the loop that this thread works for. */
  static Instant now() {
    return LoopContext.current().map(LoopContext::time).orElse(WALL_CLOCK).now();
  }
}
