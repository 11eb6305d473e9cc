package dev.berth.registry;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.status.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists, whole and in pages. */
class ListingTest {
  private final TestCluster cluster = new TestCluster();
  private final Resource configMaps = cluster.core("configmaps");

  @BeforeEach
  void fiveObjects() {
    for (String name : List.of("e", "a", "d", "b", "c")) {
      cluster.create(
          "configmaps",
          "{'metadata':{'name':'%s','labels':{'vowel':'%s'}}}"
              .formatted(name, "ae".contains(name) ? "yes" : "no"));
    }
  }

  private Listing.Page list(ListOptions request) {
    return cluster.registry.list(configMaps, request);
  }

  private static List<String> names(Listing.Page page) {
    return page.entries().stream().map(e -> ObjectName.of(StoredEncoding.tree(e)).name()).toList();
  }

  private static Selection selected(String labels, String fields) {
    return new Selection("default", LabelSelector.parse(labels), FieldSelector.parse(fields));
  }

  @Test
  void allPagesShowOneMoment() {
    ListOptions request = ListOptions.of(Selection.in("default")).limit(2);
    Listing.Page page = list(request);
    assertThat(page.remaining()).isEqualTo(3);
    List<String> seen = new ArrayList<>(names(page));
    while (!page.continueToken().isEmpty()) {
      cluster.create("configmaps", "{'metadata':{'generateName':'z'}}");
      cluster.registry.find(configMaps, named("d")).ifPresent(_ -> delete("d"));
      Listing.Page next = list(request.continuing(page.continueToken()));
      assertThat(next.revision()).isEqualTo(page.revision());
      page = next;
      seen.addAll(names(page));
    }
    assertThat(seen).containsExactly("a", "b", "c", "d", "e");
    assertThat(page.remaining()).isZero();
  }

  private void delete(String name) {
    cluster.registry.delete(configMaps, named(name), DeletionOptions.DEFAULT);
  }

  @Test
  void selectorsChooseAndPagesStayFull() {
    ListOptions request = ListOptions.of(selected("vowel=no", "")).limit(2);
    Listing.Page first = list(request);
    assertThat(names(first)).containsExactly("b", "c");
    assertThat(first.remaining()).isEqualTo(-1);
    Listing.Page second = list(request.continuing(first.continueToken()));
    assertThat(names(second)).containsExactly("d");
    assertThat(names(list(ListOptions.of(selected("", "metadata.name=c"))))).containsExactly("c");
    assertThat(names(list(ListOptions.of(selected("", "metadata.name!=c"))))).hasSize(4);
  }

  @Test
  void aFieldThatCannotBeSelectedByIsRefused() {
    Status status = refused(() -> list(ListOptions.of(selected("", "data.a=1"))));
    assertThat(status.code()).isEqualTo(400);
    assertThat(status.message()).contains("\"data.a\" is not a known field selector");
  }

  @Test
  void aTokenThatIsTooOldCanBeContinuedInconsistently() {
    ListOptions request = ListOptions.of(Selection.in("default")).limit(2);
    String token = list(request).continueToken();
    cluster.create("configmaps", "{'metadata':{'name':'ccc'}}");
    cluster.store.compact(cluster.store.revision());

    Status status = refused(() -> list(request.continuing(token)));
    assertThat(status.code()).isEqualTo(410);
    assertThat(status.reason()).isEqualTo("Expired");
    assertThat(status.message()).startsWith("The provided continue parameter is too old");
    assertThat(names(list(request.limit(9).continuing(status.continueToken()))))
        .containsExactly("c", "ccc", "d", "e");
  }

  @Test
  void aTokenAgesThoughNothingChangesThatItIsAbout() {
    ListOptions request = ListOptions.of(Selection.in("default")).limit(2);
    Listing.Page first = list(request);
    cluster.create("secrets", "{'metadata':{'name':'s'}}");
    assertThat(names(list(request.continuing(first.continueToken())))).containsExactly("c", "d");

    cluster.store.compact(cluster.store.revision());
    Status status = refused(() -> list(request.continuing(first.continueToken())));
    assertThat(status.code()).isEqualTo(410);
    Listing.Page second = list(request.continuing(status.continueToken()));
    assertThat(names(second)).containsExactly("c", "d");
    assertThat(second.revision()).isGreaterThan(first.revision());
    assertThat(second.remaining()).isEqualTo(1);
  }

  @Test
  void aTokenThatNobodyGaveOutIsRefused() {
    ListOptions request = ListOptions.of(Selection.in("default")).limit(2);
    assertThat(refused(() -> list(request.continuing("bm9uc2Vuc2U"))).code()).isEqualTo(400);
    assertThat(refused(() -> list(request.continuing("***"))).code()).isEqualTo(400);
  }

  @Test
  void aRevisionCanBeAskedFor() {
    ListOptions all = ListOptions.of(Selection.in("default"));
    long before = cluster.store.revision();
    delete("a");
    assertThat(names(list(all.at(new ListOptions.At.Exactly(before))))).contains("a");
    assertThat(names(list(all.at(new ListOptions.At.NotOlderThan(before))))).doesNotContain("a");

    Status future = refused(() -> list(all.at(new ListOptions.At.NotOlderThan(before + 1000))));
    assertThat(future.code()).isEqualTo(504);
    assertThat(future.message()).startsWith("Timeout: Too large resource version: ");

    cluster.store.compact(cluster.store.revision());
    Status old = refused(() -> list(all.at(new ListOptions.At.Exactly(before))));
    assertThat(old.message()).isEqualTo("The resourceVersion for the provided list is too old.");
  }

  @Test
  void namespacesAreKeptApart() {
    cluster.create("namespaces", "{'metadata':{'name':'default2'}}");
    cluster.registry.create(
        configMaps, "default2", tree("{'metadata':{'name':'x'}}"), WriteOptions.DEFAULT);
    assertThat(names(list(ListOptions.of(Selection.in("default"))))).doesNotContain("x");
    assertThat(names(list(ListOptions.ALL))).hasSize(6);
  }
}
