package dev.berth.sim.scenario;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What talks to the API server of a simulated cluster, beside its nodes. */
public enum SimulatedComponent {
  CONTROLLERS,
  SCHEDULER;

  /** As scenario files name it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static String words(List<SimulatedComponent> components) {
    return components.stream().map(SimulatedComponent::word).collect(Collectors.joining(" and "));
  }
}
