package dev.berth.apiserver;

import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Listing;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.ObjectWatch.Taken;
import dev.berth.registry.Selection;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.status.Status;
import dev.berth.store.HistoryLimits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long changes are remembered. */
class HistoryCompactorTest {
  private final TestCluster cluster = new TestCluster(new HistoryLimits(100, 1 << 20));
  private final Resource configMaps = cluster.core("configmaps");

  private void start() {
    new HistoryCompactor(cluster.store, cluster.time).start();
  }

  /** A second of another resource that is written a lot. */
  private void second(int number) {
    cluster.time.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 20; i++) {
      String count = Integer.toString(number * 20 + i);
      cluster.registry.modify(
          cluster.core("secrets"),
          named("busy"),
          WriteOptions.DEFAULT,
          old -> old.with("stringData", JsonObject.of("count", count)));
    }
  }

  private Taken watch(long after) {
    var options = new WatchOptions(Selection.in("default"), new WatchOptions.From.After(after));
    try (ObjectWatch watch = cluster.registry.watch(configMaps, options)) {
      return watch.poll();
    }
  }

  private Listing.Page list(ListOptions options) {
    return cluster.registry.list(configMaps, options);
  }

  @Test
  void aQuietResourceKeepsFiveMinutesWhateverTheOthersWrite() {
    start();
    cluster.create("secrets", "{'metadata':{'name':'busy'}}");
    long before = cluster.store.revision();
    cluster.configMap("a");
    cluster.configMap("b");
    for (int i = 0; i < 299; i++) {
      second(i);
      assertThat(watch(before))
          .isInstanceOfSatisfying(
              Taken.Events.class, taken -> assertThat(taken.events()).hasSize(2));
    }
    for (int i = 299; i < 330; i++) {
      second(i);
    }
    assertThat(watch(before))
        .isInstanceOfSatisfying(
            Taken.Expired.class,
            expired -> {
              assertThat(expired.status().code()).isEqualTo(410);
              assertThat(expired.status().reason()).isEqualTo("Expired");
              assertThat(expired.status().message())
                  .isEqualTo("too old resource version: %d (%d)".formatted(before, before + 2));
            });
    assertThat(watch(before + 2)).as("nothing was missed").isInstanceOf(Taken.Events.class);
  }

  @Test
  void aListOfARevisionThatWasReleasedIsRefused() {
    start();
    ListOptions then = ListOptions.ALL.at(new ListOptions.At.Exactly(cluster.store.revision()));
    cluster.configMap("a");
    cluster.time.advance(Duration.ofSeconds(299));
    assertThat(list(then).entries()).isEmpty();
    cluster.time.advance(Duration.ofSeconds(31));
    Status status = refused(() -> list(then));
    assertThat(status.code()).isEqualTo(410);
    assertThat(status.reason()).isEqualTo("Expired");
    assertThat(status.message()).isEqualTo("The resourceVersion for the provided list is too old.");
  }

  @Test
  void aContinueTokenFromBeforeGetsAFreshOneThatContinuesWithTheNewest() {
    start();
    List.of("a", "b", "c", "d").forEach(cluster::configMap);
    ListOptions request = ListOptions.ALL.limit(2);
    String token = list(request).continueToken();
    cluster.time.advance(Duration.ofMinutes(6));
    assertThat(list(request.continuing(token)).entries()).as("nothing changed").hasSize(2);
    cluster.configMap("bb");
    cluster.time.advance(Duration.ofMinutes(6));

    Status status = refused(() -> list(request.continuing(token)));
    assertThat(status.code()).isEqualTo(410);
    assertThat(status.reason()).isEqualTo("Expired");
    assertThat(status.message()).startsWith("The provided continue parameter is too old");
    Listing.Page rest = list(request.limit(9).continuing(status.continueToken()));
    assertThat(rest.entries())
        .extracting(entry -> entry.key().substring(entry.key().lastIndexOf('/') + 1))
        .containsExactly("bb", "c", "d");
    assertThat(rest.revision()).isEqualTo(cluster.store.revision());
  }

  @Test
  void aWatchThatWaitsIsNeverTooOld() {
    start();
    var options = new WatchOptions(Selection.in("default"), new WatchOptions.From.Next());
    try (ObjectWatch watch = cluster.registry.watch(configMaps, options)) {
      assertThat(watch.poll()).isInstanceOf(Taken.Events.class);
      cluster.create("secrets", "{'metadata':{'name':'busy'}}");
      for (int i = 0; i < 20; i++) {
        cluster.time.advance(Duration.ofMinutes(1));
        second(i);
      }
      cluster.configMap("a");
      assertThat(watch.poll())
          .isInstanceOfSatisfying(
              Taken.Events.class, taken -> assertThat(taken.events()).hasSize(1));
    }
  }
}
