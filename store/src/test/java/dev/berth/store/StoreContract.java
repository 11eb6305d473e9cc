package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import dev.berth.store.Store.RangeResult.Page;
import dev.berth.store.Store.WriteResult.Conflict;
import dev.berth.store.Store.WriteResult.Prevented;
import dev.berth.store.Store.WriteResult.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every store does, whatever is below it. Assumes only what {@link Store} promises: revisions
 * may have gaps, and wake-ups may come late.
 */
public abstract class StoreContract extends GuardContract {

  private Page page(RangeRequest request) {
    return (Page) store.range(request);
  }

  private List<String> keys(RangeRequest request) {
    return page(request).entries().stream().map(Entry::key).toList();
  }

  @Test
  void whatAWriterLeavesWithItsEntryIsThereForEveryReader() {
    Written written =
        (Written) store.put("/k", new byte[0], Store.ABSENT, entry -> "at " + entry.revision());
    Entry read = store.get("/k").orElseThrow();
    assertThat(read.view(String.class, _ -> "made by a reader"))
        .isEqualTo("at " + written.revision());
  }

  @Test
  void aNewStoreIsEmptyAndNotAtRevisionZero() {
    assertThat(store.revision()).isPositive();
    assertThat(store.get("/a")).isEmpty();
    assertThat(page(RangeRequest.prefix(""))).isEqualTo(new Page(List.of(), store.revision(), 0));
  }

  @Test
  void aWatchMayHaveEventsUntilAllOfThemWerePolled() {
    put("/a/1", "before");
    Watch watch = store.watch("/a/", store.revision(), () -> {});
    assertThat(watch.poll(1)).isInstanceOf(Watch.Poll.Events.class);
    put("/a/2", "own");
    assertThat(watch.mayHaveEvents()).isTrue();
    assertThat(((Watch.Poll.Events) watch.poll(10)).events()).hasSize(1);
    watch.close();
    assertThat(watch.mayHaveEvents()).isTrue();
  }

  @Test
  void everyWriteTakesAHigherRevision() {
    long start = store.revision();
    long created = put("/a", "1");
    long updated = put("/a", "1");
    long deleted = delete("/a");
    assertThat(List.of(start, created, updated, deleted, store.revision())).isSorted().hasSize(5);
    assertThat(updated).isGreaterThan(created);
    assertThat(created).isGreaterThan(start);
    assertThat(store.revision()).isEqualTo(deleted);
  }

  @Test
  void readsItsWrites() {
    long revision = put("/a", "one");
    Entry entry = store.get("/a").orElseThrow();
    assertThat(entry.key()).isEqualTo("/a");
    assertThat(text(entry)).isEqualTo("one");
    assertThat(entry.revision()).isEqualTo(revision);
    delete("/a");
    assertThat(store.get("/a")).isEmpty();
  }

  @Test
  void createsOnlyWhatIsAbsent() {
    assertThat(store.put("/a", bytes("1"), Store.ABSENT)).isInstanceOf(Written.class);
    long before = store.revision();
    assertConflict(store.put("/a", bytes("2"), Store.ABSENT), "1");
    assertThat(store.revision()).isEqualTo(before);
    assertThat(text(store.get("/a").orElseThrow())).isEqualTo("1");
  }

  @Test
  void updatesAndDeletesOnlyWhatHasTheExpectedRevision() {
    long first = put("/a", "1");
    long second = ((Written) store.put("/a", bytes("2"), first)).revision();
    assertConflict(store.put("/a", bytes("3"), first), "2");
    assertConflict(store.delete("/a", first), "2");
    assertConflict(store.delete("/a", Store.ABSENT), "2");
    assertThat(store.delete("/a", second)).isInstanceOf(Written.class);
    assertThat(store.put("/a", bytes("4"), second)).isEqualTo(new Conflict(Optional.empty()));
    assertThat(store.get("/a")).isEmpty();
  }

  private static void assertConflict(Store.WriteResult result, String current) {
    assertThat(result)
        .isInstanceOfSatisfying(
            Conflict.class, c -> assertThat(text(c.current().orElseThrow())).isEqualTo(current));
  }

  @ParameterizedTest(name = "expecting {0}")
  @ValueSource(longs = {Store.ANY, Store.ABSENT, 1})
  void deletingWhatIsAbsentIsAConflictAndTakesNoRevision(long expected) {
    long before = put("/b", "");
    assertThat(store.delete("/a", expected)).isEqualTo(new Conflict(Optional.empty()));
    assertThat(store.revision()).isEqualTo(before);
  }

