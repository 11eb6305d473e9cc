package dev.berth.log;

import java.util.Map;
import org.slf4j.event.Level;

/**
 * From which level on each component is logged.
 *
 * @param usual for components that have none of their own
 */
public record LogLevels(Level usual, Map<String, Level> byComponent) {
  public static final LogLevels DEFAULT = of(Level.INFO);

  public LogLevels {
    byComponent = Map.copyOf(byComponent);
  }

  /** The same level for everybody. */
  public static LogLevels of(Level usual) {
    return new LogLevels(usual, Map.of());
  }

  public Level of(String component) {
    return byComponent.getOrDefault(component, usual);
  }
}
