package dev.berth.cli.running;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.options.LogOptions;
import dev.berth.log.Log;
import dev.berth.log.LogFormat;
import dev.berth.log.LogLevels;
import dev.berth.log.LogRing;
import dev.berth.log.LogWriter;

/** The log of a process: written as its options say, with the last lines kept in memory. */
public final class ProcessLog implements AutoCloseable {
  /** About a megabyte. */
  private static final int LINES_KEPT = 4_000;

  private final LogRing kept = new LogRing(LINES_KEPT);
  private final LogWriter writer;
  private final Log.Attachment attachment;

  private ProcessLog(LogLevels levels, LogFormat format, LogWriter.Output out) {
    writer = new LogWriter(format, out);
    attachment =
        Log.attach(
            levels,
            line -> {
              kept.accept(line);
              writer.accept(line);
            });
  }

  public static ProcessLog start(Arguments arguments, Console console) {
    return new ProcessLog(
        LogOptions.levels(arguments), LogOptions.format(arguments), console.log());
  }

  /** The last lines. */
  public String recent() {
    return kept.text(LogFormat.TEXT);
  }

  /** Writes what waits. */
  @Override
  public void close() {
    attachment.close();
    writer.close();
  }
}