  /** Whoever wrote a value can leave what it made of it for those who read it. */
  @Test
  void aPutReturnsTheEntryThatReadersSee() {
    Entry written = ((Written) store.put("/a", bytes("1"), Store.ABSENT)).entry().orElseThrow();
    assertThat(written.view(String.class, e -> "made by the writer"))
        .isEqualTo("made by the writer");

    Entry read = store.get("/a").orElseThrow();
    assertThat(read.view(String.class, e -> "made by a reader")).isEqualTo("made by the writer");
    assertThat(read.view(Integer.class, e -> 7)).isEqualTo(7);
    assertThat(((Written) store.delete("/a", Store.ANY)).entry()).isEmpty();
  }

  @Test
  void rangesAreSortedAndEndBeforeTheirEnd() {
    for (String key : List.of("/b/2", "/a/1", "/b/10", "/b", "/c/1", "/b/1", "/b0")) {
      put(key, "");
    }
    assertThat(keys(RangeRequest.prefix("/b/"))).containsExactly("/b/1", "/b/10", "/b/2");
    assertThat(keys(RangeRequest.prefix("/b"))).startsWith("/b", "/b/1").endsWith("/b0");
    assertThat(keys(new RangeRequest("/b", "/b/10", 9, 0))).containsExactly("/b", "/b/1");
    assertThat(keys(new RangeRequest("/b/3", Keys.NO_END, 9, 0))).containsExactly("/b0", "/c/1");
    assertThat(keys(new RangeRequest("/c", "/b", 9, 0))).isEmpty();
  }

