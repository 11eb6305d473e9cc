package dev.berth.sim.forecast;

import dev.berth.model.core.Taint;
import java.util.List;

/** What would be done, to which nodes. */
public sealed interface ForecastAction {
  List<String> nodes();

  /** Nodes get a taint. */
  record AddTaint(List<String> nodes, Taint taint) implements ForecastAction {}

  /** Nodes get no further pods. */
  record Cordon(List<String> nodes) implements ForecastAction {}

  /**
   * Nodes are emptied as {@code kubectl drain --ignore-daemonsets --force --delete-emptydir-data}
   * does: all are cordoned, then one after the other is emptied by the Eviction API, and whoever a
   * budget holds back is asked for again every five seconds.
   */
  record Drain(List<String> nodes) implements ForecastAction {}

  /** Nodes fall silent. */
  record Lose(List<String> nodes) implements ForecastAction {}
}
