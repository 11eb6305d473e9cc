package dev.berth.registry;

import static dev.berth.registry.fixture.TestCluster.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions.At;
import dev.berth.registry.ObjectWatch.Event;
import dev.berth.registry.ObjectWatch.Taken;
import dev.berth.registry.WatchOptions.From;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.WriteResult;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Lists and watches by {@code metadata.name} and {@code spec.nodeName} tell what they would tell if
 * every object were looked at.
 */
class IndexedSelectionTest {
  private static final List<String> NODES = List.of("", "n1", "n2", "n3");
  private static final List<String> NAMESPACES = List.of("a", "ab", "b");

  private final TestCluster cluster = new TestCluster();
  private final Resource pods = cluster.core("pods");

  /** What was written, and the pods of each revision, for somebody who looks at everything. */
  private final List<Written> log = new ArrayList<>();

  private final TreeMap<Long, TreeMap<String, Entry>> states = new TreeMap<>();
  private final TreeMap<String, Entry> present = new TreeMap<>();

  private record Written(long revision, @Nullable Entry before, @Nullable Entry after) {}

  /** A watch, where it began, and what it has told. */
  private static final class Watching {
    final ObjectWatch watch;
    final Selection selection;
    final long from;
    final List<String> told = new ArrayList<>();

    Watching(ObjectWatch watch, Selection selection, long from) {
      this.watch = watch;
      this.selection = selection;
      this.from = from;
    }
  }

  private static String key(String namespace, String name) {
    return "/registry/pods/" + namespace + "/" + name;
  }

  private void write(SplittableRandom random) {
    String namespace = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
    String name = "p" + random.nextInt(12);
    String key = key(namespace, name);
    Entry before = present.get(key);
    if (before != null && random.nextInt(4) == 0) {
      var deleted = (WriteResult.Written) cluster.store.delete(key, before.revision());
      present.remove(key);
      log.add(new Written(deleted.revision(), before, null));
      states.put(deleted.revision(), new TreeMap<>(present));
    } else {
      String node = NODES.get(random.nextInt(NODES.size()));
      put(namespace, name, node, random.nextBoolean() ? "x" : "y");
    }
  }

  private void put(String namespace, String name, String node, String label) {
    String json =
        """
        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s","labels":{"l":"%s"}},
         "spec":{"nodeName":"%s"}}
        """
            .formatted(name, namespace, label, node);
    byte[] bytes = json.getBytes(UTF_8);
    String key = key(namespace, name);
    var put = (WriteResult.Written) cluster.store.put(key, bytes, Store.ANY);
    Entry before = present.put(key, put.entry().orElseThrow());
    log.add(new Written(put.revision(), before, put.entry().orElseThrow()));
    states.put(put.revision(), new TreeMap<>(present));
  }

  private static Selection selection(SplittableRandom random) {
    String fields =
        switch (random.nextInt(6)) {
          case 0 -> "metadata.name=p" + random.nextInt(12);
          case 1 -> "metadata.name=p1,spec.nodeName=n1";
          case 2 -> "spec.nodeName!=n2";
          default -> "spec.nodeName=" + NODES.get(random.nextInt(NODES.size()));
        };
    String namespace =
        random.nextBoolean() ? "" : NAMESPACES.get(random.nextInt(NAMESPACES.size()));
    String labels = random.nextInt(3) == 0 ? "l=x" : "";
    return new Selection(namespace, LabelSelector.parse(labels), FieldSelector.parse(fields));
  }

  private static boolean selects(Selection selection, @Nullable Entry entry) {
    if (entry == null) {
      return false;
    }
    JsonObject pod = StoredEncoding.tree(entry);
    JsonObject metadata = pod.object("metadata");
    Map<String, String> fields =
        Map.of(
            "metadata.name",
            metadata.text("name", ""),
            "spec.nodeName",
            pod.object("spec").text("nodeName", ""));
    String namespace = metadata.text("namespace", "");
    return (selection.namespace().isEmpty() || selection.namespace().equals(namespace))
        && selection.labels().matches(metadata.object("labels"))
        && selection.fields().matches(field -> fields.getOrDefault(field, ""));
  }

  private List<String> expected(Watching watching) {
    List<String> expected = new ArrayList<>();
    for (Written written : log) {
      if (written.revision > watching.from) {
        boolean was = selects(watching.selection, written.before);
        boolean is = selects(watching.selection, written.after);
        if (is) {
          expected.add((was ? "MODIFIED " : "ADDED ") + written.after);
        } else if (was) {
          expected.add("DELETED " + written.before + " at " + written.revision);
        }
      }
    }
    return expected;
  }

  private static void poll(Watching watching, int limit) {
    switch (watching.watch.poll(limit)) {
      case Taken.Events(List<Event> events, long _) ->
          events.forEach(event ->
              watching.told.add(
                  switch (event) {
                    case Event.Added(Entry entry) -> "ADDED " + entry;
                    case Event.Modified(Entry entry) -> "MODIFIED " + entry;
                    case Event.Deleted(Entry last, long revision) ->
                        "DELETED " + last + " at " + revision;
                  }));
      case Taken.Expired expired -> throw new AssertionError(expired.status().message());
      case Taken.Closed _ -> throw new AssertionError("closed");
    }
  }

