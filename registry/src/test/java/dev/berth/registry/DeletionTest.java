package dev.berth.registry;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions.Propagation;
import dev.berth.registry.fixture.TestCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deleting objects, at once and with grace. */
class DeletionTest {
  private final TestCluster cluster = new TestCluster();
  private final Registry registry = cluster.registry;
  private final Resource configMaps = cluster.core("configmaps");
  private final Resource pods = cluster.core("pods");

  private JsonObject pod() {
    return registry.get(pods, named("web")).tree();
  }

  @Test
  void whatNothingHoldsGoesAtOnce() {
    cluster.configMap("a");
    assertThat(registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT).gone()).isTrue();
    assertThat(registry.find(configMaps, named("a"))).isEmpty();
    assertThat(
            refused(() -> registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT))
                .message())
        .isEqualTo("configmaps \"a\" not found");
  }

  @Test
  void aPodThatRunsNowhereGoesAtOnce() {
    cluster.pod("web", "");
    assertThat(registry.delete(pods, named("web"), DeletionOptions.DEFAULT).gone()).isTrue();
  }

  @Test
  void aPodThatHasEndedGoesAtOnce() {
    cluster.pod("web", "n1");
    registry.modify(
        pods,
        named("web"),
        WriteOptions.DEFAULT.subresource("status"),
        pod -> pod.with("status", tree("{'phase':'Succeeded'}")));
    assertThat(registry.delete(pods, named("web"), DeletionOptions.DEFAULT).gone()).isTrue();
  }

  @Test
  void aPodOnANodeIsGivenTime() {
    cluster.pod("web", "n1");
    assertThat(registry.delete(pods, named("web"), DeletionOptions.DEFAULT).gone()).isFalse();
    assertThat(at(pod(), "metadata.deletionTimestamp")).isEqualTo("2030-01-01T00:00:30Z");
    assertThat(at(pod(), "metadata.deletionGracePeriodSeconds")).isEqualTo("30");
    assertThat(at(pod(), "metadata.generation")).isEqualTo("2");
  }

  @Test
  void whoAsksAgainCanOnlyMakeTheTimeShorter() {
    cluster.pod("web", "n1");
    registry.delete(pods, named("web"), DeletionOptions.DEFAULT);
    cluster.time.advance(Duration.ofSeconds(3));
    long before = cluster.store.revision();

    registry.delete(pods, named("web"), DeletionOptions.DEFAULT.grace(60));
    registry.delete(pods, named("web"), DeletionOptions.DEFAULT);
    assertThat(cluster.store.revision()).isEqualTo(before);

    registry.delete(pods, named("web"), DeletionOptions.DEFAULT.grace(10));
    assertThat(at(pod(), "metadata.deletionTimestamp")).isEqualTo("2030-01-01T00:00:10Z");

    assertThat(registry.delete(pods, named("web"), DeletionOptions.DEFAULT.grace(0)).gone())
        .isTrue();
    assertThat(registry.find(pods, named("web"))).isEmpty();
  }

  @Test
  void eventsOwnNothingAndGoAtOnceWhateverIsAsked() {
    Resource events = cluster.core("events");
    String event = "{'metadata':{'name':'e'},'involvedObject':{'namespace':'default'}}";
    for (Propagation policy : Propagation.values()) {
      cluster.create("events", event);
      DeletionOptions options = DeletionOptions.DEFAULT.propagation(policy);
      assertThat(registry.delete(events, named("e"), options).gone()).as("%s", policy).isTrue();
    }
  }

  @Test
  void theLastFinalizersRemovalDeletes() {
    cluster.create("configmaps", "{'metadata':{'name':'a','finalizers':['x.y/z','x.y/w']}}");
    assertThat(registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT).gone()).isFalse();

    setFinalizers(JsonArray.of("x.y/w"));
    assertThat(registry.find(configMaps, named("a"))).isPresent();
    setFinalizers(JsonArray.EMPTY);
    assertThat(registry.find(configMaps, named("a"))).isEmpty();
  }

  private void setFinalizers(JsonArray finalizers) {
    registry.modify(
        configMaps,
        named("a"),
        WriteOptions.DEFAULT,
        old -> Metadata.update(old, m -> m.with("finalizers", finalizers)));
  }

  @Test
  void noFinalizerIsAddedToWhatIsBeingDeleted() {
    cluster.create("configmaps", "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
    registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT);
    assertThat(refused(() -> setFinalizers(JsonArray.of("x.y/z", "x.y/new"))).message())
        .contains("metadata.finalizers: Forbidden: no new finalizers can be added");
  }

  @Test
  void howOwnedObjectsGoIsWrittenDownAsAFinalizer() {
    cluster.configMap("a");
    registry.delete(
        configMaps, named("a"), DeletionOptions.DEFAULT.propagation(Propagation.FOREGROUND));
    assertThat(finalizers()).isEqualTo("[\"foregroundDeletion\"]");

    registry.delete(
        configMaps, named("a"), DeletionOptions.DEFAULT.propagation(Propagation.ORPHAN));
    assertThat(finalizers()).isEqualTo("[\"orphan\"]");

    registry.delete(
        configMaps, named("a"), DeletionOptions.DEFAULT.propagation(Propagation.BACKGROUND));
    assertThat(registry.find(configMaps, named("a"))).isEmpty();
  }

  private String finalizers() {
    return at(registry.get(configMaps, named("a")).tree(), "metadata.finalizers");
  }

  @Test
  void whoMeansAnotherObjectDeletesNothing() {
    cluster.configMap("a");
    assertThat(
            refused(() ->
                    registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT.only("other")))
                .message())
        .startsWith(
            "Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition (other)"
                + " does not match the UID in record (");
    assertThat(registry.find(configMaps, named("a"))).isPresent();
  }

  /** Namespaces are deleted by code of their own in Kubernetes, which has other words. */
  @Test
  void whoMeansAnotherNamespaceDeletesNothing() {
    Resource namespaces = cluster.core("namespaces");
    ObjectName name = ObjectName.of("default");
    Metadata found = Metadata.of(registry.get(namespaces, name).tree());
    String refusal =
        "Operation cannot be fulfilled on namespaces \"default\": Precondition failed: %1$s in"
            + " precondition: other, %1$s in object meta: %2$s";

    DeletionOptions other = DeletionOptions.DEFAULT.only("other");
    assertThat(refused(() -> registry.delete(namespaces, name, other)).message())
        .isEqualTo(refusal, "UID", found.uid());
    DeletionOptions changed =
        new DeletionOptions(null, "", "other", null, false, other.user(), other.notices());
    assertThat(refused(() -> registry.delete(namespaces, name, changed)).message())
        .isEqualTo(refusal, "ResourceVersion", found.resourceVersion());
  }

  @Test
  void aRehearsalDeletesNothing() {
    cluster.configMap("a");
    assertThat(registry.delete(configMaps, named("a"), DeletionOptions.DEFAULT.rehearsed()).gone())
        .isTrue();
    assertThat(registry.find(configMaps, named("a"))).isPresent();
  }

  /** Whoever deletes a job and says nothing of its pods keeps them. */
  @Test
  void jobsLoseWhatTheyOwnUnlessSomebodySaysOtherwise() {
    Resource jobs = registry.catalog().get("batch", "v1", "jobs");
    for (String name : new String[] {"silent", "background"}) {
      registry.create(
          jobs,
          "default",
          tree(
              "{'metadata':{'name':'%s'},'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}"
                  .formatted(name)),
          WriteOptions.DEFAULT);
    }

    assertThat(registry.delete(jobs, named("silent"), DeletionOptions.DEFAULT).gone()).isFalse();
    assertThat(Metadata.of(registry.get(jobs, named("silent")).tree()).finalizers())
        .containsExactly("orphan");
    DeletionOptions background = DeletionOptions.DEFAULT.propagation(Propagation.BACKGROUND);
    assertThat(registry.delete(jobs, named("background"), background).gone()).isTrue();
  }
}
