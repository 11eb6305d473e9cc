package dev.berth.sim.scenario;

import java.time.Duration;

/** Durations as people read them: {@code 1h5m}, {@code 40s}. */
public final class Spans {
  private Spans() {}

  public static String text(Duration span) {
    if (span.isZero()) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    if (span.toHours() > 0) {
      text.append(span.toHours()).append('h');
    }
    if (span.toMinutesPart() > 0) {
      text.append(span.toMinutesPart()).append('m');
    }
    if (span.toSecondsPart() > 0) {
      text.append(span.toSecondsPart()).append('s');
    }
    if (span.toMillisPart() > 0) {
      text.append(span.toMillisPart()).append("ms");
    }
    return text.toString();
  }
}
