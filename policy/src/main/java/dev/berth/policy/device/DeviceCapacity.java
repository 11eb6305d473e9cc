package dev.berth.policy.device;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a node's status says of its devices:
 *
 * <ul>
 *   <li>all of them as its capacity, and the healthy ones as allocatable;
 *   <li>when the plugin is gone, the same capacity, and nothing allocatable;
 *   <li>when it has been gone for more than five minutes, nothing of either. The resource is not
 *       taken from the status: that it is there with nothing tells the scheduler that it is the
 *       node's, and not one that nodes do not know of.
 * </ul>
 *
 * @param expired resources whose plugins have been gone for too long: they are forgotten
 */
public record DeviceCapacity(
    SortedMap<String, Long> capacity,
    SortedMap<String, Long> allocatable,
    SortedSet<String> expired) {
  /** How long a plugin may be gone before its devices are. */
  public static final Duration STOP_GRACE_PERIOD = Duration.ofMinutes(5);

  public static final DeviceCapacity NONE =
      new DeviceCapacity(new TreeMap<>(), new TreeMap<>(), new TreeSet<>());

  public DeviceCapacity {
    capacity = Collections.unmodifiableSortedMap(new TreeMap<>(capacity));
    allocatable = Collections.unmodifiableSortedMap(new TreeMap<>(allocatable));
    expired = Collections.unmodifiableSortedSet(new TreeSet<>(expired));
  }

  /**
   * What the status says of these resources.
   *
   * @param forgotten resources that the node once had
   * @param now on the monotonic clock
   */
  public static DeviceCapacity of(
      Map<String, DeviceResource> resources, SortedSet<String> forgotten, Instant now) {
    SortedMap<String, Long> capacity = new TreeMap<>();
    SortedMap<String, Long> allocatable = new TreeMap<>();
    SortedSet<String> expired = new TreeSet<>();
    forgotten.forEach(name -> {
      capacity.put(name, 0L);
      allocatable.put(name, 0L);
    });
    resources.forEach((name, resource) -> {
      boolean isExpired =
          resource
              .stopped()
              .filter(since -> now.isAfter(since.plus(STOP_GRACE_PERIOD)))
              .isPresent();
      if (isExpired) {
        expired.add(name);
      }
      long healthy = isExpired ? 0 : resource.healthy().size();
      allocatable.put(name, healthy);
      capacity.put(name, isExpired ? 0 : healthy + resource.unhealthy().size());
    });
    return new DeviceCapacity(capacity, allocatable, expired);
  }
}
