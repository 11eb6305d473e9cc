package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult.Page;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a store must hold, by what {@link CrashChild} said before it died. */
final class CrashModel {

  /** A write that was acknowledged, or may have happened. No sum: a delete. */
  private record Write(String key, @Nullable Long sum, long revision) {}

  private final Map<String, Write> acknowledged = new HashMap<>();
  private final Map<String, Write> underWay = new HashMap<>();
  private long revision;

  /** Takes note of a line; true if it acknowledges a write. */
  boolean hear(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "opened" -> {
        assertThat(Long.parseLong(words[1])).isGreaterThanOrEqualTo(revision);
        underWay.clear();
      }
      case "will" -> {
        Long sum = words[3].equals("delete") ? null : Long.valueOf(words[3]);
        underWay.put(words[1], new Write(words[2], sum, 0));
      }
      case "no" -> underWay.remove(words[1]);
      case "did" -> {
        Write write = Objects.requireNonNull(underWay.remove(words[1]), line);
        long at = Long.parseLong(words[2]);
        acknowledged.merge(
            write.key(),
            new Write(write.key(), write.sum(), at),
            (a, b) -> a.revision() > b.revision() ? a : b);
        revision = Math.max(revision, at);
        return true;
      }
      case "opening", "closing", "closed" -> {}
      default -> throw new AssertionError("The child said: " + line);
    }
    return false;
  }

  /** Holds a store against this, then takes what the store holds for the truth. */
  void check(Store store) {
    assertThat(store.revision()).isGreaterThanOrEqualTo(revision);
    var found = new HashMap<String, Entry>();
    for (Entry entry : ((Page) store.range(RangeRequest.prefix(""))).entries()) {
      assertThat(SelfDescribing.isWhole(entry.key(), entry.value())).as("%s whole", entry).isTrue();
      assertThat(entry.revision()).isLessThanOrEqualTo(store.revision());
      found.put(entry.key(), entry);
    }
    for (Write write : acknowledged.values()) {
      Entry entry = found.get(write.key());
      if (entry == null) {
        assertThat(write.sum() == null || mayHave(write.key(), null)).as("%s lost", write).isTrue();
      } else if (entry.revision() == write.revision()) {
        assertThat(SelfDescribing.sum(entry.value())).as("%s", write).isEqualTo(write.sum());
      } else {
        assertThat(entry.revision()).as("%s lost", write).isGreaterThan(write.revision());
        assertThat(mayHave(entry)).as("%s from nowhere", entry).isTrue();
      }
    }
    for (Entry entry : found.values()) {
      assertThat(acknowledged.containsKey(entry.key()) || mayHave(entry)).as("%s", entry).isTrue();
      acknowledged.put(
          entry.key(), new Write(entry.key(), SelfDescribing.sum(entry.value()), entry.revision()));
    }
    List<String> gone = new ArrayList<>(acknowledged.keySet());
    gone.removeAll(found.keySet());
    gone.forEach(key -> acknowledged.put(key, new Write(key, null, store.revision())));
    revision = store.revision();
    underWay.clear();
  }

  private boolean mayHave(Entry entry) {
    return mayHave(entry.key(), SelfDescribing.sum(entry.value()));
  }

  private boolean mayHave(String key, @Nullable Long sum) {
    return underWay.values().stream()
        .anyMatch(w -> w.key().equals(key) && Objects.equals(w.sum(), sum));
  }
}
