package dev.berth.controllers.reconcile;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A server of objects of any kind in memory, as far as controllers need one: objects get a name, a
 * UID and a revision, an update names the revision that it is of, owners are patched, and watches
 * tell of changes, unless they are held back. It is for one thread.
 */
final class SmallServer implements Api {
  private record Logged(long revision, GroupVersionResource resource, ApiWatch.Event event) {}

  private final Map<GroupVersionResource, Map<ObjectName, JsonObject>> objects =
      new LinkedHashMap<>();
  private final List<Logged> log = new ArrayList<>();
  private final List<Runnable> watchers = new ArrayList<>();
  private long revision;
  private boolean tellsNothing;

  /** What is asked before the server does it; its answer counts if there is one. */
  private Function<ApiRequest, ApiResult> gate = this::perform;

  /** Has requests answered by somebody else, who may ask {@link #perform}. */
  void intercept(Function<ApiRequest, ApiResult> answers) {
    gate = answers;
  }

  /** Holds watches back, or lets them tell what they have not yet. */
  void holdWatches(boolean hold) {
    tellsNothing = hold;
    List.copyOf(watchers).forEach(Runnable::run);
  }

  List<JsonObject> all(GroupVersionResource resource) {
    return List.copyOf(of(resource).values());
  }

  private Map<ObjectName, JsonObject> of(GroupVersionResource resource) {
    return objects.computeIfAbsent(resource, _ -> new LinkedHashMap<>());
  }

  @Override
  public ApiResult send(ApiRequest request) {
    return gate.apply(request);
  }

  /** Does what a request asks for. */
  ApiResult perform(ApiRequest request) {
    GroupVersionResource resource = request.target().resource();
    ObjectName name = request.target().name();
    if (request instanceof ApiRequest.Create(_, JsonObject draft)) {
      return make(resource, draft);
    }
    JsonObject held = of(resource).get(name);
    if (held == null) {
      return refused(404, "NotFound");
    }
    return switch (request) {
      case ApiRequest.Get _ -> new ApiResult.Done(held);
      case ApiRequest.Update(_, JsonObject changed) -> update(request, held, changed);
      case ApiRequest.Patch(_, _, Object patch) -> patch(resource, held, (JsonObject) patch);
      case ApiRequest.Delete _ -> {
        of(resource).remove(name);
        tell(resource, ApiWatch.Change.DELETED, stamped(held));
        yield new ApiResult.Done(JsonObject.EMPTY);
      }
      default -> throw new AssertionError("nobody asks for " + request);
    };
  }

  private static ApiResult refused(int code, String reason) {
    return new ApiResult.Refused(
        ApiError.of(code, JsonObject.of("reason", reason).with("message", reason)));
  }

  private ApiResult make(GroupVersionResource resource, JsonObject draft) {
    String given = Metadata.of(draft).name();
    String name = given.isEmpty() ? Metadata.of(draft).generateName() + revision : given;
    JsonObject object =
        Metadata.update(draft, metadata -> metadata.with("name", name).with("uid", "u" + revision));
    return of(resource).containsKey(ObjectName.of(object))
        ? refused(409, "AlreadyExists")
        : put(resource, ApiWatch.Change.ADDED, object);
  }

  private ApiResult update(ApiRequest request, JsonObject held, JsonObject changed) {
    String base = Metadata.of(changed).resourceVersion();
    if (!base.equals(Metadata.of(held).resourceVersion())) {
      return refused(409, "Conflict");
    }
    boolean isStatus = request.target().subresource().equals("status");
    return put(
        request.target().resource(),
        ApiWatch.Change.MODIFIED,
        isStatus ? held.with("status", changed.object("status")) : changed);
  }

  /** Adds fields of metadata; owners are added, or removed by their UIDs. */
  private ApiResult patch(GroupVersionResource resource, JsonObject held, JsonObject patch) {
    JsonArray owners = Metadata.of(held).tree().array("ownerReferences");
    for (JsonObject owner : Metadata.of(patch).tree().array("ownerReferences").objects()) {
      owners =
          owner.has("$patch")
              ? JsonArray.copyOf(
                  owners.objects().stream()
                      .filter(o -> !o.text("uid", "").equals(owner.text("uid", "")))
                      .toList())
              : owners.append(owner);
    }
    JsonObject labels = Metadata.of(patch).labels();
    JsonArray left = owners;
    return put(
        resource,
        ApiWatch.Change.MODIFIED,
        Metadata.update(
            held,
            metadata ->
                (labels.isEmpty() ? metadata : metadata.with("labels", labels))
                    .with("ownerReferences", left)));
  }

  private ApiResult put(GroupVersionResource resource, ApiWatch.Change change, JsonObject object) {
    JsonObject stamped = stamped(object);
    of(resource).put(ObjectName.of(object), stamped);
    tell(resource, change, stamped);
    return new ApiResult.Done(stamped);
  }

  private JsonObject stamped(JsonObject object) {
    revision++;
    return Metadata.update(
        object, metadata -> metadata.with("resourceVersion", Long.toString(revision)));
  }

  private void tell(GroupVersionResource resource, ApiWatch.Change change, JsonObject object) {
    log.add(new Logged(revision, resource, new ApiWatch.Event(change, object)));
    List.copyOf(watchers).forEach(Runnable::run);
  }

  @Override
  public ListResult list(ListRequest request) {
    return new ListResult.Page(all(request.resource()), Long.toString(revision), "");
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    watchers.add(onReady);
    return new ApiWatch() {
      private long taken = Long.parseLong(request.revision());

      @Override
      public Poll poll(int limit) {
        List<Event> events = new ArrayList<>();
        for (Logged logged : tellsNothing ? List.<Logged>of() : log) {
          if (logged.revision > taken && logged.resource.equals(request.resource())) {
            events.add(logged.event);
          }
        }
        taken = tellsNothing ? taken : revision;
        return new Poll.Events(events, Long.toString(taken));
      }

      @Override
      public void close() {
        watchers.remove(onReady);
      }
    };
  }
}
