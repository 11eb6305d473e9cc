package dev.berth.agent.objects;

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
import dev.berth.model.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A server in memory: objects, watches of them by name, and whatever else a test wants answered.
 */
public final class FakeServer implements Api {
  private final Map<Key, JsonObject> objects = new LinkedHashMap<>();
  private final List<FakeWatch> watches = new ArrayList<>();
  private final List<ApiRequest> sent = new ArrayList<>();
  private Function<ApiRequest, ApiResult> answers =
      request -> new ApiResult.Refused(ApiError.of(405, "not expected: " + request));
  private boolean reachable = true;
  private long revision = 1;
  private int lists;

  private record Key(GroupVersionResource resource, ObjectName name) {}

  /** Makes or changes an object. */
  public FakeServer put(GroupVersionResource resource, JsonObject object) {
    Key key = new Key(resource, ObjectName.of(object));
    JsonObject stored =
        object.update(
            "metadata",
            metadata ->
                metadata
                    .with("resourceVersion", Long.toString(++revision))
                    .withMissing(JsonObject.of("uid", "uid of " + key.name())));
    boolean isNew = objects.put(key, stored) == null;
    tell(key, isNew ? ApiWatch.Change.ADDED : ApiWatch.Change.MODIFIED, stored);
    return this;
  }

  public void remove(GroupVersionResource resource, ObjectName name) {
    Key key = new Key(resource, name);
    JsonObject last = objects.remove(key);
    if (last == null) {
      throw new IllegalStateException("there is no " + key);
    }
    revision++;
    tell(key, ApiWatch.Change.DELETED, last);
  }

  private void tell(Key key, ApiWatch.Change change, JsonObject object) {
    for (FakeWatch watch : List.copyOf(watches)) {
      if (selects(
          watch.request.resource(), watch.request.namespace(), watch.request.fields(), key)) {
        watch.events.add(new ApiWatch.Event(change, object));
        watch.onReady.run();
      }
    }
  }

  /** What is answered to all but reads of objects that are there. */
  public void answer(Function<ApiRequest, ApiResult> function) {
    answers = function;
  }

  public void setReachable(boolean isReachable) {
    reachable = isReachable;
  }

  /** All but reads. */
  public List<ApiRequest> sent() {
    return List.copyOf(sent);
  }

  public int lists() {
    return lists;
  }

  public int openWatches() {
    return watches.size();
  }

  @Override
  public ApiResult send(ApiRequest request) {
    if (!reachable) {
      return new ApiResult.Unreachable("connection refused");
    }
    if (request instanceof ApiRequest.Get get) {
      JsonObject found = objects.get(new Key(get.target().resource(), get.target().name()));
      return found != null
          ? new ApiResult.Done(found)
          : new ApiResult.Refused(ApiError.of(404, get.target() + " not found"));
    }
    sent.add(request);
    return answers.apply(request);
  }

  @Override
  public ListResult list(ListRequest request) {
    lists++;
    if (!reachable) {
      return new ApiResult.Unreachable("connection refused");
    }
    List<JsonObject> items = new ArrayList<>();
    objects.forEach((key, object) -> {
      if (selects(request.resource(), request.namespace(), request.fields(), key)) {
        items.add(object);
      }
    });
    return new ListResult.Page(items, Long.toString(revision), "");
  }

  private static boolean selects(
      GroupVersionResource resource, String namespace, String fields, Key key) {
    return resource.equals(key.resource())
        && (namespace.isEmpty() || namespace.equals(key.name().namespace()))
        && (fields.isEmpty() || fields.equals("metadata.name=" + key.name().name()));
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    FakeWatch watch = new FakeWatch(request, onReady);
    // What happened since the list that it goes on from.
    objects.forEach((key, object) -> {
      if (selects(request.resource(), request.namespace(), request.fields(), key)
          && Long.parseLong(Metadata.of(object).resourceVersion())
              > Long.parseLong(request.revision())) {
        watch.events.add(new ApiWatch.Event(ApiWatch.Change.MODIFIED, object));
      }
    });
    watches.add(watch);
    return watch;
  }

  private final class FakeWatch implements ApiWatch {
    private final WatchRequest request;
    private final Runnable onReady;
    private final Deque<Event> events = new ArrayDeque<>();

    FakeWatch(WatchRequest request, Runnable onReady) {
      this.request = request;
      this.onReady = onReady;
    }

    @Override
    public Poll poll(int limit) {
      List<Event> taken = List.copyOf(events);
      events.clear();
      return new Poll.Events(taken, Long.toString(revision));
    }

    @Override
    public void close() {
      watches.remove(this);
    }
  }
}
