package dev.berth.controllers.resourcequota;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.quota.QuotaCount;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is used of quotas. What grows is charged by the API server as it lets it in; a
 * namespace is counted when a quota is made or changed, when something that a quota counts is
 * deleted or may have shrunk, and every five minutes.
 *
 * <p>Counts are of fresh lists, read after the quota was, and written to the quota that was read:
 * whoever is charged meanwhile makes it another one, and it is counted again.
 */
public final class ResourceQuotaController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "resourcequota-controller";

  private static final int AT_ONCE = 5;
  private static final Duration RESYNC = Duration.ofMinutes(5);

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final Consumer<String> warnings;
  private final BoundedRequests requests;
  private final WorkQueue namespaces;
  private final InformerSet informers;
  private final CountedResources counted;
  private final Map<String, Map<ObjectName, JsonObject>> quotas = new TreeMap<>();

  private ResourceQuotaController(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.loop = time.start("resourcequota-controller");
    this.warnings = parts.warnings();
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.namespaces =
        new WorkQueue(parts, loop, "resourcequota_primary", AT_ONCE, this::countNamespace);
    this.counted = new CountedResources(parts, loop, new Changes());
    this.informers =
        new InformerSet(parts.informers(), loop, () -> {}, parts.warnings())
            .on(Resources.RESOURCE_QUOTAS, this::quotaChanged);
  }

  public static Controller start(ControllerParts parts) {
    ResourceQuotaController controller = new ResourceQuotaController(parts);
    controller.informers.start();
    controller.loop.after(RESYNC, controller::resync);
    return controller;
  }

  private void resync() {
    quotas.keySet().forEach(this::add);
    loop.after(RESYNC, this::resync);
  }

  private void add(String namespace) {
    namespaces.add(ObjectName.of(namespace));
  }

  private void quotaChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      if (before != null) {
        gone(ObjectName.of(before));
      }
      return;
    }
    ObjectName name = ObjectName.of(after);
    quotas.computeIfAbsent(name.namespace(), _ -> new LinkedHashMap<>()).put(name, after);
    QuotaCount.counted(after).forEach(counted::want);
    if (before == null || QuotaCount.isStale(after)) {
      add(name.namespace());
    }
  }

  private void gone(ObjectName quota) {
    Map<ObjectName, JsonObject> others = quotas.getOrDefault(quota.namespace(), Map.of());
    others.remove(quota);
    if (others.isEmpty()) {
      quotas.remove(quota.namespace());
      namespaces.forget(ObjectName.of(quota.namespace()));
    }
  }

  private final class Changes implements CountedResources.Listener {
    @Override
    public void changed(GroupResource resource, JsonObject before, @Nullable JsonObject after) {
      String namespace = Metadata.of(before).namespace();
      if ((after == null || mayHaveShrunk(resource, before, after))
          && isCounted(resource, namespace)) {
        add(namespace);
      }
    }

    @Override
    public void served(GroupResource resource) {
      quotas.keySet().stream()
          .filter(namespace -> isCounted(resource, namespace))
          .forEach(ResourceQuotaController.this::add);
    }
  }

  private boolean isCounted(GroupResource resource, String namespace) {
    return quotas.getOrDefault(namespace, Map.of()).values().stream()
        .anyMatch(quota -> QuotaCount.counted(quota).contains(resource));
  }

  private static boolean mayHaveShrunk(
      GroupResource resource, JsonObject before, JsonObject after) {
    if (!resource.resource().equals("pods")) {
      return CountedResources.canShrink(resource);
    }
    // A pod's status changes often, its size with its generation.
    return (new PodTree(after).phase().finished() && !new PodTree(before).phase().finished())
        || Metadata.of(before).generation() != Metadata.of(after).generation();
  }

  private void countNamespace(ObjectName namespace, WorkQueue.Item item) {
    Map<GroupResource, GroupVersionResource> resources = new LinkedHashMap<>();
    for (JsonObject quota : quotas.getOrDefault(namespace.name(), Map.of()).values()) {
      for (GroupResource resource : QuotaCount.counted(quota)) {
        counted.find(resource).ifPresent(served -> resources.put(resource, served));
      }
    }
    if (!quotas.containsKey(namespace.name())) {
      item.succeeded();
      return;
    }
    requests.run(
        () -> count(namespace.name(), resources),
        result -> {
          if (result instanceof ApiResult.Failure why) {
            if (!why.isConflict()) {
              warnings.accept("cannot count quotas of %s: %s".formatted(namespace, why.message()));
            }
            item.failed();
          } else {
            item.succeeded();
          }
        });
  }

  /** Runs beside the loop. */
  private ApiResult count(String namespace, Map<GroupResource, GroupVersionResource> resources) {
    List<JsonObject> found;
    switch (Pages.all(api, ListRequest.of(Resources.RESOURCE_QUOTAS).in(namespace))) {
      case ListResult.Page page -> found = page.items();
      case ApiResult.Failure failure -> {
        return failure;
      }
    }
    Map<GroupResource, List<JsonObject>> objects = new HashMap<>();
    for (Map.Entry<GroupResource, GroupVersionResource> resource : resources.entrySet()) {
      switch (Pages.all(api, ListRequest.of(resource.getValue()).in(namespace))) {
        case ListResult.Page page -> objects.put(resource.getKey(), page.items());
        case ApiResult.Failure failure -> {
          // Of what is no longer served, there is nothing to count.
          if (!failure.isNotFound()) {
            return failure;
          }
        }
      }
    }
    ApiResult last = new ApiResult.Done(JsonObject.EMPTY);
    for (JsonObject quota : found) {
      ApiResult result = write(quota, QuotaCount.used(quota, objects, time.now()));
      last = result.isDone() || result.isNotFound() ? last : result;
    }
    return last;
  }

  private ApiResult write(JsonObject quota, ResourceList used) {
    JsonObject now = QuotaCount.withUsed(quota, used);
    boolean same =
        !QuotaCount.isStale(quota)
            && ResourceList.read(quota.object("status").object("used"))
                .equals(ResourceList.read(now.object("status").object("used")));
    return same ? new ApiResult.Done(quota) : api.updateStatus(Resources.RESOURCE_QUOTAS, now);
  }

  @Override
  public void close() {
    informers.close();
    counted.close();
    loop.close();
  }
}
