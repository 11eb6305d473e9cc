package dev.berth.sim.fuzz;

import java.time.Duration;

/**
 * How large a simulated cluster is, and how much happens in it.
 *
 * @param pods how many there are in all when everything runs that is wanted, about
 * @param steps how many things happen in a history: faults, and changes of what is wanted
 * @param span how long a history is, before faults end
 */
public record FuzzSettings(int nodes, int pods, int steps, Duration span) {
  public static final FuzzSettings DEFAULT = new FuzzSettings(20, 200, 90, Duration.ofMinutes(60));

  public FuzzSettings {
    if (nodes < 3) {
      throw new IllegalArgumentException("A history needs 3 nodes at least, not " + nodes + ".");
    }
    if (pods < 2 * nodes) {
      throw new IllegalArgumentException(
          "A history of %d nodes needs %d pods at least, not %d."
              .formatted(nodes, 2 * nodes, pods));
    }
    if (pods > 40 * nodes) {
      throw new IllegalArgumentException(
          "%d nodes take %d pods at most, not %d.".formatted(nodes, 40 * nodes, pods));
    }
  }
}
