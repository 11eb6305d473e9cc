package dev.berth.agent.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.FakeRuntime;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.PodId;
import dev.berth.policy.image.ImageGarbage;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

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

  private ImageCollector start(Duration maximumAge) throws Exception {
    runtime.registry("old:1", "new:1");
    runtime.pullImage("old:1", POD, List.of());
    return ImageCollector.start(
        time, runtime, new ImageGarbage.Settings(85, 80, Duration.ofMinutes(2), maximumAge));
  }

  @Test
  void oldImagesGoOnceTheNodeHasLookedForThatLong() throws Exception {
    try (ImageCollector _ = start(Duration.ofMinutes(30))) {
      time.advance(Duration.ofMinutes(30));
      assertThat(runtime.images()).extracting(Image::id).containsExactly("fake:old:1");
      time.advance(Duration.ofMinutes(5));
      assertThat(runtime.images()).isEmpty();
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
}
