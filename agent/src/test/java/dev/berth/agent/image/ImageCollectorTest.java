package dev.berth.agent.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.FakeRuntime;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.process.TestContainer;
import dev.berth.agent.runtime.process.TestPod;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.policy.image.ImageGarbage;
import dev.berth.policy.image.ImageVerification;
import dev.berth.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images go when nobody has used them for too long, or when the node is short of disk. */
class ImageCollectorTest {
  private static final PodId POD = new PodId("default", "web", "u");

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.loop(), failure.cause());
          });
  private final FakeRuntime runtime = new FakeRuntime(time);
  private final Metrics metrics = new Metrics();
  private final List<String> warnings = new ArrayList<>();

  /** Whose file system has something on it. */
  @TempDir private Path disk;

  private ImageCollector start(Duration maximumAge) throws Exception {
    return start(new ImageGarbage.Settings(100, 80, Duration.ofMinutes(2), maximumAge));
  }

  private ImageCollector start(ImageGarbage.Settings settings) throws Exception {
    runtime.registry("old:1", "new:1");
    runtime.pullImage("old:1", POD, List.of());
    return ImageCollector.start(
        new ImageCollector.Parts(
            time,
            metrics,
            runtime,
            new ImageAccess(time, runtime, ImageVerification.DEFAULT, disk),
            settings,
            (reason, note) -> warnings.add(reason + ": " + note)));
  }

  /** By which every disk is too full. */
  private static ImageGarbage.Settings never() {
    return new ImageGarbage.Settings(0, 0, Duration.ofMinutes(2), Duration.ZERO);
  }

  private String removals(String reason) {
    return metrics
        .text(MetricsText.Format.PROMETHEUS)
        .lines()
        .filter(line -> line.startsWith("kubelet_image_garbage_collected_total{"))
        .filter(line -> line.contains("reason=\"%s\"".formatted(reason)))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("none");
  }

  @Test
  void oldImagesGoOnceTheNodeHasLookedForThatLong() throws Exception {
    try (ImageCollector _ = start(Duration.ofMinutes(30))) {
      time.advance(Duration.ofMinutes(30));
      assertThat(runtime.images()).extracting(Image::id).containsExactly("fake:old:1");
      time.advance(Duration.ofMinutes(5));
      assertThat(runtime.images()).isEmpty();
      assertThat(removals("age")).isEqualTo("1");
    }
  }

  @Test
  void aDiskAboveTheThresholdLosesImagesAndTheNodeSaysThatItIsNotEnough() throws Exception {
    runtime.imageFilesystem(disk);
    TestPod pod = TestPod.named("web");
    try (ImageCollector _ = start(never())) {
      runtime.pullImage("new:1", POD, List.of());
      runtime.startSandbox(pod.sandbox());
      runtime.start(TestContainer.running("x").image("new:1").spec(pod));
      time.advance(Duration.ofMinutes(5));
      assertThat(runtime.images()).as("both were just seen first").hasSize(2);
      time.advance(Duration.ofMinutes(5));
      assertThat(runtime.images()).extracting(Image::id).containsExactly("fake:new:1");
      assertThat(removals("space")).isEqualTo("1");
      assertThat(warnings)
          .last()
          .asString()
          .matches(
              "ImageGCFailed: Insufficient free disk space on the node's image filesystem \\(\\d+%"
                  + " of \\d+\\.\\d [MGT]iB used\\)\\. Failed to free sufficient space by deleting"
                  + " unused images \\(freed 1 bytes\\)\\. Investigate disk usage, as it could be used"
                  + " by active images, logs, volumes, or other data\\.");
      assertThat(warnings)
          .extracting(each -> each.substring(0, each.indexOf(':')))
          .containsExactly("FreeDiskSpaceFailed", "FreeDiskSpaceFailed", "ImageGCFailed");
    }
  }

  @Test
  void whatCannotBeRemovedIsAnEventTheSecondTime() throws Exception {
    runtime.imageFilesystem(disk);
    try (ImageCollector _ = start(never())) {
      runtime.failImageRemovals(new RuntimeFailure("RemoveImageError", "read-only file system"));
      time.advance(Duration.ofMinutes(10));
      warnings.clear();
      time.advance(Duration.ofMinutes(5));
      assertThat(warnings)
          .singleElement()
          .asString()
          .startsWith("ImageGCFailed: wanted to free ")
          .endsWith(
              "bytes, but freed 0 bytes space with errors in image deletion: [read-only file"
                  + " system]");
      assertThat(runtime.images()).hasSize(1);
    }
  }

  @Test
  void aDiskOfNoSizeIsSaid() throws Exception {
    runtime.imageFilesystem(Path.of("/proc"));
    try (ImageCollector _ = start(never())) {
      time.advance(Duration.ofMinutes(5));
      assertThat(warnings)
          .containsExactly("InvalidDiskCapacity: invalid capacity 0 on image filesystem");
    }
  }

  @Test
  void allThatNobodyNeedsGoesWhenTheNodeIsShortOfDisk() throws Exception {
    try (ImageCollector collector = start(Duration.ZERO)) {
      assertThat(collector.freeAll()).as("it was just pulled").isFalse();
      time.advance(Duration.ofMinutes(3));
      assertThat(collector.freeAll()).isTrue();
      assertThat(runtime.images()).isEmpty();
    }
  }

  @Test
  void whatAContainerMountsIsInUse() throws Exception {
    TestPod pod = TestPod.named("web");
    try (ImageCollector collector = start(Duration.ZERO)) {
      runtime.startSandbox(pod.sandbox());
      runtime.start(TestContainer.running("x").mountingImage("old:1", "", "/v").spec(pod));
      time.advance(Duration.ofMinutes(3));
      assertThat(collector.freeAll()).isFalse();
      assertThat(runtime.images()).extracting(Image::id).containsExactly("fake:old:1");
    }
  }
}
