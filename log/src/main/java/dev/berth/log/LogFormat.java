package dev.berth.log;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** What a line looks like. */
public enum LogFormat {
  /** For people: columns, then the message, then its values; a stack trace in lines below. */
  TEXT {
    @Override
    public String format(LogLine line) {
      StringBuilder out = new StringBuilder(160);
      out.append(time(line.time())).append(' ');
      padded(out, line.level().toString(), LEVEL_WIDTH);
      padded(out, line.component(), COMPONENT_WIDTH);
      LogText.plain(out, line.message());
      for (LogLine.Value value : line.values()) {
        out.append(' ').append(value.key()).append('=');
        LogText.value(out, value.text());
      }
      out.append('\n');
      if (line.cause() != null) {
        out.append(StackTraces.of(line.cause()));
      }
      return out.toString();
    }
  },

  /** For machines: an object of JSON in each line. */
  JSON {
    @Override
    public String format(LogLine line) {
      StringBuilder out = new StringBuilder(200);
      out.append('{');
      field(out, "time", time(line.time()));
      field(out.append(','), "level", line.level().toString().toLowerCase(Locale.ROOT));
      field(out.append(','), "component", line.component());
      field(out.append(','), "message", line.message());
      for (LogLine.Value value : line.values()) {
        field(out.append(','), value.key(), value.text());
      }
      if (line.cause() != null) {
        out.append(",\"stack\":\"");
        LogText.unbounded(out, StackTraces.of(line.cause()));
        out.append('"');
      }
      return out.append("}\n").toString();
    }
  };

  private static final int LEVEL_WIDTH = 6;

  /** Most names fit; a longer one moves its own line only. */
  private static final int COMPONENT_WIDTH = 26;

  private static final String NO_MILLISECONDS = "2030-01-01T00:00:00Z";

  /** The line with its end. */
  public abstract String format(LogLine line);

  /** Always with milliseconds, which {@link Instant#toString} leaves out where there are none. */
  private static String time(Instant time) {
    String text = time.truncatedTo(ChronoUnit.MILLIS).toString();
    return text.length() == NO_MILLISECONDS.length() ? text.replace("Z", ".000Z") : text;
  }

  private static void padded(StringBuilder out, String text, int width) {
    int from = out.length();
    LogText.plain(out, text);
    out.append(" ".repeat(Math.max(1, width - (out.length() - from))));
  }

  private static void field(StringBuilder out, String name, String value) {
    LogText.quoted(out, name);
    out.append(':');
    LogText.quoted(out, value);
  }
}
