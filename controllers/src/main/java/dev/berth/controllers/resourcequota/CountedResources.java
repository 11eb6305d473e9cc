package dev.berth.controllers.resourcequota;

import dev.berth.client.ApiResult;
import dev.berth.client.Discovery;
import dev.berth.client.Discovery.Served;
import dev.berth.client.ListRequest;
import dev.berth.client.informer.Cache;
import dev.berth.client.informer.Informers;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The resources that some quota counts, each watched for objects that go or change. Which version
 * serves those outside the core group is found by discovery, again and again while there are any:
 * definitions come and go. Lives on the controller's loop.
 */
final class CountedResources implements AutoCloseable {
  /** How often upstream asks, too. */
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private static final Duration SOON = Duration.ofMillis(20);

  /** Whose objects can take less when they change; of all others, metadata is enough. */
  private static final Set<String> SHRINK =
      Set.of("pods", "services", "persistentvolumeclaims", "resourceclaims.resource.k8s.io");

  private final ControllerParts parts;
  private final Loop loop;
  private final Listener listener;
  private final Set<GroupResource> wanted = new HashSet<>();
  private final Map<GroupResource, GroupVersionResource> served = new HashMap<>();
  private final Map<GroupResource, Informers.Following> followed = new LinkedHashMap<>();
  private boolean discovers;

  /** Told of what goes, changes, and can be counted from now on. */
  interface Listener {
    /** An object is another one than before, or gone: null then. */
    void changed(GroupResource resource, JsonObject before, @Nullable JsonObject after);

    /** The server has begun to serve a resource that some quota counts. */
    void served(GroupResource resource);
  }

  CountedResources(ControllerParts parts, Loop loop, Listener listener) {
    this.parts = parts;
    this.loop = loop;
    this.listener = listener;
  }

  /** Where to find the objects of a resource; empty if the server has none. */
  Optional<GroupVersionResource> find(GroupResource resource) {
    return Optional.ofNullable(served.get(resource));
  }

  static boolean canShrink(GroupResource resource) {
    return SHRINK.contains(resource.toString());
  }

  void want(GroupResource resource) {
    if (!wanted.add(resource)) {
      return;
    }
    if (resource.group().isEmpty()) {
      follow(resource, new GroupVersionResource("", "v1", resource.resource()));
    } else if (!discovers) {
      discovers = true;
      loop.after(Duration.ZERO, this::discover);
    }
  }

  private void discover() {
    if (!loop.call(() -> Discovery.read(parts.api()), this::discovered)) {
      loop.after(SOON, this::discover);
    }
  }

  private void discovered(Discovery discovery) {
    Map<GroupResource, GroupVersionResource> found = new HashMap<>();
    for (Served each : discovery.resources()) {
      if (each.namespaced() && each.can("list") && each.can("watch")) {
        found.put(each.resource().groupResource(), each.resource());
      }
    }
    for (GroupResource resource : List.copyOf(wanted)) {
      GroupVersionResource now = found.get(resource);
      if (resource.group().isEmpty() || (now == null && discovery.problem().isPresent())) {
        continue;
      }
      if (now == null || !now.equals(served.get(resource))) {
        forget(resource);
      }
      if (now != null && !served.containsKey(resource)) {
        follow(resource, now);
        listener.served(resource);
      }
    }
    loop.after(PERIOD, this::discover);
  }

  private void forget(GroupResource resource) {
    served.remove(resource);
    Informers.Following following = followed.remove(resource);
    if (following != null) {
      following.close();
    }
  }

  private void follow(GroupResource resource, GroupVersionResource version) {
    served.put(resource, version);
    ListRequest all = ListRequest.of(version);
    followed.put(
        resource,
        parts
            .informers()
            .follow(canShrink(resource) ? all : all.metadata(), loop, new Follower(resource)));
  }

  @Override
  public void close() {
    followed.values().forEach(Informers.Following::close);
  }

  private final class Follower implements Cache.Listener {
    private final GroupResource resource;

    Follower(GroupResource resource) {
      this.resource = resource;
    }

    /** Whoever let it in has charged for it. */
    @Override
    public void added(JsonObject object) {}

    @Override
    public void changed(JsonObject before, JsonObject after) {
      listener.changed(resource, before, after);
    }

    @Override
    public void removed(JsonObject last) {
      listener.changed(resource, last, null);
    }

    @Override
    public void synced() {}

    @Override
    public void failed(ApiResult.Failure why) {
      parts.warnings().accept("cannot read %s: %s".formatted(resource, why.message()));
    }
  }
}
