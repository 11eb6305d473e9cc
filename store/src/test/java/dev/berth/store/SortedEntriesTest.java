package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Store.Entry;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SortedEntriesTest {

  private static final byte[] NOTHING = {};

  /** Few keys make the tree shrink to nothing and grow again; many make it deep. */
  @SeededTest(
      fixed = 1,
      fresh = 1,
      each = {"3", "40", "700", "5000", "40000"})
  void agreesWithATreeMap(long seed, int keys) {
    var random = new SplittableRandom(seed);
    var model = new TreeMap<String, Entry>();
    SortedEntries<Entry> entries = SortedEntries.empty();
    for (int step = 0; step < 20_000; step++) {
      String key = key(random.nextInt(keys));
      // Tides: sometimes most keys go, sometimes most come.
      if (random.nextInt(100) < (step / 5_000 % 2 == 0 ? 80 : 20)) {
        var entry = new Entry(key, NOTHING, step);
        model.put(key, entry);
        entries = entries.with(entry);
      } else {
        model.remove(key);
        entries = entries.without(key);
      }
      assertThat(entries.get(key)).isSameAs(model.get(key));
      assertThat(entries.size()).isEqualTo(model.size());
      if (step % 200 == 0) {
        assertSameRanges(entries, model, random, keys);
      }
    }
  }

  private static void assertSameRanges(
      SortedEntries<Entry> entries,
      NavigableMap<String, Entry> model,
      SplittableRandom random,
      int keys) {
    assertThat(entries.range("", Keys.NO_END, Integer.MAX_VALUE))
        .containsExactlyElementsOf(model.values());
    String one = key(random.nextInt(keys)) + (random.nextBoolean() ? "" : "!");
    String other = key(random.nextInt(keys));
    String from = one.compareTo(other) < 0 ? one : other;
    String to = one.compareTo(other) < 0 ? other : one;
    List<Entry> expected = List.copyOf(model.subMap(from, to).values());
    int limit = random.nextInt(expected.size() + 2);
    assertThat(entries.count(from, to)).isEqualTo(expected.size());
    assertThat(entries.count(to, from)).isZero();
    assertThat(entries.range(from, to, limit))
        .isEqualTo(expected.subList(0, Math.min(limit, expected.size())));
  }

  private static String key(int i) {
    return "/" + Integer.toString(i * 7919 % 100_003, 36);
  }

  @SeededTest(fixed = 1, fresh = 1)
  void olderVersionsNeverChange(long seed) {
    var random = new SplittableRandom(seed);
    SortedEntries<Entry> entries = SortedEntries.empty();
    var versions = new ArrayList<Map.Entry<SortedEntries<Entry>, List<Entry>>>();
    for (int step = 0; step < 1_000; step++) {
      String key = key(random.nextInt(500));
      entries =
          random.nextInt(3) == 0
              ? entries.without(key)
              : entries.with(new Entry(key, NOTHING, step));
      versions.add(Map.entry(entries, entries.range("", Keys.NO_END, Integer.MAX_VALUE)));
    }
    assertThat(versions)
        .allSatisfy(version ->
            assertThat(version.getKey().range("", Keys.NO_END, Integer.MAX_VALUE))
                .isEqualTo(version.getValue()));
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "32", "33", "1024", "1025", "40000"})
  void loadsInBulk(int count) {
    Entry[] sorted = new Entry[count];
    for (int i = 0; i < count; i++) {
      sorted[i] = new Entry("/k%06d".formatted(i), NOTHING, i);
    }
    SortedEntries<Entry> loaded = SortedEntries.ofSorted(sorted);
    assertThat(loaded.range("", Keys.NO_END, Integer.MAX_VALUE)).containsExactly(sorted);
    assertThat(loaded.with(new Entry("/", NOTHING, 1)).with(new Entry("/z", NOTHING, 1)).size())
        .isEqualTo(count + 2);
    for (Entry entry : sorted) {
      loaded = loaded.without(entry.key());
    }
    assertThat(loaded.size()).isZero();
  }

  @Test
  void refusesABulkLoadThatHoldsAKeyTwice() {
    Entry[] twice = {new Entry("/a", NOTHING, 1), new Entry("/a", NOTHING, 2)};
    assertThatThrownBy(() -> SortedEntries.ofSorted(twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The key /a does not come after /a.");
  }
}
