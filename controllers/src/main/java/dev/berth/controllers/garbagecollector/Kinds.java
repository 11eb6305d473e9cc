package dev.berth.controllers.garbagecollector;

import dev.berth.client.Discovery.Served;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.ObjectName;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which resource a reference means. Its version does not matter: an object is the same in all
 * versions of its group. Never changed, so that it may be read beside the loop.
 */
record Kinds(Map<GroupKind, Served> byKind) {
  static final Kinds NONE = new Kinds(Map.of());

  Kinds {
    byKind = Map.copyOf(byKind);
  }

  static Kinds of(Collection<Served> resources) {
    Map<GroupKind, Served> byKind = new HashMap<>();
    resources.forEach(served -> byKind.putIfAbsent(served.groupKind(), served));
    return new Kinds(byKind);
  }

  static GroupKind kind(OwnerReference reference) {
    int slash = reference.apiVersion().indexOf('/');
    String group = slash < 0 ? "" : reference.apiVersion().substring(0, slash);
    return new GroupKind(group, reference.kind());
  }

  Optional<Served> of(OwnerReference reference) {
    return Optional.ofNullable(byKind.get(kind(reference)));
  }

  /**
   * The owner that an object in a namespace means: one in the same namespace, or in none.
   *
   * @return empty if its kind is unknown, or has namespaces though the object is in none
   */
  Optional<OwnerKey> owner(OwnerReference reference, String namespace) {
    return of(reference)
        .filter(served -> !served.namespaced() || !namespace.isEmpty())
        .map(served ->
            new OwnerKey(
                served.resource(),
                new ObjectName(served.namespaced() ? namespace : "", reference.name()),
                reference.uid()));
  }
}
