package dev.berth.sim.tainteviction;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shows the objects that it was given and the changes that it is told of; accepts every request,
 * does nothing, and counts. With it, what is measured is the controller alone.
 */
final class StubApi implements Api {
  private final Map<GroupVersionResource, List<JsonObject>> objects = new HashMap<>();
  private final Map<GroupVersionResource, Deque<ApiWatch.Event>> changes = new HashMap<>();
  private final Map<GroupVersionResource, Runnable> watchers = new HashMap<>();
  private int deletes;
  private int patches;
  private int events;

  void show(GroupVersionResource resource, JsonObject object) {
    objects.computeIfAbsent(resource, _ -> new ArrayList<>()).add(object);
  }

  void change(GroupVersionResource resource, JsonObject object) {
    changes(resource).add(new ApiWatch.Event(ApiWatch.Change.MODIFIED, object));
    watchers.getOrDefault(resource, () -> {}).run();
  }

  private Deque<ApiWatch.Event> changes(GroupVersionResource resource) {
    return changes.computeIfAbsent(resource, _ -> new ArrayDeque<>());
  }

  int deletes() {
    return deletes;
  }

  int patches() {
    return patches;
  }

  int events() {
    return events;
  }

  @Override
  public ApiResult send(ApiRequest request) {
    switch (request) {
      case ApiRequest.Delete _ -> deletes++;
      case ApiRequest.Patch _ -> patches++;
      case ApiRequest.Create create -> {
        if (create.target().resource().equals(Resources.CORE_EVENTS)) {
          events++;
        }
      }
      case ApiRequest.Get _,
          ApiRequest.Update _,
          ApiRequest.Apply _,
          ApiRequest.DeleteAll _,
          ApiRequest.Discover _,
          ApiRequest.ByLeader _ -> {}
    }
    return new ApiResult.Done(JsonObject.EMPTY);
  }

  @Override
  public ListResult list(ListRequest request) {
    return new ListResult.Page(objects.getOrDefault(request.resource(), List.of()), "1", "");
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    watchers.put(request.resource(), onReady);
    return new ApiWatch() {
      @Override
      public Poll poll(int limit) {
        List<Event> next = new ArrayList<>();
        while (next.size() < limit && !changes(request.resource()).isEmpty()) {
          next.add(changes(request.resource()).remove());
        }
        return new Poll.Events(next, "1");
      }

      @Override
      public void close() {}
    };
  }
}
