package dev.berth.controllers.namespace;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.Discovery;
import dev.berth.client.Discovery.Served;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.namespace.NamespaceTermination.Attempt;
import dev.berth.policy.namespace.NamespaceTermination.Remaining;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One attempt to delete everything in a namespace: first its pods, and when none is left, all else;
 * so that no pod outlives what protects it, such as a network policy. What is on its way already is
 * counted and not deleted again. Runs beside the loop, and blocks; used once.
 */
final class Emptying {
  private static final DeleteOptions BACKGROUND =
      DeleteOptions.NONE.propagation(Propagation.BACKGROUND);

  /** How a server says that a resource cannot be listed, or not be deleted as a whole. */
  private static final Set<Integer> NOT_SERVED = Set.of(404, 405);

  private final Api api;
  private final Discovery discovery;
  private final String namespace;
  private final Instant now;
  private final List<String> failures = new ArrayList<>();
  private final List<Remaining> remaining = new ArrayList<>();

  Emptying(Api api, Discovery discovery, String namespace, Instant now) {
    this.api = api;
    this.discovery = discovery;
    this.namespace = namespace;
    this.now = now;
  }

  Attempt run() {
    List<Served> others = new ArrayList<>();
    for (Served served : discovery.resources()) {
      if (served.resource().equals(Resources.PODS)) {
        empty(served);
      } else if (served.namespaced() && served.can("delete")) {
        others.add(served);
      }
    }
    if (remaining.isEmpty()) {
      others.forEach(this::empty);
    }
    return new Attempt(discovery.problem(), discovery.malformed(), failures, remaining);
  }

  private void empty(Served served) {
    List<JsonObject> objects = list(served);
    if (objects.stream().anyMatch(object -> !Metadata.of(object).isBeingDeleted())) {
      delete(served, objects);
      objects = list(served);
    }
    if (!objects.isEmpty()) {
      remaining.add(Remaining.of(served.resource(), objects, now));
    }
  }

  private List<JsonObject> list(Served served) {
    if (!served.can("list")) {
      return List.of();
    }
    return switch (api.list(ListRequest.of(served.resource()).in(namespace).metadata())) {
      case ListResult.Page page -> page.items();
      case ApiResult.Failure failure -> {
        if (!isNotServed(failure)) {
          failures.add(failure.message());
        }
        yield List.of();
      }
    };
  }

  private void delete(Served served, List<JsonObject> objects) {
    GroupVersionResource resource = served.resource();
    if (served.can("deletecollection")) {
      Target all = Target.all(resource, namespace);
      ApiResult result = api.send(new ApiRequest.DeleteAll(all, BACKGROUND));
      if (!(result instanceof ApiResult.Failure failure)) {
        return;
      }
      if (!isNotServed(failure)) {
        failures.add(failure.message());
        return;
      }
    }
    for (JsonObject object : objects) {
      ApiResult result = api.delete(resource, ObjectName.of(object), BACKGROUND);
      if (result instanceof ApiResult.Failure failure && !isNotServed(failure)) {
        failures.add(failure.message());
        return;
      }
    }
  }

  private static boolean isNotServed(ApiResult.Failure failure) {
    return failure instanceof ApiResult.Refused(ApiError error)
        && NOT_SERVED.contains(error.code());
  }
}
