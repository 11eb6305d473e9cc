package dev.berth.log;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** What the JDK finds when it looks for somebody who logs; without it, it would log by itself. */
public final class JdkLoggers extends System.LoggerFinder {

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new JdkLogger(Log.logger(name));
  }

  private record JdkLogger(ComponentLogger logger) implements System.Logger {
    @Override
    public String getName() {
      return logger.getName();
    }

    @Override
    public boolean isLoggable(Level level) {
      return level != Level.OFF && logger.isEnabled(of(level));
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        logger.atLevel(of(level)).setCause(thrown).log(translated(bundle, message));
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        Object @Nullable ... arguments) {
      if (isLoggable(level)) {
        String pattern = translated(bundle, format);
        logger
            .atLevel(of(level))
            .log(
                arguments == null || arguments.length == 0
                    ? pattern
                    : MessageFormat.format(pattern, arguments));
      }
    }

    private static String translated(@Nullable ResourceBundle bundle, @Nullable String message) {
      if (message == null) {
        return "";
      }
      return bundle != null && bundle.containsKey(message) ? bundle.getString(message) : message;
    }

    private static org.slf4j.event.Level of(Level level) {
      return switch (level) {
        case ALL, TRACE -> org.slf4j.event.Level.TRACE;
        case DEBUG -> org.slf4j.event.Level.DEBUG;
        case INFO -> org.slf4j.event.Level.INFO;
        case WARNING -> org.slf4j.event.Level.WARN;
        case ERROR, OFF -> org.slf4j.event.Level.ERROR;
      };
    }
  }
}
