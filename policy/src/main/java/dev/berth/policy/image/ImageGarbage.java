package dev.berth.policy.image;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which images a node removes.
 *
 * <ul>
 *   <li>Never one that a container has or that the runtime holds on to.
 *   <li>Those that nobody has used for longer than {@code imageMaximumGCAge}, once the node has
 *       looked for that long.
 *   <li>When {@code imageGCHighThresholdPercent} of the disk is in use: the ones that were used
 *       longest ago, those that were seen first among equals, down to {@code
 *       imageGCLowThresholdPercent}; but none that was seen for less than {@code
 *       imageMinimumGCAge}, because its container is about to start.
 * </ul>
 *
 * @param toFree how many bytes had to be freed; 0 if the disk is not too full
 * @param removals in the order in which they go
 */
public record ImageGarbage(long toFree, List<Removal> removals) {
  private static final int ALL_PERCENT = 100;

  public ImageGarbage {
    removals = List.copyOf(removals);
  }

  /**
   * When to remove images.
   *
   * @param maximumAge zero for no such limit
   */
  public record Settings(
      int highPercent, int lowPercent, Duration minimumAge, Duration maximumAge) {
    /** Upstream's. */
    public static final Settings DEFAULT =
        new Settings(85, 80, Duration.ofMinutes(2), Duration.ZERO);
  }

  /**
   * An image.
   *
   * @param lastUsed when a container was last seen to have it; when the node was not looking yet if
   *     none was
   * @param isPinned whether the runtime holds on to it
   */
  public record SeenImage(
      String id,
      long bytes,
      Instant firstSeen,
      Instant lastUsed,
      boolean isInUse,
      boolean isPinned) {}

  /** The disk with the images. */
  public record Disk(long capacityBytes, long availableBytes) {
    public int usedPercent() {
      return capacityBytes == 0
          ? 0
          : ALL_PERCENT
              - (int) (Math.min(availableBytes, capacityBytes) * ALL_PERCENT / capacityBytes);
    }
  }

  /**
   * An image to remove.
   *
   * @param reason {@code age} or {@code space}
   */
  public record Removal(SeenImage image, String reason) {}

  /**
   * Decides.
   *
   * @param lookingSince when the node began to look at images
   */
  public static ImageGarbage decide(
      List<SeenImage> images, Disk disk, Settings settings, Instant lookingSince, Instant now) {
    List<SeenImage> unused = new ArrayList<>(images);
    unused.removeIf(image -> image.isInUse() || image.isPinned());
    unused.sort(Comparator.comparing(SeenImage::lastUsed).thenComparing(SeenImage::firstSeen));
    List<Removal> removals = new ArrayList<>();
    Duration oldest = settings.maximumAge();
    if (!oldest.isZero() && Duration.between(lookingSince, now).compareTo(oldest) > 0) {
      for (SeenImage image : unused) {
        if (Duration.between(image.lastUsed(), now).compareTo(oldest) > 0) {
          removals.add(new Removal(image, "age"));
        }
      }
      unused.removeIf(image -> removals.stream().anyMatch(each -> each.image().equals(image)));
    }
    long toFree = 0;
    if (disk.capacityBytes() > 0 && disk.usedPercent() >= settings.highPercent()) {
      toFree =
          disk.capacityBytes() * (ALL_PERCENT - settings.lowPercent()) / ALL_PERCENT
              - disk.availableBytes();
      long freed = 0;
      for (SeenImage image : unused) {
        boolean isOldEnough =
            Duration.between(image.firstSeen(), now).compareTo(settings.minimumAge()) >= 0;
        if (isOldEnough && freed < toFree) {
          removals.add(new Removal(image, "space"));
          freed += image.bytes();
        }
      }
    }
    return new ImageGarbage(toFree, removals);
  }

  /** What a whole node is short of is taken from all images that nobody needs. */
  public static List<SeenImage> unused(List<SeenImage> images, Settings settings, Instant now) {
    return images.stream()
        .filter(image -> !image.isInUse() && !image.isPinned())
        .filter(
            image -> Duration.between(image.firstSeen(), now).compareTo(settings.minimumAge()) >= 0)
        .toList();
  }
}
