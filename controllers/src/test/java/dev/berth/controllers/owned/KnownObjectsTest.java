package dev.berth.controllers.owned;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;

class KnownObjectsTest {
  private static final ObjectName NAME = ObjectName.of("a");

  private final KnownObjects objects = new KnownObjects();

  private static JsonObject at(String uid, int revision) {
    return JsonObject.of(
        "metadata", object("name", "a", "uid", uid, "resourceVersion", Integer.toString(revision)));
  }

  @Test
  void olderNewsDoesNotUndoWhatWasWritten() {
    objects.changed(null, at("u", 1));
    objects.written(at("u", 10));
    objects.changed(at("u", 1), at("u", 9));
    assertThat(objects.get(NAME)).contains(at("u", 10));
    objects.changed(at("u", 9), at("u", 11));
    assertThat(objects.get(NAME)).contains(at("u", 11));
  }

  @Test
  void whatIsGoneDoesNotComeBackByALateAnswer() {
    objects.changed(null, at("u", 1));
    objects.changed(at("u", 1), null);
    objects.written(at("u", 2));
    assertThat(objects.get(NAME)).isEmpty();
    objects.changed(null, at("v", 5));
    objects.written(at("u", 9));
    assertThat(objects.get(NAME)).contains(at("v", 5));
    objects.changed(at("u", 9), null);
    assertThat(objects.values()).containsExactly(at("v", 5));
  }
}
