package dev.berth.access.rbac;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.ResourceChanges;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Roles by name and bindings by whom they are for, so that a decision looks at a user's own
 * bindings only. There is a part for the cluster and one for each namespace; a part is thrown away
 * when one of its objects changes, and made again when somebody asks. May be asked by any thread,
 * and is never behind what was written before.
 */
final class RoleIndex implements AutoCloseable {
  static final String GROUP = "rbac.authorization.k8s.io";

  private final Registry registry;
  private final Resource clusterRoles;
  private final Resource clusterBindings;
  private final Resource roles;
  private final Resource bindings;
  private final ResourceChanges changes;

  /** Guards the making and the throwing away of parts, so that no part is kept that is too old. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<String, Part> namespaces = new ConcurrentHashMap<>();
  private volatile @Nullable Part cluster;

  /** The roles and bindings of one scope. */
  record Part(
      String namespace,
      Map<String, List<PolicyRule>> roles,
      Map<String, List<RoleBinding>> bindings) {
    boolean isWholeCluster() {
      return namespace.isEmpty();
    }
  }

  RoleIndex(Registry registry) {
    this.registry = registry;
    clusterRoles = registry.catalog().get(GROUP, "v1", "clusterroles");
    clusterBindings = registry.catalog().get(GROUP, "v1", "clusterrolebindings");
    roles = registry.catalog().get(GROUP, "v1", "roles");
    bindings = registry.catalog().get(GROUP, "v1", "rolebindings");
    changes =
        ResourceChanges.of(
            registry, List.of(clusterRoles, clusterBindings, roles, bindings), new Forgetting());
  }

  /** Throws parts away whose objects changed. */
  private final class Forgetting implements ResourceChanges.Listener {
    @Override
    public void changed(Resource resource, ObjectName name) {
      lock.lock();
      try {
        if (resource.isNamespaced()) {
          namespaces.remove(name.namespace());
        } else {
          cluster = null;
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void lost() {
      lock.lock();
      try {
        namespaces.clear();
        cluster = null;
      } finally {
        lock.unlock();
      }
    }
  }

  Part cluster() {
    changes.deliver();
    Part known = cluster;
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      Part made = make(clusterRoles, clusterBindings, "");
      cluster = made;
      return made;
    } finally {
      lock.unlock();
    }
  }

  Part namespace(String name) {
    changes.deliver();
    Part known = namespaces.get(name);
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      Part made = make(roles, bindings, name);
      // Anybody may ask about namespaces that are not there, so what is empty is not kept.
      if (!made.roles().isEmpty() || !made.bindings().isEmpty()) {
        namespaces.put(name, made);
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  private Part make(Resource ofRoles, Resource ofBindings, String namespace) {
    Map<String, List<PolicyRule>> rules = new HashMap<>();
    for (JsonObject role : list(ofRoles, namespace)) {
      rules.put(Metadata.of(role).name(), PolicyRule.ofRole(role));
    }
    return new Part(namespace, rules, RoleBinding.bySubject(list(ofBindings, namespace)));
  }

  private List<JsonObject> list(Resource resource, String namespace) {
    return registry.list(resource, ListOptions.of(Selection.in(namespace))).entries().stream()
        .map(StoredEncoding::tree)
        .toList();
  }

  @Override
  public void close() {
    changes.close();
  }
}
