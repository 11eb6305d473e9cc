package dev.berth.log;

/** Takes lines. Called on the thread that logs, so it must neither wait nor throw. */
@FunctionalInterface
public interface LogSink {
  void accept(LogLine line);
}