  @Test
  void aLimitSaysHowManyItLeftOut() {
    for (int i = 0; i < 100; i++) {
      put("/a/%03d".formatted(i), "");
    }
    put("/b", "");
    Page first = page(RangeRequest.prefix("/a/").limit(30));
    assertThat(first.entries()).hasSize(30);
    assertThat(first.remaining()).isEqualTo(70);
    assertThat(page(RangeRequest.prefix("/a/").limit(0)).remaining()).isEqualTo(100);
    assertThat(page(RangeRequest.prefix("/a/").limit(100)).remaining()).isZero();
    assertThatThrownBy(() -> RangeRequest.prefix("/").limit(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void pagesOfOneRevisionAreConsistentWhileOthersWrite() throws Exception {
    for (int i = 0; i < 500; i++) {
      put("/a/%03d".formatted(i), "before");
    }
    var stop = new AtomicBoolean();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writer =
          threads.submit(() -> {
            var random = new SplittableRandom(1);
            for (int i = 0; i < 3_000 && !stop.get(); i++) {
              String key = "/a/%03d".formatted(random.nextInt(600));
              if (random.nextBoolean()) {
                store.put(key, bytes("after"), Store.ANY);
              } else {
                store.delete(key, Store.ANY);
              }
            }
          });
      Page page = page(RangeRequest.prefix("/a/").limit(7));
      var all = new ArrayList<>(page.entries());
      long remaining = page.remaining();
      while (remaining > 0) {
        String last = all.getLast().key();
        Page next = page(RangeRequest.prefix("/a/").limit(7).after(last, page.revision()));
        assertThat(next.revision()).isEqualTo(page.revision());
        assertThat(next.remaining()).isEqualTo(remaining - next.entries().size());
        all.addAll(next.entries());
        remaining = next.remaining();
      }
      stop.set(true);
      writer.get();
      Page whole = page(RangeRequest.prefix("/a/").at(page.revision()));
      assertThat(all)
          .extracting(Entry::key)
          .isEqualTo(whole.entries().stream().map(Entry::key).toList());
      assertThat(all).extracting(Entry::revision).allMatch(r -> r <= page.revision());
    }
  }

  @Test
  void readsThePastUntilItIsCompacted() {
    long first = put("/a", "1");
    long second = put("/b", "2");
    delete("/a");
    put("/b", "3");
    RangeRequest all = RangeRequest.prefix("/");
    assertThat(page(all.at(first)).entries()).extracting(e -> text(e)).containsExactly("1");
    assertThat(page(all.at(second)).entries()).extracting(e -> text(e)).containsExactly("1", "2");
    assertThat(page(all).entries()).extracting(e -> text(e)).containsExactly("3");

    store.compact(second);
    assertThat(store.compactedRevision()).isEqualTo(second);
    assertThat(store.range(all.at(first))).isEqualTo(new RangeResult.TooOld(second));
    assertThat(page(all.at(second)).entries()).hasSize(2);
    store.compact(first);
    assertThat(store.compactedRevision()).isEqualTo(second);
    assertThatThrownBy(() -> store.compact(store.revision() + 1_000_000))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theFutureHasNotHappenedYet() {
    long now = put("/a", "");
    assertThat(store.range(RangeRequest.prefix("/").at(now + 1_000_000)))
        .isEqualTo(new RangeResult.NotYet(now));
  }

  @ParameterizedTest(name = "[{index}]")
  @ValueSource(
      strings = {"/ü/é", "/中文/节点", "/😀", "/a b\t\n", "/'\"%_\\;--", "x", "/nul\0l", "/\uffff"})
  void keysMayHoldAnyCharacters(String key) {
    long revision = put(key, key);
    put(key + "/below", "");
    Watch watch = store.watch(key, revision - 1, () -> {});
    assertThat(store.get(key)).hasValueSatisfying(e -> assertThat(text(e)).isEqualTo(key));
    assertThat(keys(RangeRequest.prefix(key))).containsExactly(key, key + "/below");
    assertThat(((Watch.Poll.Events) watch.poll(1)).events().getFirst().key()).isEqualTo(key);
    delete(key);
    assertThat(keys(RangeRequest.prefix(key))).containsExactly(key + "/below");
  }

  @Test
  void refusesKeysThatAreNotText() {
    assertThatThrownBy(() -> put("/\ud83d", "")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> put("", "")).isInstanceOf(IllegalArgumentException.class);
    assertThat(put("/a", "still works")).isPositive();
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {0, 1, 4_000, 70_000, 1 << 20})
  void valuesMayBeEmptyOrBig(int size) {
    byte[] value = new byte[size];
    new SplittableRandom(size).nextBytes(value);
    store.put("/a", value, Store.ANY);
    assertThat(store.get("/a").orElseThrow().value()).isEqualTo(value);
  }

  @Test
  void holdsAHundredThousandKeys() throws Exception {
    concurrently(
        100,
        writer -> {
          for (int i = 0; i < 1_000; i++) {
            put("/many/%02d/%03d".formatted(writer, i), "x");
          }
        });
    Page page = page(RangeRequest.prefix("/many/").limit(10));
    assertThat(page.remaining()).isEqualTo(99_990);
    assertThat(keys(RangeRequest.prefix("/many/57/"))).hasSize(1_000).isSorted();
  }

  /** Compare-and-put counters: as many increments arrive as were acknowledged. */
  @Test
  void losesNoUpdate() throws Exception {
    int writers = 16;
    int increments = 100;
    List<String> counters = List.of("/c/1", "/c/2", "/c/3");
    concurrently(
        writers,
        writer -> {
          var random = new SplittableRandom(writer);
          for (int i = 0; i < increments; i++) {
            increment(counters.get(random.nextInt(counters.size())));
          }
        });
    int sum = 0;
    for (Entry entry : page(RangeRequest.prefix("/c/")).entries()) {
      sum += Integer.parseInt(text(entry));
    }
    assertThat(sum).isEqualTo(writers * increments);
  }

  private void increment(String counter) {
    Optional<Entry> seen = store.get(counter);
    while (true) {
      int next = seen.map(e -> Integer.parseInt(text(e))).orElse(0) + 1;
      long expected = seen.map(Entry::revision).orElse(Store.ABSENT);
      switch (store.put(counter, bytes(Integer.toString(next)), expected)) {
        case Written written -> {
          return;
        }
        case Conflict conflict -> seen = conflict.current();
        case Prevented prevented -> throw new AssertionError(prevented);
      }
    }
  }

  @Test
  void aClosedStoreRefusesEverything() {
    store.close();
    store.close();
    assertThatThrownBy(() -> put("/a", "")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.get("/a")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.range(RangeRequest.prefix("/")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFailureWhileDecidingFailsThatWriteAlone() {
    assertThatThrownBy(() ->
            store.put(
                "/a",
                new byte[0],
                Store.ANY,
                _ -> {
                  throw new IllegalStateException("cannot be viewed");
                }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cannot be viewed");
    assertThat(store.get("/a")).isEmpty();
    put("/a", "1");
    assertThat(store.failure()).isEmpty();
  }
}
