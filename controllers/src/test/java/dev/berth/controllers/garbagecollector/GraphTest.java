package dev.berth.controllers.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Discovery.Served;
import dev.berth.client.Resources;
import dev.berth.controllers.garbagecollector.Node.Identity;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whom the graph wants looked at, and what it keeps. */
class GraphTest {
  private static final Served MAPS =
      new Served(Resources.CONFIG_MAPS, "ConfigMap", true, List.of());

  private final Map<ObjectName, JsonObject> heard = new HashMap<>();
  private final List<String> told = new ArrayList<>();
  private final Graph graph = new Graph(this::find, new Listener());

  private Optional<Graph.Heard> find(OwnerReference reference, String namespace) {
    return Optional.ofNullable(heard.get(new ObjectName(namespace, reference.name())))
        .map(object -> new Graph.Heard(MAPS, object));
  }

  private final class Listener implements Graph.Listener {
    @Override
    public void reconcile(Node node) {
      told.add("look " + node.uid);
    }

    @Override
    public void misplaced(Identity dependent, String uid, OwnerReference reference) {
      told.add("misplaced " + uid);
    }

    @Override
    public void gone(Identity identity, String uid) {
      told.add("gone " + uid);
    }
  }

  /** An object whose UID is its name, as are those of its owners. */
  private static JsonObject object(String name, String... owners) {
    List<JsonObject> references = new ArrayList<>();
    for (String owner : owners) {
      references.add(new OwnerReference("v1", "ConfigMap", owner, owner, false, true).toTree());
    }
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", "n")
            .put("name", name)
            .put("uid", name)
            .put("ownerReferences", JsonArray.copyOf(references))
            .build();
    return JsonObject.of("metadata", metadata);
  }

  private static JsonObject deleted(JsonObject object, String finalizer) {
    return Metadata.update(
        object,
        metadata ->
            metadata
                .with("deletionTimestamp", "2030-01-01T00:00:00Z")
                .with("finalizers", JsonArray.of(finalizer)));
  }

  private void hear(JsonObject object) {
    JsonObject before = heard.put(ObjectName.of(object), object);
    graph.changed(MAPS, before, object);
  }

  private void remove(JsonObject object) {
    heard.remove(ObjectName.of(object));
    graph.changed(MAPS, object, null);
  }

  private List<String> told() {
    List<String> all = List.copyOf(told);
    told.clear();
    return all;
  }

  @Test
  void whoNeitherOwnsNorIsOwnedIsNotKept() {
    hear(object("alone"));
    assertThat(graph.size()).isZero();

    hear(object("child", "alone"));
    assertThat(graph.size()).isEqualTo(2);
    assertThat(told()).isEmpty();

    hear(object("child"));
    assertThat(graph.size()).isZero();
  }

  @Test
  void whoseOwnerWasNotHeardOfIsLookedAtUntilItIs() {
    hear(object("child", "parent"));
    assertThat(told()).containsExactly("look child");

    hear(object("parent"));
    assertThat(graph.get("child")).isNotNull().matches(graph::isSettled);
  }

  @Test
  void whenAnOwnerGoesThoseItOwnedAreLookedAt() {
    hear(object("parent"));
    hear(object("child", "parent"));
    hear(object("other", "parent"));
    assertThat(told()).isEmpty();

    remove(object("parent"));
    assertThat(told()).containsExactly("gone parent", "look child", "look other");
    remove(object("child", "parent"));
    remove(object("other", "parent"));
    assertThat(graph.size()).isZero();
  }

  @Test
  void anOwnerInTheForegroundIsLookedAtWhenTheLastThatBlocksItGoes() {
    hear(object("parent"));
    hear(object("child", "parent"));
    hear(object("other", "parent"));
    hear(deleted(object("parent"), "foregroundDeletion"));
    assertThat(told()).containsExactly("look child", "look other", "look parent");

    remove(object("child", "parent"));
    assertThat(told()).isEmpty();
    remove(object("other", "parent"));
    assertThat(told()).containsExactly("look parent");
  }

  @Test
  void newsOfOtherThingsAreNoNews() {
    JsonObject child = object("child", "parent");
    hear(child);
    told.clear();

    hear(child.with("data", JsonObject.of("a", "b")));
    assertThat(told()).isEmpty();
  }

  @Test
  void thoseThatWaitForEachOtherAreFound() {
    hear(deleted(object("a", "c"), "foregroundDeletion"));
    hear(deleted(object("b", "a"), "foregroundDeletion"));
    hear(deleted(object("c", "b"), "foregroundDeletion"));
    hear(deleted(object("self", "self"), "foregroundDeletion"));
    hear(object("d", "a"));

    assertThat(circles("a")).containsExactly("b");
    assertThat(circles("self")).containsExactly("self");

    hear(deleted(object("c"), "foregroundDeletion"));
    assertThat(circles("a")).isEmpty();
  }

  private List<String> circles(String uid) {
    Node node = graph.get(uid);
    return node == null
        ? List.of()
        : graph.inCirclesWith(node).stream().map(found -> found.uid).toList();
  }
}
