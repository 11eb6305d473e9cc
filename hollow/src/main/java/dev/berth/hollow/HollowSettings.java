package dev.berth.hollow;

import java.time.Duration;
import java.util.List;

/**
 * How many nodes there are, and how they behave.
 *
 * @param prefix their names are this, a dash and a number from 0 on
 * @param zones they are spread over these, in turn; in no zone if empty
 * @param leaseDuration how long a lease is valid; it is renewed four times in that time
 * @param statusPeriod how often a node posts its status when nothing changed
 * @param startLatency how long a pod's containers take to start
 * @param stopLatency how long they take to stop, unless their grace period is shorter
 * @param crashesPerHour how often, on average, a container crashes
 * @param notReadyPerHour how often, on average, a node becomes not ready for a minute
 */
public record HollowSettings(
    String prefix,
    int nodes,
    List<String> zones,
    Duration leaseDuration,
    Duration statusPeriod,
    Duration startLatency,
    Duration stopLatency,
    double crashesPerHour,
    double notReadyPerHour) {
  public HollowSettings {
    zones = List.copyOf(zones);
  }

  public static HollowSettings of(int nodes) {
    return new HollowSettings(
        "hollow",
        nodes,
        List.of(),
        Duration.ofSeconds(40),
        Duration.ofMinutes(5),
        Duration.ofMillis(500),
        Duration.ofMillis(200),
        0,
        0);
  }
}
