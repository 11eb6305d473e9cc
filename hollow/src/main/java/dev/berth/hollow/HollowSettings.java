package dev.berth.hollow;

import java.time.Duration;
import java.util.List;

/**
 * How many nodes there are, and how they behave. {@link #of} gives the defaults; the methods below
 * it change them.
 */
public record HollowSettings(
    Fleet fleet, NodeSize size, Heartbeats heartbeats, PodTimes pods, Mishaps mishaps) {

  /**
   * Which nodes there are.
   *
   * @param prefix their names are this, a dash and a number from 0 on
   * @param zones they are spread over these, in turn; in no zone if empty
   * @param region the region of the zones
   * @param machines if there are any, these are the nodes, and all else here does not matter
   */
  public record Fleet(
      String prefix, int nodes, List<String> zones, String region, List<HollowMachine> machines) {

    /** Nodes that are all alike. */
    public Fleet(String prefix, int nodes, List<String> zones, String region) {
      this(prefix, nodes, zones, region, List.of());
    }

    public Fleet {
      zones = List.copyOf(zones);
      machines = List.copyOf(machines);
      nodes = machines.isEmpty() ? nodes : machines.size();
      if (nodes < 0) {
        throw new IllegalArgumentException("There cannot be " + nodes + " nodes.");
      }
    }
  }

  /**
   * How nodes show that they live.
   *
   * @param leaseDuration how long a lease is valid
   * @param renewEvery how often it is renewed; a kubelet does so four times in its duration. A
   *     simulation of hours may do so less often: a node counts as lost once nothing was heard from
   *     it for the control plane's grace period, so anything well below that keeps its view true,
   *     and only moves, by as much, the moment at which silence is noticed.
   * @param statusPeriod how often a node posts its status when nothing changed
   * @param areSent whether they are; if not, nodes renew their leases and post their status when
   *     something changes alone, and whoever has to know when they would have been heard of asks
   *     them
   */
  public record Heartbeats(
      Duration leaseDuration, Duration renewEvery, Duration statusPeriod, boolean areSent) {
    public Heartbeats {
      if (!leaseDuration.isPositive() || !renewEvery.isPositive() || !statusPeriod.isPositive()) {
        throw new IllegalArgumentException("Nodes need some time between two heartbeats.");
      }
    }
  }

  /**
   * How long things take that happen to pods.
   *
   * @param start how long a pod's containers take to start
   * @param stop how long they take to stop, unless their grace period is shorter
   * @param postsFinalStatus whether a pod's last status is posted before it is deleted, as a
   *     kubelet does. Without, only pods that outlive their deletion (by a finalizer) say how they
   *     ended, and ending a pod is one request instead of two.
   */
  public record PodTimes(Duration start, Duration stop, boolean postsFinalStatus) {}

  /**
   * What goes wrong by itself, by chance.
   *
   * @param crashesPerHour how often, on average, a container of each pod crashes
   * @param notReadyPerHour how often, on average, each node becomes not ready for a minute
   */
  public record Mishaps(double crashesPerHour, double notReadyPerHour) {
    public Mishaps {
      if (!(crashesPerHour >= 0) || !(notReadyPerHour >= 0)) {
        throw new IllegalArgumentException("Nothing happens less often than never.");
      }
    }
  }

  public static HollowSettings of(int nodes) {
    return new HollowSettings(
        new Fleet("hollow", nodes, List.of(), "hollow"),
        NodeSize.USUAL,
        new Heartbeats(Duration.ofSeconds(40), Duration.ofSeconds(10), Duration.ofMinutes(5), true),
        new PodTimes(Duration.ofMillis(500), Duration.ofMillis(200), true),
        new Mishaps(0, 0));
  }

  /** Nodes that differ from each other. */
  public static HollowSettings of(List<HollowMachine> machines) {
    return of(0).with(new Fleet("", 0, List.of(), "", machines));
  }

  public HollowSettings prefix(String prefix) {
    return with(new Fleet(prefix, fleet.nodes, fleet.zones, fleet.region));
  }

  public HollowSettings zones(String... zones) {
    return zones(List.of(zones));
  }

  public HollowSettings zones(List<String> zones) {
    return with(new Fleet(fleet.prefix, fleet.nodes, zones, fleet.region));
  }

  public HollowSettings region(String region) {
    return with(new Fleet(fleet.prefix, fleet.nodes, fleet.zones, region));
  }

  public HollowSettings size(NodeSize each) {
    return new HollowSettings(fleet, each, heartbeats, pods, mishaps);
  }

  /** Leases of this duration, renewed four times in it. */
  public HollowSettings leaseDuration(Duration duration) {
    return with(
        new Heartbeats(
            duration, duration.dividedBy(4), heartbeats.statusPeriod, heartbeats.areSent));
  }

  public HollowSettings renewEvery(Duration interval) {
    return with(
        new Heartbeats(
            heartbeats.leaseDuration, interval, heartbeats.statusPeriod, heartbeats.areSent));
  }

  public HollowSettings statusPeriod(Duration period) {
    return with(
        new Heartbeats(
            heartbeats.leaseDuration, heartbeats.renewEvery, period, heartbeats.areSent));
  }

  public HollowSettings sentHeartbeats() {
    return sendsHeartbeats(true);
  }

  /** Heartbeats of healthy nodes are known, but not sent. */
  public HollowSettings unsentHeartbeats() {
    return sendsHeartbeats(false);
  }

  private HollowSettings sendsHeartbeats(boolean areSent) {
    return with(
        new Heartbeats(
            heartbeats.leaseDuration, heartbeats.renewEvery, heartbeats.statusPeriod, areSent));
  }

  public HollowSettings startLatency(Duration latency) {
    return with(new PodTimes(latency, pods.stop, pods.postsFinalStatus));
  }

  public HollowSettings stopLatency(Duration latency) {
    return with(new PodTimes(pods.start, latency, pods.postsFinalStatus));
  }

  public HollowSettings withoutFinalStatus() {
    return with(new PodTimes(pods.start, pods.stop, false));
  }

  public HollowSettings crashesPerHour(double rate) {
    return with(new Mishaps(rate, mishaps.notReadyPerHour));
  }

  public HollowSettings notReadyPerHour(double rate) {
    return with(new Mishaps(mishaps.crashesPerHour, rate));
  }

  private HollowSettings with(Fleet changed) {
    return new HollowSettings(changed, size, heartbeats, pods, mishaps);
  }

  private HollowSettings with(Heartbeats changed) {
    return new HollowSettings(fleet, size, changed, pods, mishaps);
  }

  private HollowSettings with(PodTimes changed) {
    return new HollowSettings(fleet, size, heartbeats, changed, mishaps);
  }

  private HollowSettings with(Mishaps changed) {
    return new HollowSettings(fleet, size, heartbeats, pods, changed);
  }
}
