package dev.berth.apiserver.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch.Poll;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.Cache;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.LoopLimits;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CacheTest {
  private static final ListRequest ALL = ListRequest.of(Resources.CONFIG_MAPS).in("default");
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final LocalCluster cluster = new LocalCluster(1);
  private final RecordedChanges recorded = new RecordedChanges();
  private Loop loop = cluster.time.start("component");
  private Cache cache = cache(ALL);

  private Cache cache(ListRequest what) {
    cluster.broken.clock = cluster.time::now;
    return new Cache(cluster.broken, loop, cluster.time, what, recorded);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> tellings() {
    cluster.time.settle();
    return recorded.takeAll();
  }

  @Test
  void tellsWhatIsThereAndThenWhatChanges() {
    cluster.create("a", "1");
    cluster.create("b", "1");
    cache.start();
    assertThat(tellings()).containsExactly("+a1", "+b1", "synced");

    cluster.change("a", "2");
    cluster.create("c", "1");
    cluster.delete("b");
    assertThat(tellings()).containsExactly("a1>a2", "+c1", "-b1");

    assertThat(cache.isSynced()).isTrue();
    assertThat(cache.get(new ObjectName("default", "a")).map(RecordedChanges::text)).contains("a2");
    assertThat(cache.values()).extracting(RecordedChanges::text).containsExactly("a2", "c1");
  }

  @Test
  void holdsTheTreesThatTheStoreHolds() {
    JsonObject made = cluster.create("a", "1");
    cache.start();
    cluster.time.settle();

    assertThat(cache.get(new ObjectName("default", "a")).orElseThrow()).isSameAs(made);
  }

  @Test
  void holdsOnlyWhatIsSelected() {
    cluster.create("a", "1");
    cluster.create("b", "1");
    cache = cache(ALL.fields("metadata.name=b"));
    cache.start();

    assertThat(tellings()).containsExactly("+b1", "synced");
    cluster.change("a", "2");
    cluster.change("b", "2");
    assertThat(tellings()).containsExactly("b1>b2");
  }

  @Test
  void aWatchThatEndsIsFollowedByAnotherFromWhereItEnded() {
    cluster.create("a", "1");
    cache.start();
    tellings();
    cluster.time.advance(A_MINUTE);

    cluster.broken.endWatches(new Poll.Ended());
    cluster.change("a", "2");
    cluster.create("b", "1");

    assertThat(tellings()).containsExactly("a1>a2", "+b1");
    assertThat(cluster.broken.lists).hasSize(1);
    assertThat(cluster.broken.openWatches()).isEqualTo(1);
  }

  @Test
  void aRevisionThatIsForgottenIsListedAgainAndTheDifferenceTold() {
    cluster.create("same", "1");
    cluster.create("changed", "1");
    cluster.create("gone", "1");
    cluster.create("another", "1");
    cache.start();
    tellings();

    cluster.broken.endWatches(new Poll.Expired("too old resource version"));
    cluster.change("changed", "2");
    cluster.delete("gone");
    cluster.delete("another");
    cluster.create("another", "2");
    cluster.create("new", "1");
    cluster.time.advance(A_MINUTE);

    assertThat(tellings())
        .containsExactlyInAnyOrder(
            "changed1>changed2", "-gone1", "-another1", "+another2", "+new1");
    cluster.change("same", "2");
    assertThat(tellings()).containsExactly("same1>same2");
  }

  @Test
  void whoKnowsThatAServerAnswersAgainNeedNotWait() {
    cache.start();
    tellings();
    cluster.broken.unreachable();
    cluster.broken.endWatches(new Poll.Failed(new ApiResult.Unreachable("cut off")));
    cluster.time.advance(A_MINUTE);
    cluster.broken.mended();
    cluster.create("a", "1");
    int attempts = cluster.broken.watched.size();
    tellings();
    assertThat(cluster.broken.watched).as("it waits").hasSize(attempts);

    loop.after(Duration.ZERO, cache::retryNow);
    assertThat(tellings()).containsExactly("+a1");
    cluster.time.advance(A_MINUTE);
    assertThat(cluster.broken.openWatches()).as("what waited has gone").isEqualTo(1);
  }

  @Test
  void aServerThatForgotItselfIsListedAgain() {
    cluster.create("a", "1");
    cache.start();
    tellings();
    cluster.broken.unreachable();
    cluster.broken.endWatches(new Poll.Failed(new ApiResult.Unreachable("cut off")));
    cluster.time.settle();
    cluster.change("a", "2");
    cluster.change("a", "3");
    cluster.store.compact(cluster.store.revision());
    cluster.broken.mended();
    cluster.time.advance(A_MINUTE);

    assertThat(tellings()).contains("a1>a3").doesNotContain("a1>a2");
  }

  @Test
  void whatFailsIsTriedAgainLaterAndLater() {
    cluster.broken.unreachable();
    cache.start();
    cluster.time.advance(Duration.ofMinutes(5));

    List<Instant> tries = cluster.broken.lists;
    assertThat(tellings()).contains("failed: cut off").doesNotContain("synced");
    assertThat(pauses(tries).subList(0, 5))
        .satisfiesExactly(
            pause -> assertThat(pause).isBetween(Duration.ofMillis(800), Duration.ofMillis(1600)),
            pause -> assertThat(pause).isBetween(Duration.ofMillis(1600), Duration.ofMillis(3200)),
            pause -> assertThat(pause).isBetween(Duration.ofMillis(3200), Duration.ofMillis(6400)),
            pause -> assertThat(pause).isBetween(Duration.ofMillis(6400), Duration.ofMillis(12800)),
            pause ->
                assertThat(pause).isBetween(Duration.ofMillis(12800), Duration.ofMillis(25600)));
    assertThat(pauses(tries)).allMatch(pause -> pause.compareTo(A_MINUTE) <= 0);

    cluster.broken.mended();
    cluster.time.advance(A_MINUTE);
    assertThat(tellings()).containsExactly("synced");
  }

  private static List<Duration> pauses(List<Instant> times) {
    List<Duration> pauses = new ArrayList<>();
    for (int i = 1; i < times.size(); i++) {
      pauses.add(Duration.between(times.get(i - 1), times.get(i)));
    }
    return pauses;
  }

  @Test
  void aServerThatAsksForTimeIsGivenIt() {
    cluster.broken.refusing(429, Duration.ofSeconds(20));
    cache.start();
    cluster.time.advance(Duration.ofSeconds(19));
    assertThat(cluster.broken.lists).hasSize(1);

    cluster.time.advance(Duration.ofSeconds(1));
    assertThat(cluster.broken.lists).hasSize(2);
  }

  @Test
  void aWatchThatKeepsEndingAtOnceIsNotBegunWithoutPause() {
    cache.start();
    tellings();
    for (int i = 0; i < 3; i++) {
      cluster.broken.endWatches(new Poll.Ended());
      cluster.time.settle();
      assertThat(cluster.broken.openWatches()).isZero();
      cluster.time.advance(Duration.ofSeconds(10));
      assertThat(cluster.broken.openWatches()).isEqualTo(1);
      cluster.broken.endWatches(new Poll.Ended());
      cluster.time.settle();
    }
  }

  @Test
  void nothingIsLostWhenTheLoopHasNoRoom() {
    loop = cluster.time.start("busy", new LoopLimits(1, 1));
    cache = cache(ALL);
    cache.start();
    tellings();

    loop.offer(() -> recorded.told.add("other work"));
    cluster.create("a", "1");
    cluster.time.settle();
    cluster.time.advance(A_MINUTE);

    assertThat(tellings()).containsExactly("other work", "+a1");
  }

  @Test
  void tellsNothingOnceItIsClosed() {
    cache.start();
    tellings();
    loop.offer(cache::close);
    cluster.time.settle();

    cluster.create("a", "1");
    cluster.time.advance(A_MINUTE);

    assertThat(tellings()).isEmpty();
    assertThat(cluster.broken.openWatches()).isZero();
  }

  /** However a watch breaks, in the end the cache holds what the store holds. */
  @SeededTest(fixed = 6, fresh = 2)
  void endsUpWithWhatThereIs(long seed) {
    try (LocalCluster any = new LocalCluster(seed)) {
      Map<String, String> seen = new TreeMap<>();
      Cache mirror =
          new Cache(any.broken, any.time.start("mirror"), any.time, ALL, new Mirror(seen));
      mirror.start();
      SplittableRandom random = new SplittableRandom(seed);
      for (int step = 0; step < 300; step++) {
        step(any, random);
        any.time.advance(Duration.ofMillis(random.nextInt(2_000)));
      }
      any.broken.mended();
      any.time.advance(Duration.ofMinutes(2));

      Map<String, String> there = new TreeMap<>();
      ApiContract.page(any.api.list(ALL))
          .items()
          .forEach(item -> there.put(Metadata.of(item).name(), RecordedChanges.text(item)));
      assertThat(seen).as("seed " + seed).isEqualTo(there);
      assertThat(mirror.size()).isEqualTo(there.size());
    }
  }

  private static void step(LocalCluster any, SplittableRandom random) {
    String name = "m" + random.nextInt(10);
    boolean there = any.api.get(Resources.CONFIG_MAPS, new ObjectName("default", name)).isDone();
    switch (random.nextInt(12)) {
      case 0 -> any.broken.endWatches(new Poll.Ended());
      case 1 -> any.broken.endWatches(new Poll.Expired("too old"));
      case 2 -> {
        any.broken.unreachable();
        any.broken.endWatches(new Poll.Failed(new ApiResult.Unreachable("cut off")));
      }
      case 3, 4 -> any.broken.mended();
      case 5 -> any.store.compact(any.store.revision());
      case 6, 7 -> {
        if (there) {
          any.delete(name);
        }
      }
      default -> {
        if (there) {
          any.change(name, Integer.toString(random.nextInt(100)));
        } else {
          any.create(name, Integer.toString(random.nextInt(100)));
        }
      }
    }
  }

  /** Keeps what it is told, and insists that it makes sense. */
  private record Mirror(Map<String, String> seen) implements Cache.Listener {
    @Override
    public void added(JsonObject object) {
      assertThat(seen.put(Metadata.of(object).name(), RecordedChanges.text(object))).isNull();
    }

    @Override
    public void changed(JsonObject before, JsonObject after) {
      assertThat(seen.put(Metadata.of(after).name(), RecordedChanges.text(after)))
          .isEqualTo(RecordedChanges.text(before));
    }

    @Override
    public void removed(JsonObject last) {
      assertThat(seen.remove(Metadata.of(last).name())).isNotNull();
    }
  }
}
