package dev.berth.policy.daemon;

/**
 * What a DaemonSet's status counts, for one node or for many, and what its rolling update counts.
 *
 * @param unavailable nodes that should have an available pod and have none, as a rolling update
 *     without surge counts them
 * @param surging nodes that have an old pod and a new one that is not available yet
 * @param spare nodes that no new pod would be made for, and that have an available one
 */
public record DaemonCounts(
    int desired,
    int current,
    int misscheduled,
    int ready,
    int available,
    int updated,
    int unavailable,
    int surging,
    int spare) {
  public static final DaemonCounts NONE = new DaemonCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

  public DaemonCounts plus(DaemonCounts more) {
    return sum(more, 1);
  }

  public DaemonCounts minus(DaemonCounts less) {
    return sum(less, -1);
  }

  private DaemonCounts sum(DaemonCounts other, int sign) {
    return new DaemonCounts(
        desired + sign * other.desired,
        current + sign * other.current,
        misscheduled + sign * other.misscheduled,
        ready + sign * other.ready,
        available + sign * other.available,
        updated + sign * other.updated,
        unavailable + sign * other.unavailable,
        surging + sign * other.surging,
        spare + sign * other.spare);
  }
}
