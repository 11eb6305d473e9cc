package dev.berth.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import dev.berth.store.Watch.Poll;
import dev.berth.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a timeline does beyond the contract: how much it remembers, whom it wakes, and in which
 * order.
 */
class TimelineTest {

  private static final byte[] VALUE = "value".getBytes(UTF_8);

  @Test
  void remembersAsManyRevisionsAsItMay() {
    var store = new MemoryStore(new HistoryLimits(1_000, Long.MAX_VALUE));
    for (int i = 0; i < 5_000; i++) {
      store.put("/k" + i % 10, VALUE, Store.ANY);
    }
    assertThat(store.revision()).isEqualTo(5_001);
    assertThat(store.compactedRevision()).isEqualTo(4_001);
    assertThat(store.range(RangeRequest.prefix("/").at(4_001)))
        .isInstanceOf(RangeResult.Page.class);
    assertThat(store.range(RangeRequest.prefix("/").at(4_000)))
        .isEqualTo(new RangeResult.TooOld(4_001));
    assertThat(store.watch("/", 4_001, () -> {}).poll(2_000))
        .isInstanceOfSatisfying(Poll.Events.class, e -> assertThat(e.events()).hasSize(1_000));
    assertThat(store.watch("/", 4_000, () -> {}).poll(1)).isEqualTo(new Poll.TooOld(4_001));
  }

  @Test
  void forgetsSoonerWhenSupersededValuesAreBig() {
    var store = new MemoryStore(new HistoryLimits(1_000, 1 << 20));
    for (int i = 0; i < 100; i++) {
      store.put("/big", new byte[100_000], Store.ANY);
    }
    assertThat(store.revision() - store.compactedRevision()).isEqualTo(10);
    store.put("/huge", new byte[2 << 20], Store.ANY);
    store.put("/huge", VALUE, Store.ANY);
    assertThat(store.compactedRevision()).isEqualTo(store.revision());
    store.put("/huge", VALUE, Store.ANY);
    assertThat(store.compactedRevision()).isEqualTo(store.revision() - 1);
  }

  @Test
  void anIdleWatchOfAQuietPrefixKeepsItsPlaceWhileHistoryTurnsOver() {
    var store = new MemoryStore(new HistoryLimits(100, Long.MAX_VALUE));
    var woken = new ArrayList<String>();
    Watch quiet = store.watch("/quiet/", store.revision(), () -> woken.add("quiet"));
    assertThat(quiet.poll(1)).isEqualTo(new Poll.Events(List.of(), 1));
    for (int i = 0; i < 1_000; i++) {
      store.put("/busy/" + i, VALUE, Store.ANY);
    }
    assertThat(woken).isEmpty();
    store.put("/quiet/a", VALUE, Store.ANY);
    assertThat(woken).containsExactly("quiet");
    for (int i = 0; i < 50; i++) {
      store.put("/busy/" + i, VALUE, Store.ANY);
    }
    assertThat(quiet.poll(10))
        .isInstanceOfSatisfying(
            Poll.Events.class,
            e -> assertThat(e.events()).extracting("key").containsExactly("/quiet/a"));
  }

  @Test
  void aWokenReaderThatDoesNotPollFallsBehind() {
    var store = new MemoryStore(new HistoryLimits(100, Long.MAX_VALUE));
    Watch watch = store.watch("/", store.revision(), () -> {});
    watch.poll(1);
    for (int i = 0; i < 200; i++) {
      store.put("/busy/" + i, VALUE, Store.ANY);
    }
    assertThat(watch.poll(1)).isEqualTo(new Poll.TooOld(store.compactedRevision()));
    assertThat(watch.poll(1)).isEqualTo(new Poll.TooOld(store.compactedRevision()));
  }

  /** Prefixes that share hashes, lengths and beginnings; none may be woken for another's key. */
  @Test
  void wakesExactlyTheWatchersOfTheKeyInTheOrderTheyWereArmed() {
    var store = new MemoryStore();
    var woken = new ArrayList<String>();
    for (String prefix : List.of("/a/Aa", "/a/BB", "/a/", "", "/b/", "/a/Aa1", "/a/Aa")) {
      store.watch(prefix, 1, () -> woken.add(prefix)).poll(1);
    }
    store.put("/a/Aa1", VALUE, Store.ANY);
    assertThat(woken).containsExactly("", "/a/", "/a/Aa", "/a/Aa", "/a/Aa1");
    store.put("/a/BB", VALUE, Store.ANY);
    assertThat(woken).endsWith("/a/BB").hasSize(6);
    store.put("/c", VALUE, Store.ANY);
    assertThat(woken).hasSize(6);
  }

  @Test
  void aClosedWatchIsNotWoken() {
    var store = new MemoryStore();
    var woken = new ArrayList<String>();
    Watch watch = store.watch("/", 1, () -> woken.add("watch"));
    watch.poll(1);
    watch.close();
    store.put("/a", VALUE, Store.ANY);
    assertThat(woken).isEmpty();
    assertThat(watch.poll(1)).isEqualTo(new Poll.Closed());
  }
}
