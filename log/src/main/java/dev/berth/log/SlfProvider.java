package dev.berth.log;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** What SLF4J finds when it looks for somebody who logs. */
public final class SlfProvider implements SLF4JServiceProvider {
  /** The version of SLF4J that this was written for. */
  private static final String WRITTEN_FOR = "2.0.99";

  private final ILoggerFactory loggers = Log::logger;
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  @Override
  public ILoggerFactory getLoggerFactory() {
    return loggers;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return WRITTEN_FOR;
  }

  @Override
  public void initialize() {}
}
