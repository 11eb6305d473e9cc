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
  private static final String PODS = "/registry/pods/";
  private static final String LEASES = "/registry/leases/";

  @Test
  void remembersAsManyRevisionsAsItMay() {
    var store = new MemoryStore(new HistoryLimits(1_000, Long.MAX_VALUE));
    for (int i = 0; i < 5_000; i++) {
      store.put(PODS + i % 10, VALUE, Store.ANY);
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
      store.put(PODS + "big", new byte[100_000], Store.ANY);
    }
    assertThat(store.revision() - store.compactedRevision()).isEqualTo(10);
    store.put(PODS + "huge", new byte[2 << 20], Store.ANY);
    store.put(PODS + "huge", VALUE, Store.ANY);
    assertThat(store.compactedRevision()).isEqualTo(store.revision());
    store.put(PODS + "huge", VALUE, Store.ANY);
    assertThat(store.compactedRevision()).isEqualTo(store.revision() - 1);
  }

  @Test
  void anIdleWatchOfAQuietPrefixKeepsItsPlaceWhileHistoryTurnsOver() {
    var store = new MemoryStore(new HistoryLimits(100, Long.MAX_VALUE));
    var woken = new ArrayList<String>();
    Watch quiet = store.watch(PODS, store.revision(), () -> woken.add("quiet"));
    assertThat(quiet.poll(1)).isEqualTo(new Poll.Events(List.of(), 1));
    for (int i = 0; i < 1_000; i++) {
      store.put(LEASES + i, VALUE, Store.ANY);
    }
    assertThat(woken).isEmpty();
    store.put(PODS + "a", VALUE, Store.ANY);
    assertThat(woken).containsExactly("quiet");
    for (int i = 0; i < 50; i++) {
      store.put(LEASES + i, VALUE, Store.ANY);
    }
    assertThat(quiet.poll(10))
        .isInstanceOfSatisfying(
            Poll.Events.class,
            e -> assertThat(e.events()).extracting("key").containsExactly(PODS + "a"));
  }

  @Test
  void aWokenReaderThatDoesNotPollFallsBehind() {
    var store = new MemoryStore(new HistoryLimits(100, Long.MAX_VALUE));
    Watch watch = store.watch("/", store.revision(), () -> {});
    watch.poll(1);
    for (int i = 0; i < 200; i++) {
      store.put(LEASES + i, VALUE, Store.ANY);
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

  @Test
  void aFloodOfOneResourceLeavesTheHistoryOfTheOthers() {
    var store = new MemoryStore(new HistoryLimits(100, 1 << 20));
    long before = store.revision();
    store.put(PODS + "a", VALUE, Store.ANY);
    for (int i = 0; i < 1_000; i++) {
      store.put(LEASES + i % 10, new byte[5_000], Store.ANY);
    }
    assertThat(store.watch(LEASES, before, () -> {}).poll(1)).isInstanceOf(Poll.TooOld.class);
    assertThat(events(store.watch(PODS, before, () -> {}))).containsExactly(PODS + "a");
    assertThat(keys(store.range(RangeRequest.prefix(PODS).at(before)))).isEmpty();
    assertThat(keys(store.range(RangeRequest.prefix(PODS).at(before + 1)))).hasSize(1);
  }

  @Test
  void whenAllTogetherKeepTooMuchTheOneWithMostGives() {
    var store = new MemoryStore(new HistoryLimits(1_000, 100_000));
    long before = store.revision();
    store.put(PODS + "a", VALUE, Store.ANY);
    for (int i = 0; i < 50; i++) {
      for (int resource = 0; resource < 10; resource++) {
        store.put("/registry/r" + resource + "/a", new byte[4_000], Store.ANY);
      }
    }
    long kept = 0;
    for (int resource = 0; resource < 10; resource++) {
      String prefix = "/registry/r" + resource + "/";
      long from = ((Poll.TooOld) store.watch(prefix, before, () -> {}).poll(1)).compactedRevision();
      List<String> events = events(store.watch(prefix, from, () -> {}));
      assertThat(events.size()).as(prefix).isBetween(3, 5);
      kept += events.size();
    }
    assertThat(kept * 5_024).isBetween(190_000L, 200_000L);
    assertThat(events(store.watch(PODS, before, () -> {}))).containsExactly(PODS + "a");
  }

  @Test
  void compactionForgetsWhatWasWrittenAndNothingElse() {
    var store = new MemoryStore();
    store.put(PODS + "a", VALUE, Store.ANY);
    long seen = store.revision();
    store.put(LEASES + "a", VALUE, Store.ANY);
    store.put(LEASES + "a", VALUE, Store.ANY);
    store.compact(store.revision());
    assertThat(store.watch(LEASES, seen, () -> {}).poll(1))
        .isEqualTo(new Poll.TooOld(store.revision()));
    assertThat(store.watch("/registry/", seen, () -> {}).poll(1))
        .isEqualTo(new Poll.TooOld(store.revision()));
    assertThat(store.watch(PODS, seen, () -> {}).poll(1))
        .isEqualTo(new Poll.Events(List.of(), store.revision()));
    assertThat(keys(store.range(RangeRequest.prefix(PODS).at(seen)))).containsExactly(PODS + "a");
    assertThat(store.watch(PODS, seen - 1, () -> {}).poll(1)).isEqualTo(new Poll.TooOld(seen));
  }

  @Test
  void aWriteWakesTheReadersOfItsNameAndOfItsValueBeforeAndAfter() {
    var store = new MemoryStore();
    store.index(PODS, entry -> new String(entry.value(), UTF_8));
    var woken = new ArrayList<String>();
    var watches = new ArrayList<Watch>();
    for (String node : List.of("n1", "n2", "n3")) {
      watches.add(store.watch(PODS, new Topic.Value(node), 1, () -> woken.add(node)));
    }
    for (String name : List.of("web", "b")) {
      watches.add(store.watch(PODS, new Topic.Name(name), 1, () -> woken.add(name)));
    }
    watches.add(store.watch(PODS, Topic.ALL, 1, () -> woken.add("all")));
    Runnable seen =
        () -> {
          woken.clear();
          watches.forEach(
              watch -> assertThat(events(watch).size() + events(watch).size()).isLessThan(2));
        };

    seen.run();
    store.put(PODS + "default/web", "n1".getBytes(UTF_8), Store.ANY);
    assertThat(woken).containsExactly("all", "web", "n1");
    seen.run();
    store.put(PODS + "default/web", "n2".getBytes(UTF_8), Store.ANY);
    assertThat(woken).containsExactly("all", "web", "n1", "n2");
    seen.run();
    store.put(PODS + "other/b", "n9".getBytes(UTF_8), Store.ANY);
    assertThat(woken).containsExactly("all", "b");
    seen.run();
    store.delete(PODS + "default/web", Store.ANY);
    assertThat(woken).containsExactly("all", "web", "n2");
  }

  @Test
  void aRangeOfAValueIsThatOfTheRevisionAlsoFromBeforeTheIndexWasBuilt() {
    var store = new MemoryStore();
    store.index(PODS, entry -> new String(entry.value(), UTF_8));
    store.put(PODS + "x/a", "n1".getBytes(UTF_8), Store.ANY);
    store.put(PODS + "y/b", "n1".getBytes(UTF_8), Store.ANY);
    long first = store.revision();
    store.put(PODS + "x/a", "n2".getBytes(UTF_8), Store.ANY);
    RangeRequest onOne = RangeRequest.prefix(PODS).indexed("n1");
    RangeRequest onTwo = RangeRequest.prefix(PODS).indexed("n2");
    assertThat(keys(store.range(onOne))).containsExactly(PODS + "y/b");
    long second = store.revision();
    store.put(PODS + "y/b", "n2".getBytes(UTF_8), Store.ANY);
    store.delete(PODS + "x/a", Store.ANY);

    assertThat(keys(store.range(onOne))).isEmpty();
    assertThat(keys(store.range(onTwo))).containsExactly(PODS + "y/b");
    assertThat(keys(store.range(onOne.at(first)))).containsExactly(PODS + "x/a", PODS + "y/b");
    assertThat(keys(store.range(onTwo.at(second)))).containsExactly(PODS + "x/a");
    assertThat(keys(store.range(RangeRequest.prefix(PODS + "y/").indexed("n2"))))
        .containsExactly(PODS + "y/b");
    assertThat(keys(store.range(onTwo.at(second + 1).after(PODS + "x/a", second + 1))))
        .containsExactly(PODS + "y/b");
  }

  private static List<String> events(Watch watch) {
    return ((Poll.Events) watch.poll(10_000)).events().stream().map(Watch.Event::key).toList();
  }

  private static List<String> keys(RangeResult result) {
    return ((RangeResult.Page) result).entries().stream().map(Store.Entry::key).toList();
  }
}