  private List<Entry> pages(ListOptions request) {
    List<Entry> all = new ArrayList<>();
    Listing.Page page = cluster.registry.list(pods, request);
    all.addAll(page.entries());
    while (!page.continueToken().isEmpty()) {
      Listing.Page next = cluster.registry.list(pods, request.continuing(page.continueToken()));
      assertThat(next.revision()).isEqualTo(page.revision());
      page = next;
      all.addAll(page.entries());
    }
    return all;
  }

  @SeededTest(fixed = 5, fresh = 20)
  void tellsWhatLookingAtEverythingTells(long seed) {
    var random = new SplittableRandom(seed);
    List<Watching> watches = new ArrayList<>();
    states.put(cluster.store.revision(), new TreeMap<>());
    for (int step = 0; step < 400; step++) {
      write(random);
      if (random.nextInt(20) == 0) {
        Selection selection = selection(random);
        List<Long> revisions = List.copyOf(states.keySet());
        long from = revisions.get(random.nextInt(revisions.size()));
        var options = new WatchOptions(selection, new From.After(from));
        watches.add(new Watching(cluster.registry.watch(pods, options), selection, from));
      }
      if (!watches.isEmpty() && random.nextBoolean()) {
        poll(watches.get(random.nextInt(watches.size())), 1 + random.nextInt(5));
      }
      if (random.nextInt(10) == 0) {
        checkLists(random);
      }
    }
    for (Watching watching : watches) {
      int told;
      do {
        told = watching.told.size();
        poll(watching, 7);
      } while (watching.told.size() > told);
      assertThat(watching.told)
          .as("%s from %d", watching.selection, watching.from)
          .isEqualTo(expected(watching));
    }
  }

  private void checkLists(SplittableRandom random) {
    Selection selection = selection(random);
    List<Long> revisions = List.copyOf(states.keySet());
    long revision = revisions.get(random.nextInt(revisions.size()));
    ListOptions request = ListOptions.of(selection).limit(random.nextInt(4));
    assertThat(pages(request))
        .as("%s", selection)
        .isEqualTo(present.values().stream().filter(e -> selects(selection, e)).toList());
    assertThat(pages(request.limit(0).at(new At.Exactly(revision))))
        .as("%s at %d", selection, revision)
        .isEqualTo(
            states.getOrDefault(revision, new TreeMap<>()).values().stream()
                .filter(e -> selects(selection, e))
                .toList());
  }

  @Test
  void aWriteWakesOnlyTheWatchesOfItsNodeAndOfItsName() {
    Map<String, AtomicInteger> wakes = new TreeMap<>();
    for (int node = 0; node < 100; node++) {
      watch("spec.nodeName=n" + node, wakes);
      watch("metadata.name=p" + node, wakes);
    }
    put("a", "p7", "n3", "x");
    assertThat(woken(wakes)).containsExactly("metadata.name=p7", "spec.nodeName=n3");
    put("a", "p8", "", "x");
    assertThat(woken(wakes))
        .containsExactly("metadata.name=p7", "metadata.name=p8", "spec.nodeName=n3");
  }

  private void watch(String fields, Map<String, AtomicInteger> wakes) {
    var selection = new Selection("", LabelSelector.EVERYTHING, FieldSelector.parse(fields));
    AtomicInteger count = new AtomicInteger();
    wakes.put(fields, count);
    ObjectWatch watch =
        cluster.registry.watch(
            pods, new WatchOptions(selection, new From.Next()), count::incrementAndGet);
    watch.poll();
  }

  private static List<String> woken(Map<String, AtomicInteger> wakes) {
    return wakes.entrySet().stream()
        .filter(fields -> fields.getValue().get() > 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  @Test
  void aListReadsNothingThatItDoesNotSelect() {
    for (int i = 0; i < 1_000; i++) {
      put(NAMESPACES.get(i % NAMESPACES.size()), "p" + i, "n" + i % 100, "x");
    }
    assertThat(entriesReadFor("spec.nodeName=n7")).isEqualTo(10);
    assertThat(entriesReadFor("spec.nodeName=n7,metadata.name=p7")).isLessThanOrEqualTo(4);
    // The first of each namespace shows that there is one.
    assertThat(entriesReadFor("metadata.name=p7")).isEqualTo(1 + NAMESPACES.size());
  }

  private int entriesReadFor(String fields) {
    var store = new CountingStore(cluster.store);
    var selection = new Selection("", LabelSelector.EVERYTHING, FieldSelector.parse(fields));
    var list = Listing.list(store, pods, ListOptions.of(selection));
    assertThat(list.entries()).isNotEmpty();
    return store.entriesRead;
  }

  @Test
  void aTokenOfASelectionThatIsTooOldContinuesWithTheNewest() {
    for (int i = 0; i < 5; i++) {
      put("a", "p" + i, "n1", "x");
    }
    var selection =
        new Selection("", LabelSelector.EVERYTHING, FieldSelector.parse("spec.nodeName=n1"));
    ListOptions request = ListOptions.of(selection).limit(2);
    String token = cluster.registry.list(pods, request).continueToken();
    put("a", "p3", "n2", "x");
    cluster.store.compact(cluster.store.revision());

    var status = refused(() -> cluster.registry.list(pods, request.continuing(token)));
    assertThat(status.code()).isEqualTo(410);
    Listing.Page rest = cluster.registry.list(pods, request.continuing(status.continueToken()));
    assertThat(rest.entries())
        .extracting(Entry::key)
        .containsExactly(key("a", "p2"), key("a", "p4"));
    assertThat(rest.revision()).isEqualTo(cluster.store.revision());
  }
}
