package dev.berth.policy.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.image.ImageGarbage.Disk;
import dev.berth.policy.image.ImageGarbage.SeenImage;
import dev.berth.policy.image.ImageGarbage.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which images a node removes. */
class ImageGarbageTest {
  private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
  private static final Settings USUAL = Settings.DEFAULT;

  /** An image of ten bytes that was seen an hour ago. */
  private static SeenImage image(String id, int minutesSinceUse) {
    return new SeenImage(
        id,
        10,
        NOW.minus(Duration.ofHours(1)),
        NOW.minus(Duration.ofMinutes(minutesSinceUse)),
        false,
        false);
  }

  private static List<String> removed(Settings settings, Disk disk, SeenImage... images) {
    return ImageGarbage.decide(List.of(images), disk, settings, NOW.minus(Duration.ofDays(1)), NOW)
        .removals()
        .stream()
        .map(each -> each.image().id() + " " + each.reason())
        .toList();
  }

  @Test
  void nothingGoesBelowTheHighThreshold() {
    assertThat(removed(USUAL, new Disk(100, 16), image("a", 50))).isEmpty();
  }

  @Test
  void atTheHighThresholdTheLeastRecentlyUsedGoUntilTheLowOneIsReached() {
    assertThat(removed(USUAL, new Disk(100, 15), image("a", 10), image("b", 50), image("c", 30)))
        .containsExactly("b space");
    assertThat(removed(USUAL, new Disk(100, 5), image("a", 10), image("b", 50), image("c", 30)))
        .containsExactly("b space", "c space");
  }

  @Test
  void whatIsUsedPinnedOrNewStays() {
    SeenImage used = new SeenImage("used", 10, NOW.minus(Duration.ofHours(1)), NOW, true, false);
    SeenImage pinned =
        new SeenImage(
            "pinned", 10, NOW.minus(Duration.ofHours(1)), NOW.minusSeconds(60), false, true);
    SeenImage fresh =
        new SeenImage(
            "fresh", 10, NOW.minus(Duration.ofSeconds(119)), NOW.minusSeconds(60), false, false);
    assertThat(removed(USUAL, new Disk(100, 0), used, pinned, fresh)).isEmpty();
    assertThat(ImageGarbage.unused(List.of(used, pinned, fresh), USUAL, NOW)).isEmpty();
    assertThat(ImageGarbage.unused(List.of(image("a", 3)), USUAL, NOW)).hasSize(1);
  }

  @Test
  void whatNobodyUsedForTooLongGoesHoweverMuchRoomThereIs() {
    Settings aged = new Settings(85, 80, Duration.ofMinutes(2), Duration.ofMinutes(40));
    assertThat(removed(aged, new Disk(100, 90), image("a", 40), image("b", 41)))
        .containsExactly("b age");
    assertThat(
            ImageGarbage.decide(
                    List.of(image("b", 41)),
                    new Disk(100, 90),
                    aged,
                    NOW.minus(Duration.ofMinutes(40)),
                    NOW)
                .removals())
        .as("the node has not looked for that long itself")
        .isEmpty();
  }

  @Test
  void aDiskThatIsNotKnownIsNotFull() {
    assertThat(removed(USUAL, new Disk(0, 0), image("a", 50))).isEmpty();
  }
}
