package dev.berth.agent.image;

import dev.berth.agent.machine.Filesystem;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Metrics;
import dev.berth.policy.image.ImageGarbage;
import dev.berth.policy.image.ImageGarbage.Disk;
import dev.berth.policy.image.ImageGarbage.SeenImage;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes images that nobody needs, if they came from a registry. When an image was seen and used
 * is soft state: a new agent begins to count again, as a kubelet does.
 */
public final class ImageCollector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("images");

  /** Upstream's. */
  private static final Duration PERIOD = Duration.ofMinutes(5);

  private static final String SPACE = "space";
  private static final int KIBI = 1024;
  private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB");

  private final Time time;
  private final Loop loop;
  private final ContainerRuntime runtime;
  private final ImageGarbage.Settings settings;
  private final Family<Counter> removed;
  private final Warnings warnings;
  private final ImageAccess access;
  private final Instant began;

  /** Whether it failed the last time; guarded by this. */
  private boolean hasFailed;

  /** By image's id; guarded by this. */
  private final Map<String, Seen> seen = new HashMap<>();

  private record Seen(Instant first, Instant lastUsed) {}

  /** Is told, by any thread, what is to be an event of the node. */
  public interface Warnings {
    void warn(String reason, String note);
  }

  /**
   * What to make it of.
   *
   * @param access told which images are left
   */
  public record Parts(
      Time time,
      Metrics metrics,
      ContainerRuntime runtime,
      ImageAccess access,
      ImageGarbage.Settings settings,
      Warnings warnings) {}

  private ImageCollector(Parts parts) {
    time = parts.time();
    runtime = parts.runtime();
    settings = parts.settings();
    warnings = parts.warnings();
    access = parts.access();
    removed =
        parts
            .metrics()
            .counters(
                "kubelet_image_garbage_collected_total",
                "Total number of images garbage collected by the kubelet, whether through disk"
                    + " usage or image age.",
                "reason");
    began = time.monotonicNow();
    loop = time.start("images");
  }

  /** Begins to look every five minutes. */
  public static ImageCollector start(Parts parts) {
    ImageCollector collector = new ImageCollector(parts);
    if (parts.runtime().pullsImages()) {
      collector.loop.after(PERIOD, collector::pass);
    }
    return collector;
  }

  private void pass() {
    loop.call(
        () -> {
          collect();
          return true;
        },
        _ -> {});
    loop.after(PERIOD, this::pass);
  }

  /** Looks once. Blocks. */
  synchronized void collect() {
    Optional<String> failure = tryToCollect();
    failure.ifPresent(why -> {
      LOG.warn("images are not removed as they should be: {}", why);
      // Once may be a runtime that has just started.
      if (hasFailed) {
        warnings.warn("ImageGCFailed", why);
      }
    });
    hasFailed = failure.isPresent();
  }

  /** Why not all is as it should be; empty if it is. */
  private Optional<String> tryToCollect() {
    List<SeenImage> images;
    Disk disk;
    try {
      images = look();
      disk = disk();
    } catch (RuntimeFailure | IOException e) {
      return Optional.of("images cannot be looked at: " + e.getMessage());
    }
    Instant looked = time.now();
    ImageGarbage garbage = ImageGarbage.decide(images, disk, settings, began, time.monotonicNow());
    List<String> failures = new ArrayList<>();
    long freed = 0;
    for (ImageGarbage.Removal each : garbage.removals()) {
      Optional<String> failure = remove(each.image(), each.reason());
      failure.ifPresent(failures::add);
      freed += failure.isEmpty() && each.reason().equals(SPACE) ? each.image().bytes() : 0;
    }
    access.retain(Set.copyOf(seen.keySet()), looked);
    if (disk.capacityBytes() == 0) {
      String why = "invalid capacity 0 on image filesystem";
      warnings.warn("InvalidDiskCapacity", why);
      return Optional.of(why);
    }
    if (!failures.isEmpty()) {
      return Optional.of(
          "wanted to free %d bytes, but freed %d bytes space with errors in image deletion: %s"
              .formatted(garbage.toFree(), freed, failures));
    }
    if (freed >= garbage.toFree()) {
      return Optional.empty();
    }
    String why =
        ("Insufficient free disk space on the node's image filesystem (%d%% of %s used). Failed to"
                + " free sufficient space by deleting unused images (freed %d bytes). Investigate"
                + " disk usage, as it could be used by active images, logs, volumes, or other"
                + " data.")
            .formatted(disk.usedPercent(), size(disk.capacityBytes()), freed);
    warnings.warn("FreeDiskSpaceFailed", why);
    return Optional.of(why);
  }

  /** Such as {@code 9.8 GiB}. */
  private static String size(long bytes) {
    if (bytes < KIBI) {
      return bytes + " B";
    }
    double size = (double) bytes / KIBI;
    int unit = 0;
    while (size >= KIBI && unit < UNITS.size() - 1) {
      size /= KIBI;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", size, UNITS.get(unit));
  }

  /** Removes all that nobody needs; whether there was one. Blocks. */
  public synchronized boolean freeAll() {
    if (!runtime.pullsImages()) {
      return false;
    }
    try {
      boolean hasRemoved = false;
      for (SeenImage image : ImageGarbage.unused(look(), settings, time.monotonicNow())) {
        hasRemoved |= remove(image, SPACE).isEmpty();
      }
      return hasRemoved;
    } catch (RuntimeFailure e) {
      LOG.warn("images cannot be looked at: {}", e.getMessage());
      return false;
    }
  }

  /** Why it cannot be removed; empty if it was. */
  private Optional<String> remove(SeenImage image, String reason) {
    try {
      runtime.removeImage(image.id());
      LOG.info("image {} was removed, because of {}", image.id(), reason);
      seen.remove(image.id());
      removed.with(reason).increment();
      return Optional.empty();
    } catch (RuntimeFailure e) {
      LOG.warn("image {} cannot be removed: {}", image.id(), e.getMessage());
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Disk disk() throws IOException {
    Optional<Path> place = runtime.imageFilesystem();
    if (place.isEmpty()) {
      return new Disk(0, 0);
    }
    Filesystem filesystem = Filesystem.of(place.get());
    return new Disk(filesystem.capacityBytes(), filesystem.availableBytes());
  }

  private List<SeenImage> look() throws RuntimeFailure {
    Instant now = time.monotonicNow();
    Set<String> used = new HashSet<>();
    for (PodSandbox sandbox : runtime.list()) {
      for (ContainerStatus container : sandbox.containers()) {
        used.add(container.imageId());
        used.add(container.image());
        used.addAll(container.mountedImages());
      }
    }
    Map<String, Seen> before = Map.copyOf(seen);
    seen.clear();
    List<SeenImage> images = new ArrayList<>();
    for (Image image : runtime.images()) {
      boolean isInUse =
          used.contains(image.id()) || image.names().stream().anyMatch(used::contains);
      Seen known = before.getOrDefault(image.id(), new Seen(now, began));
      Seen current = new Seen(known.first, isInUse ? now : known.lastUsed);
      seen.put(image.id(), current);
      images.add(
          new SeenImage(
              image.id(),
              image.bytes(),
              current.first,
              current.lastUsed,
              isInUse,
              image.isPinned()));
    }
    return images;
  }

  @Override
  public void close() {
    loop.close();
  }
}
