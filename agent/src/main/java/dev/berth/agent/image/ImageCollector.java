package dev.berth.agent.image;

import dev.berth.agent.machine.Filesystem;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
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

  private final Time time;
  private final Loop loop;
  private final ContainerRuntime runtime;
  private final ImageGarbage.Settings settings;
  private final Instant began;

  /** By image's id; guarded by this. */
  private final Map<String, Seen> seen = new HashMap<>();

  private record Seen(Instant first, Instant lastUsed) {}

  private ImageCollector(Time time, ContainerRuntime runtime, ImageGarbage.Settings settings) {
    this.time = time;
    this.runtime = runtime;
    this.settings = settings;
    this.began = time.monotonicNow();
    loop = time.start("images");
  }

  /** Begins to look every five minutes. */
  public static ImageCollector start(
      Time time, ContainerRuntime runtime, ImageGarbage.Settings settings) {
    ImageCollector collector = new ImageCollector(time, runtime, settings);
    if (runtime.pullsImages()) {
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
    try {
      List<SeenImage> images = look();
      Disk disk = disk();
      ImageGarbage garbage =
          ImageGarbage.decide(images, disk, settings, began, time.monotonicNow());
      long freed = 0;
      for (ImageGarbage.Removal each : garbage.removals()) {
        LOG.info("image {} is removed, because of {}", each.image().id(), each.reason());
        if (remove(each.image())) {
          freed += each.reason().equals("space") ? each.image().bytes() : 0;
        }
      }
      if (freed < garbage.toFree()) {
        LOG.warn(
            "Insufficient free disk space on the node's image filesystem ({}% of {} bytes used)."
                + " Failed to free sufficient space by deleting unused images (freed {} bytes).",
            disk.usedPercent(), disk.capacityBytes(), freed);
      }
    } catch (RuntimeFailure | IOException e) {
      LOG.warn("images cannot be looked at: {}", e.getMessage());
    }
  }

  /** Removes all that nobody needs; whether there was one. Blocks. */
  public synchronized boolean freeAll() {
    if (!runtime.pullsImages()) {
      return false;
    }
    try {
      boolean removed = false;
      for (SeenImage image : ImageGarbage.unused(look(), settings, time.monotonicNow())) {
        LOG.info("image {} is removed, because the node is short of disk", image.id());
        removed |= remove(image);
      }
      return removed;
    } catch (RuntimeFailure e) {
      LOG.warn("images cannot be looked at: {}", e.getMessage());
      return false;
    }
  }

  private boolean remove(SeenImage image) {
    try {
      runtime.removeImage(image.id());
      seen.remove(image.id());
      return true;
    } catch (RuntimeFailure e) {
      LOG.warn("image {} cannot be removed: {}", image.id(), e.getMessage());
      return false;
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
