package dev.berth.policy.pressure;

import dev.berth.model.quantity.GoDuration;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads thresholds as {@code evictionHard}, {@code evictionSoft}, {@code evictionSoftGracePeriod}
 * and {@code evictionMinimumReclaim} write them.
 *
 * <ul>
 *   <li>A value is a quantity above zero or a percentage; 0% and 100% turn a threshold off.
 *   <li>Each soft threshold needs a grace period.
 *   <li>A hard threshold of memory counts for what pods may use in all as well.
 *   <li>Containers are on the file system of the node, or on that of the images where that is
 *       another; so the thresholds of {@code containerfs} follow one of them, whatever is written.
 * </ul>
 */
public final class Thresholds {
  /** What holds if nothing is written. */
  public static final SortedMap<String, String> DEFAULT_HARD =
      Collections.unmodifiableSortedMap(
          new TreeMap<>(
              Map.of(
                  "memory.available", "100Mi",
                  "nodefs.available", "10%",
                  "nodefs.inodesFree", "5%",
                  "imagefs.available", "15%",
                  "imagefs.inodesFree", "5%")));

  private Thresholds() {}

  /** What is written, by signal. */
  public record Written(
      Map<String, String> hard,
      Map<String, String> soft,
      Map<String, String> softGrace,
      Map<String, String> minimumReclaim) {
    public static final Written DEFAULT = new Written(DEFAULT_HARD, Map.of(), Map.of(), Map.of());

    public Written {
      hard = new TreeMap<>(hard);
      soft = new TreeMap<>(soft);
      softGrace = new TreeMap<>(softGrace);
      minimumReclaim = new TreeMap<>(minimumReclaim);
    }
  }

  /**
   * Reads thresholds.
   *
   * @throws IllegalArgumentException with a sentence about the first that cannot be used
   */
  public static List<Threshold> parse(Written written) {
    Map<Signal, ThresholdValue> reclaims = new EnumMap<>(Signal.class);
    written
        .minimumReclaim()
        .forEach((name, text) -> reclaims.put(signal(name), reclaim(name, text)));
    Map<Signal, Duration> graces = new EnumMap<>(Signal.class);
    written.softGrace().forEach((name, text) -> graces.put(signal(name), grace(name, text)));
    List<Threshold> all = new ArrayList<>();
    written
        .hard()
        .forEach((name, text) -> {
          Signal signal = signal(name);
          value(name, text)
              .ifPresent(value ->
                  all.add(
                      new Threshold(
                          signal,
                          value,
                          Duration.ZERO,
                          Optional.ofNullable(reclaims.get(signal)))));
        });
    written
        .soft()
        .forEach((name, text) -> {
          Signal signal = signal(name);
          Duration grace = graces.get(signal);
          if (grace == null) {
            throw new IllegalArgumentException(
                "grace period must be specified for the soft eviction threshold " + name);
          }
          value(name, text)
              .ifPresent(value ->
                  all.add(
                      new Threshold(
                          signal, value, grace, Optional.ofNullable(reclaims.get(signal)))));
        });
    List<Threshold> ofPods =
        all.stream()
            .filter(each -> each.signal() == Signal.MEMORY_AVAILABLE && each.isHard())
            .map(each -> each.as(Signal.ALLOCATABLE_MEMORY_AVAILABLE))
            .toList();
    all.addAll(ofPods);
    return List.copyOf(all);
  }

  /**
   * The thresholds with those of the file system that containers are on.
   *
   * @param hasImageFilesystem whether images, and so containers, are on a file system of their own
   */
  public static List<Threshold> withContainerFilesystem(
      List<Threshold> thresholds, boolean hasImageFilesystem) {
    Signal bytes = hasImageFilesystem ? Signal.IMAGE_FS_AVAILABLE : Signal.NODE_FS_AVAILABLE;
    Signal inodes = hasImageFilesystem ? Signal.IMAGE_FS_INODES_FREE : Signal.NODE_FS_INODES_FREE;
    List<Threshold> all = new ArrayList<>();
    for (Threshold each : thresholds) {
      if (each.signal() != Signal.CONTAINER_FS_AVAILABLE
          && each.signal() != Signal.CONTAINER_FS_INODES_FREE) {
        all.add(each);
      }
    }
    for (Threshold each : thresholds) {
      if (each.signal() == bytes) {
        all.add(each.as(Signal.CONTAINER_FS_AVAILABLE));
      } else if (each.signal() == inodes) {
        all.add(each.as(Signal.CONTAINER_FS_INODES_FREE));
      }
    }
    return List.copyOf(all);
  }

  private static Signal signal(String name) {
    return Signal.of(name)
        .orElseThrow(() -> new IllegalArgumentException("unsupported eviction signal " + name));
  }

  private static Optional<ThresholdValue> value(String name, String text) {
    if (text.equals("0%") || text.equals("100%")) {
      return Optional.empty();
    }
    if (text.endsWith("%")) {
      float share = share(name, text);
      if (share < 0) {
        throw new IllegalArgumentException(
            "eviction percentage threshold %s must be >= 0%%: %s".formatted(name, text));
      }
      if (share > 1) {
        throw new IllegalArgumentException(
            "eviction percentage threshold %s must be <= 100%%: %s".formatted(name, text));
      }
      return Optional.of(new ThresholdValue.Share(share));
    }
    Quantity quantity = quantity(name, text);
    if (quantity.signum() <= 0) {
      throw new IllegalArgumentException(
          "eviction threshold %s must be positive: %s".formatted(name, text));
    }
    return Optional.of(new ThresholdValue.Amount(quantity));
  }

  private static ThresholdValue reclaim(String name, String text) {
    if (text.endsWith("%")) {
      float share = share(name, text);
      if (share <= 0) {
        throw new IllegalArgumentException(
            "eviction percentage minimum reclaim %s must be positive: %s".formatted(name, text));
      }
      return new ThresholdValue.Share(share);
    }
    Quantity quantity = quantity(name, text);
    if (quantity.signum() < 0) {
      throw new IllegalArgumentException("negative eviction minimum reclaim specified for " + name);
    }
    return new ThresholdValue.Amount(quantity);
  }

  private static Duration grace(String name, String text) {
    Duration grace = GoDuration.parse(text);
    if (grace == null) {
      throw new IllegalArgumentException(
          "the eviction grace period of %s must be a duration such as 1m30s, not \"%s\""
              .formatted(name, text));
    }
    return grace;
  }

  private static float share(String name, String text) {
    try {
      return Float.parseFloat(text.substring(0, text.length() - 1)) / 100;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the eviction threshold %s must be a quantity or a percentage, not \"%s\""
              .formatted(name, text),
          e);
    }
  }

  private static Quantity quantity(String name, String text) {
    try {
      return Quantity.parse(text);
    } catch (QuantityFormatException e) {
      throw new IllegalArgumentException(
          "the eviction threshold %s must be a quantity or a percentage, not \"%s\""
              .formatted(name, text),
          e);
    }
  }
}
