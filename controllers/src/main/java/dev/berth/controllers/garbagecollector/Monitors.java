package dev.berth.controllers.garbagecollector;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.Discovery.Served;
import dev.berth.client.ListRequest;
import dev.berth.client.informer.Cache;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A watch of each resource whose objects may own or be owned. Lives on the collector's loop. */
final class Monitors implements Graph.Known, AutoCloseable {
  private static final Set<Integer> NOT_SHOWN = Set.of(403, 404, 405);

  private final ControllerParts parts;
  private final Loop loop;
  private final Listener listener;
  private final Map<GroupVersionResource, Monitor> monitors = new LinkedHashMap<>();
  private final Set<GroupVersionResource> unheard = new HashSet<>();
  private Kinds kinds = Kinds.NONE;

  /** Told what the watches tell. */
  interface Listener {
    void changed(Served served, @Nullable JsonObject before, @Nullable JsonObject after);

    /** All resources have been listed, but for those that the server does not show. */
    void synced();
  }

  Monitors(ControllerParts parts, Loop loop, Listener listener) {
    this.parts = parts;
    this.loop = loop;
    this.listener = listener;
  }

  /** Watches these resources, and no others. */
  void watch(Collection<Served> resources) {
    kinds = Kinds.of(resources);
    Map<GroupVersionResource, Served> wanted = new LinkedHashMap<>();
    resources.forEach(served -> wanted.put(served.resource(), served));
    for (GroupVersionResource resource : List.copyOf(monitors.keySet())) {
      if (!wanted.containsKey(resource)) {
        close(resource);
      }
    }
    wanted.forEach((resource, served) -> {
      if (!monitors.containsKey(resource)) {
        unheard.add(resource);
        Monitor monitor = new Monitor(served);
        monitors.put(resource, monitor);
        monitor.cache.start();
      }
    });
  }

  private void close(GroupVersionResource resource) {
    Monitor monitor = monitors.remove(resource);
    if (monitor != null) {
      monitor.cache.close();
      heardOf(resource);
    }
  }

  /** Whether all that is watched has been heard of. */
  boolean isSynced() {
    return !monitors.isEmpty() && unheard.isEmpty();
  }

  Kinds kinds() {
    return kinds;
  }

  @Override
  public Optional<Graph.Heard> find(OwnerReference reference, String namespace) {
    OwnerKey key = kinds.owner(reference, namespace).orElse(null);
    Monitor monitor = key == null ? null : monitors.get(key.resource());
    return key == null || monitor == null
        ? Optional.empty()
        : monitor.cache.get(key.name()).map(object -> new Graph.Heard(monitor.served, object));
  }

  /** The object with a UID, wherever it is; walks all objects of the resource. */
  Optional<ObjectName> search(GroupVersionResource resource, String uid) {
    Monitor monitor = monitors.get(resource);
    return monitor == null
        ? Optional.empty()
        : monitor.cache.values().stream()
            .filter(object -> Metadata.of(object).uid().equals(uid))
            .map(ObjectName::of)
            .findFirst();
  }

  private void heardOf(GroupVersionResource resource) {
    if (unheard.remove(resource) && unheard.isEmpty()) {
      listener.synced();
    }
  }

  @Override
  public void close() {
    monitors.values().forEach(monitor -> monitor.cache.close());
  }

  private final class Monitor implements Cache.Listener {
    private final Served served;
    private final Cache cache;

    Monitor(Served served) {
      this.served = served;
      this.cache =
          new Cache(
              parts.api(), loop, parts.time(), ListRequest.of(served.resource()).metadata(), this);
    }

    @Override
    public void added(JsonObject object) {
      listener.changed(served, null, object);
    }

    @Override
    public void changed(JsonObject before, JsonObject after) {
      listener.changed(served, before, after);
    }

    @Override
    public void removed(JsonObject last) {
      listener.changed(served, last, null);
    }

    @Override
    public void synced() {
      heardOf(served.resource());
    }

    /** What a server does not show, nobody can collect; the others need not wait for it. */
    @Override
    public void failed(ApiResult.Failure why) {
      if (why instanceof ApiResult.Refused(ApiError error) && NOT_SHOWN.contains(error.code())) {
        heardOf(served.resource());
      }
      parts
          .warnings()
          .accept("cannot read %s: %s".formatted(served.resource().groupResource(), why.message()));
    }
  }
}
