package dev.berth.apiserver.registry;

import static dev.berth.apiserver.registry.World.at;
import static dev.berth.apiserver.registry.World.json;
import static dev.berth.apiserver.registry.World.named;
import static dev.berth.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.registry.DeleteOptions.Propagation;
import dev.berth.apiserver.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deleting objects, at once and with grace. */
class DeletionTest {
  private final World world = new World();
  private final Registry registry = world.registry;
  private final Resource configMaps = world.core("configmaps");
  private final Resource pods = world.core("pods");

  private JsonObject pod() {
    return registry.get(pods, named("web")).tree();
  }

  @Test
  void whatNothingHoldsGoesAtOnce() {
    world.configMap("a");
    assertThat(registry.delete(configMaps, named("a"), DeleteOptions.DEFAULT).gone()).isTrue();
    assertThat(registry.find(configMaps, named("a"))).isEmpty();
    assertThat(
            refused(() -> registry.delete(configMaps, named("a"), DeleteOptions.DEFAULT)).message())
        .isEqualTo("configmaps \"a\" not found");
  }

  @Test
  void aPodThatRunsNowhereGoesAtOnce() {
    world.pod("web", "");
    assertThat(registry.delete(pods, named("web"), DeleteOptions.DEFAULT).gone()).isTrue();
  }

  @Test
  void aPodThatHasEndedGoesAtOnce() {
    world.pod("web", "n1");
    registry.modify(
        pods,
        named("web"),
        WriteOptions.DEFAULT.subresource("status"),
        pod -> pod.with("status", json("{'phase':'Succeeded'}")));
    assertThat(registry.delete(pods, named("web"), DeleteOptions.DEFAULT).gone()).isTrue();
  }

  @Test
  void aPodOnANodeIsGivenTime() {
    world.pod("web", "n1");
    assertThat(registry.delete(pods, named("web"), DeleteOptions.DEFAULT).gone()).isFalse();
    assertThat(at(pod(), "metadata.deletionTimestamp")).isEqualTo("2030-01-01T00:00:30Z");
    assertThat(at(pod(), "metadata.deletionGracePeriodSeconds")).isEqualTo("30");
    assertThat(at(pod(), "metadata.generation")).isEqualTo("2");
  }

  @Test
  void whoAsksAgainCanOnlyMakeTheTimeShorter() {
    world.pod("web", "n1");
    registry.delete(pods, named("web"), DeleteOptions.DEFAULT);
    world.time.advance(Duration.ofSeconds(3));
    long before = world.store.revision();

    registry.delete(pods, named("web"), DeleteOptions.DEFAULT.grace(60));
    registry.delete(pods, named("web"), DeleteOptions.DEFAULT);
    assertThat(world.store.revision()).isEqualTo(before);

    registry.delete(pods, named("web"), DeleteOptions.DEFAULT.grace(10));
    assertThat(at(pod(), "metadata.deletionTimestamp")).isEqualTo("2030-01-01T00:00:10Z");

    assertThat(registry.delete(pods, named("web"), DeleteOptions.DEFAULT.grace(0)).gone()).isTrue();
    assertThat(registry.find(pods, named("web"))).isEmpty();
  }

  @Test
  void theLastFinalizersRemovalDeletes() {
    world.create("configmaps", "{'metadata':{'name':'a','finalizers':['x.y/z','x.y/w']}}");
    assertThat(registry.delete(configMaps, named("a"), DeleteOptions.DEFAULT).gone()).isFalse();

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
    world.create("configmaps", "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
    registry.delete(configMaps, named("a"), DeleteOptions.DEFAULT);
    assertThat(refused(() -> setFinalizers(JsonArray.of("x.y/z", "x.y/new"))).message())
        .contains("metadata.finalizers: Forbidden: no new finalizers can be added");
  }

  @Test
  void howOwnedObjectsGoIsWrittenDownAsAFinalizer() {
    world.configMap("a");
    registry.delete(
        configMaps, named("a"), DeleteOptions.DEFAULT.propagation(Propagation.FOREGROUND));
    assertThat(finalizers()).isEqualTo("[\"foregroundDeletion\"]");

    registry.delete(configMaps, named("a"), DeleteOptions.DEFAULT.propagation(Propagation.ORPHAN));
    assertThat(finalizers()).isEqualTo("[\"orphan\"]");

    registry.delete(
        configMaps, named("a"), DeleteOptions.DEFAULT.propagation(Propagation.BACKGROUND));
    assertThat(registry.find(configMaps, named("a"))).isEmpty();
  }

  private String finalizers() {
    return at(registry.get(configMaps, named("a")).tree(), "metadata.finalizers");
  }

  @Test
  void whoMeansAnotherObjectDeletesNothing() {
    world.configMap("a");
    assertThat(
            refused(() ->
                    registry.delete(configMaps, named("a"), DeleteOptions.DEFAULT.only("other")))
                .message())
        .startsWith(
            "Operation cannot be fulfilled on configmaps \"a\": Precondition failed: UID in"
                + " precondition: other, UID in object meta: ");
    assertThat(registry.find(configMaps, named("a"))).isPresent();
  }

  @Test
  void aRehearsalDeletesNothing() {
    world.configMap("a");
    assertThat(registry.delete(configMaps, named("a"), DeleteOptions.DEFAULT.rehearsed()).gone())
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
          json(
              "{'metadata':{'name':'%s'},'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}"
                  .formatted(name)),
          WriteOptions.DEFAULT);
    }

    assertThat(registry.delete(jobs, named("silent"), DeleteOptions.DEFAULT).gone()).isFalse();
    assertThat(Metadata.of(registry.get(jobs, named("silent")).tree()).finalizers())
        .containsExactly("orphan");
    DeleteOptions background = DeleteOptions.DEFAULT.propagation(Propagation.BACKGROUND);
    assertThat(registry.delete(jobs, named("background"), background).gone()).isTrue();
  }
}
