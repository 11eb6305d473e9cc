package dev.berth.log;

import dev.berth.time.LoopContext;
import dev.berth.time.Time;

/** Takes lines. Called on the thread that logs, so it must neither wait nor throw. */
@FunctionalInterface
public interface LogSink {
  void accept(LogLine line);

  /** Passes on what loops on this clock log, whatever others do meanwhile. */
  static LogSink on(Time time, LogSink sink) {
    return line -> {
      if (LoopContext.current().filter(context -> context.time().equals(time)).isPresent()) {
        sink.accept(line);
      }
    };
  }
}
