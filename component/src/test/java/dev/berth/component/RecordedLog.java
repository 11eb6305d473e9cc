package dev.berth.component;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Keeps what is logged, for tests to look at. */
public final class RecordedLog implements SLF4JServiceProvider {
  private static final List<Line> LINES = new ArrayList<>();

  /** One message. */
  record Line(Level level, String logger, String message, @Nullable Throwable thrown) {}

  /** What was logged since this was last asked. */
  static List<Line> take() {
    List<Line> taken = List.copyOf(LINES);
    LINES.clear();
    return taken;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return RecordingLogger::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return new BasicMarkerFactory();
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return new NOPMDCAdapter();
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  private static final class RecordingLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    RecordingLogger(String name) {
      this.name = name;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String pattern,
        Object @Nullable [] arguments,
        @Nullable Throwable thrown) {
      String message = MessageFormatter.basicArrayFormat(pattern, arguments);
      LINES.add(new Line(level, name, message, thrown));
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }
  }
}
