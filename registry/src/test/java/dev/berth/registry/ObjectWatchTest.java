package dev.berth.registry;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.registry.ObjectWatch.Event;
import dev.berth.registry.ObjectWatch.Taken;
import dev.berth.registry.WatchOptions.From;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.store.Store.Entry;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Watching objects. */
class ObjectWatchTest {
  private final TestCluster cluster = new TestCluster();
  private final Resource configMaps = cluster.core("configmaps");

  private ObjectWatch watch(String labels, From from) {
    Selection selection =
        new Selection("default", LabelSelector.parse(labels), FieldSelector.EVERYTHING);
    return cluster.registry.watch(configMaps, new WatchOptions(selection, from));
  }

  private void label(String name, String value) {
    cluster.registry.modify(
        configMaps,
        named(name),
        WriteOptions.DEFAULT,
        old -> Metadata.update(old, m -> m.with("labels", tree("{'on':'" + value + "'}"))));
  }

  private static List<String> told(Taken taken) {
    return taken instanceof Taken.Events(List<Event> events, long _)
        ? events.stream().map(ObjectWatchTest::told).toList()
        : List.of(taken.getClass().getSimpleName());
  }

  private static String told(Event event) {
    return switch (event) {
      case Event.Added(Entry entry) -> "added " + name(entry);
      case Event.Modified(Entry entry) -> "modified " + name(entry);
      case Event.Deleted(Entry last, long _) -> "deleted " + name(last);
    };
  }

  private static String name(Entry entry) {
    return ObjectName.of(StoredEncoding.tree(entry)).name();
  }

  @Test
  void tellsWhatThereIsAndThenWhatHappens() {
    cluster.configMap("a");
    try (ObjectWatch watch = watch("", new From.Present())) {
      assertThat(watch.initialEvents().stream().map(ObjectWatchTest::told))
          .containsExactly("added a");
      assertThat(watch.initialEvents()).isEmpty();
      cluster.configMap("b");
      label("a", "1");
      cluster.registry.delete(configMaps, named("b"), DeletionOptions.DEFAULT);
      assertThat(told(watch.poll())).containsExactly("added b", "modified a", "deleted b");
      assertThat(told(watch.poll())).isEmpty();
    }
  }

  @Test
  void whatBeginsToMatchIsAddedAndWhatCeasesToIsDeleted() {
    cluster.configMap("a");
    try (ObjectWatch watch = watch("on=yes", new From.Next())) {
      label("a", "no");
      label("a", "yes");
      label("a", "yes");
      cluster.registry.modify(
          configMaps, named("a"), WriteOptions.DEFAULT, old -> old.with("data", tree("{'a':'2'}")));
      label("a", "no");
      cluster.registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT);
      assertThat(told(watch.poll())).containsExactly("added a", "modified a", "deleted a");
    }
  }

  /** A reader that finds nothing is told of the next change, also after changes of others. */
  @Test
  void whoeverFoundNothingSelectedIsToldOfWhatIs() {
    AtomicInteger tellings = new AtomicInteger();
    Selection on =
        new Selection("default", LabelSelector.parse("on=yes"), FieldSelector.EVERYTHING);
    WatchOptions request = new WatchOptions(on, new From.Next());
    try (ObjectWatch watch =
        cluster.registry.watch(configMaps, request, tellings::incrementAndGet)) {
      cluster.configMap("a");
      cluster.configMap("b");
      assertThat(told(watch.poll(1))).isEmpty();
      label("b", "yes");
      assertThat(tellings).hasValue(1);
      assertThat(told(watch.poll(1))).containsExactly("added b");
    }
  }

  @Test
  void whatIsDeletedIsToldAtTheRevisionOfItsDeletion() {
    cluster.configMap("a");
    try (ObjectWatch watch = watch("", new From.Next())) {
      cluster.registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT);
      assertThat(watch.poll())
          .isInstanceOfSatisfying(
              Taken.Events.class,
              taken ->
                  assertThat(taken.events().getFirst())
                      .isInstanceOfSatisfying(
                          Event.Deleted.class,
                          deleted ->
                              assertThat(deleted.revision()).isEqualTo(cluster.store.revision())));
    }
  }

  @Test
  void aRevisionThatIsForgottenOrHasNotHappenedIsRefused() {
    long before = cluster.store.revision();
    cluster.configMap("a");
    cluster.configMap("b");
    cluster.store.compact(cluster.store.revision());
    try (ObjectWatch watch = watch("", new From.After(before))) {
      assertThat(watch.poll())
          .isInstanceOfSatisfying(
              Taken.Expired.class,
              expired -> {
                assertThat(expired.status().code()).isEqualTo(410);
                assertThat(expired.status().message())
                    .isEqualTo(
                        "too old resource version: "
                            + before
                            + " ("
                            + cluster.store.revision()
                            + ")");
              });
    }
    assertThat(refused(() -> watch("", new From.After(before + 1000))).code()).isEqualTo(504);
  }
}
