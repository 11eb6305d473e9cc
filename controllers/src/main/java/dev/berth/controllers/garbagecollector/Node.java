package dev.berth.controllers.garbagecollector;

import dev.berth.client.Discovery.Served;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object that has owners or is one: no more of it is kept than the graph needs. Until it is
 * heard of, an owner is nothing but its UID and those that refer to it.
 */
final class Node {
  final String uid;

  /** What and where it is; null until it is heard of. */
  @Nullable Identity identity;

  List<OwnerReference> owners = List.of();

  boolean isBeingDeleted;

  /** Whether it is being deleted in the foreground. */
  boolean awaitsDependents;

  /** Whether it is being deleted, and what it owns is to stay. */
  boolean orphansDependents;

  /** How many of its dependents it waits for if it is deleted in the foreground. */
  int blocking;

  private @Nullable Set<Node> dependents;

  /** A resource and a name. */
  record Identity(Served served, ObjectName name) {
    /** The object, as far as an event about it needs it. */
    JsonObject reference(String uid) {
      JsonObject.Builder metadata = new JsonObject.Builder().put("name", name.name());
      if (!name.namespace().isEmpty()) {
        metadata.put("namespace", name.namespace());
      }
      return new JsonObject.Builder()
          .put("kind", served.kind())
          .put("apiVersion", served.resource().groupVersion().toString())
          .put("metadata", metadata.put("uid", uid).build())
          .build();
    }
  }

  Node(String uid) {
    this.uid = uid;
  }

  Collection<Node> dependents() {
    return dependents == null ? List.of() : dependents;
  }

  void addDependent(Node dependent) {
    if (dependents == null) {
      dependents = new LinkedHashSet<>(4);
    }
    dependents.add(dependent);
  }

  void removeDependent(Node dependent) {
    if (dependents != null && dependents.remove(dependent) && dependents.isEmpty()) {
      dependents = null;
    }
  }

  /** Whether nothing would be lost by forgetting it. */
  boolean isIdle() {
    return dependents == null && owners.isEmpty() && !awaitsDependents && !orphansDependents;
  }
}
