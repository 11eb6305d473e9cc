package dev.berth.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/**
 * A logger as SLF4J wants it.
 *
 * <p>Libraries call info what only those want to know who look into the library: that it started,
 * say. So their info is our debug, and their stack traces are for debug too. What they call debug
 * is never logged: Jetty shows headers and buffers there, and with them tokens and Secrets.
 */
final class ComponentLogger extends LegacyAbstractLogger implements LoggingEventAware {
  /** More than any level. */
  static final int OFF = Integer.MAX_VALUE;

  private final String component;
  private final boolean isLibrary;

  /** The least level that anybody wants, as Berth's levels go. */
  private volatile int threshold = OFF;

  ComponentLogger(String name) {
    this.name = name;
    this.component = LoggerNames.component(name);
    this.isLibrary = LoggerNames.isLibrary(name);
  }

  String component() {
    return component;
  }

  void logFrom(int level) {
    threshold = level;
  }

  boolean isEnabled(Level level) {
    if (isLibrary && level.toInt() < Level.INFO.toInt()) {
      return false;
    }
    return own(level).toInt() >= threshold;
  }

  private Level own(Level level) {
    return isLibrary && level == Level.INFO ? Level.DEBUG : level;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    publish(level, message, arguments, List.of(), thrown);
  }

  @Override
  public void log(LoggingEvent event) {
    if (isEnabled(event.getLevel())) {
      publish(
          event.getLevel(),
          event.getMessage(),
          event.getArgumentArray(),
          event.getKeyValuePairs(),
          event.getThrowable());
    }
  }

  private void publish(
      Level level,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable List<KeyValuePair> pairs,
      @Nullable Throwable thrown) {
    String text = MessageFormatter.basicArrayFormat(message, arguments);
    List<LogLine.Value> values = new ArrayList<>();
    if (pairs != null) {
      pairs.forEach(pair -> values.add(new LogLine.Value(pair.key, String.valueOf(pair.value))));
    }
    boolean withTrace = !isLibrary || threshold <= Level.DEBUG.toInt();
    if (thrown != null && !withTrace) {
      values.add(new LogLine.Value("cause", StackTraces.title(thrown)));
    }
    Log.publish(
        new LogLine(
            Log.now(),
            own(level),
            component,
            text == null ? "" : text,
            List.copyOf(values),
            withTrace ? thrown : null));
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  public boolean isTraceEnabled() {
    return isEnabled(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return isEnabled(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return isEnabled(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return isEnabled(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return isEnabled(Level.ERROR);
  }
}
