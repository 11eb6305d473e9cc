package dev.berth.controllers.daemonset;

/**
 * How daemon pods are placed.
 *
 * @param scheduled whether the scheduler binds them (gate {@code ScheduleDaemonSetPods}); if not,
 *     the controller does, by {@code spec.nodeName}, which works where no scheduler runs
 */
public record DaemonSetSettings(boolean scheduled) {
  public static final DaemonSetSettings DEFAULT = new DaemonSetSettings(true);
}
