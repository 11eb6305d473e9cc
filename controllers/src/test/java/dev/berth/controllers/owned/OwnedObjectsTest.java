package dev.berth.controllers.owned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnedObjectsTest {
  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final OwnedObjects pods = new OwnedObjects(time);

  private static JsonObject pod(String uid, String owner, long revision) {
    JsonObject.Builder metadata =
        new JsonObject.Builder()
            .put("namespace", "default")
            .put("name", uid)
            .put("uid", uid)
            .put("resourceVersion", Long.toString(revision));
    if (!owner.isEmpty()) {
      OwnerReference reference =
          new OwnerReference("apps/v1", "ReplicaSet", owner, owner, true, true);
      metadata.put("ownerReferences", JsonArray.of(reference.toTree()));
    }
    return JsonObject.of("metadata", metadata.build());
  }

  private static JsonObject going(JsonObject pod) {
    JsonObject metadata = pod.object("metadata");
    return pod.with("metadata", metadata.with("deletionTimestamp", "2026-01-01T00:00:00Z"));
  }

  @Test
  void objectsAreFoundByTheirControllerOrByTheirNamespace() {
    JsonObject owned = pod("a", "set", 1);
    JsonObject orphan = pod("b", "", 2);
    pods.changed(null, owned);
    pods.changed(null, orphan);
    assertThat(pods.of("set")).containsExactly(owned);
    assertThat(pods.orphans("default")).containsExactly(orphan);
    assertThat(pods.claimable("set", "default")).containsExactly(owned, orphan);

    JsonObject adopted = pod("b", "set", 3);
    pods.changed(orphan, adopted);
    assertThat(pods.of("set")).containsExactly(owned, adopted);
    assertThat(pods.orphans("default")).isEmpty();

    pods.changed(adopted, null);
    assertThat(pods.of("set")).containsExactly(owned);
  }

  @Test
  void whatWasCreatedCountsBeforeItIsHeardOfAndOnce() {
    JsonObject pod = pod("a", "set", 5);
    pods.created(pod);
    assertThat(pods.of("set")).containsExactly(pod);
    pods.changed(null, pod);
    assertThat(pods.of("set")).hasSize(1);
    assertThat(pods.takesBackAt()).isEmpty();
  }

  @Test
  void whatIsNotHeardOfIsTakenBack() {
    pods.created(pod("a", "set", 5));
    assertThat(pods.takesBackAt()).contains(time.now().plus(Duration.ofMinutes(5)));
    time.advance(Duration.ofMinutes(5));
    assertThat(pods.of("set")).isEmpty();
  }

  @Test
  void anAnswerThatComesAfterTheEndBringsNothingBack() {
    JsonObject pod = pod("a", "set", 5);
    pods.changed(null, pod);
    pods.changed(pod, null);
    pods.created(pod);
    assertThat(pods.of("set")).isEmpty();
  }

  @Test
  void whatWasDeletedIsOnItsWayOutBeforeThatIsHeardOf() {
    JsonObject pod = pod("a", "set", 5);
    pods.changed(null, pod);
    pods.deleted(pod);
    assertThat(pods.isBeingDeleted(pod)).isTrue();
    pods.notDeleted(pod);
    assertThat(pods.isBeingDeleted(pod)).isFalse();
    pods.deleted(pod);

    pods.changed(pod, going(pod("a", "set", 6)));
    assertThat(pods.takesBackAt()).isEmpty();
    assertThat(pods.of("set")).allMatch(pods::isBeingDeleted);
  }

  @Test
  void whatWasWrittenIsNotTakenForWhatWasThereBefore() {
    JsonObject before = pod("a", "set", 9);
    JsonObject written = pod("a", "set", 11);
    pods.changed(null, before);
    pods.written(written);
    pods.changed(before, pod("a", "set", 10));
    assertThat(pods.of("set")).containsExactly(written);
  }

  @Test
  void whatTheServerSaysIsGoneDoesNotComeBackByOldNews() {
    JsonObject pod = pod("a", "set", 5);
    pods.changed(null, pod);
    pods.gone(pod);
    assertThat(pods.of("set")).isEmpty();
    pods.changed(pod, pod("a", "set", 6));
    assertThat(pods.of("set")).isEmpty();
    assertThat(pods.get("a")).isEmpty();
    pods.changed(pod, null);
    assertThat(pods.of("set")).isEmpty();
  }

  @Test
  void aListenerIsToldWhatBecomesOfObjectsHoweverThatIsKnown() {
    List<String> told = new ArrayList<>();
    OwnedObjects listened =
        new OwnedObjects(
            time,
            new OwnedObjects.Listener() {
              @Override
              public void came(String controllerUid, JsonObject object) {
                told.add("came " + Metadata.of(object).uid() + " " + controllerUid);
              }

              @Override
              public void left(String controllerUid, JsonObject object) {
                told.add("left " + Metadata.of(object).uid() + " " + controllerUid);
              }
            });
    listened.changed(null, pod("a", "", 1));
    listened.changed(pod("a", "", 1), pod("a", "set", 2));
    assertThat(told).containsExactly("came a ", "left a ", "came a set");

    told.clear();
    listened.changed(pod("a", "", 1), pod("a", "other", 1));
    assertThat(told).as("what is older is not believed").isEmpty();

    listened.created(pod("b", "set", 3));
    listened.deleted(pod("a", "set", 2));
    time.advance(Duration.ofMinutes(6));
    listened.of("set");
    assertThat(told)
        .as("what was done and is not heard of is taken back")
        .containsExactly("came b set", "left a set", "came a set", "left b set");

    told.clear();
    listened.gone(pod("a", "set", 2));
    assertThat(told).containsExactly("left a set");
  }
}
