package dev.berth.sim.fuzz;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A server between which and its user somebody changes what is said.
 *
 * @param requests what becomes of a request
 * @param resource whose objects are shown otherwise than they are
 * @param objects how; empty if an object is shown as gone
 * @param events which events of watches of the resource are told
 */
record TamperedApi(
    Api real,
    UnaryOperator<ApiRequest> requests,
    GroupVersionResource resource,
    Tampering objects,
    Predicate<ApiWatch.Event> events)
    implements Api {

  /** Shows an object otherwise. */
  @FunctionalInterface
  interface Tampering {
    Optional<JsonObject> shown(JsonObject object);
  }

  /** One that says something else to the server than its user does. */
  static Api sending(Api real, UnaryOperator<ApiRequest> requests) {
    return new TamperedApi(
        real, requests, new GroupVersionResource("", "", ""), Optional::of, _ -> true);
  }

  /** One that shows objects of a resource otherwise than they are. */
  static Api showing(Api real, GroupVersionResource resource, Tampering objects) {
    return new TamperedApi(real, request -> request, resource, objects, _ -> true);
  }

  /** One that does not tell all events. */
  static Api telling(Api real, GroupVersionResource resource, Predicate<ApiWatch.Event> events) {
    return new TamperedApi(real, request -> request, resource, Optional::of, events);
  }

  @Override
  public ApiResult send(ApiRequest request) {
    ApiRequest changed = requests.apply(request.asked());
    return real.send(
        request instanceof ApiRequest.ByLeader led
            ? new ApiRequest.ByLeader(changed, led.term())
            : changed);
  }

  @Override
  public ListResult list(ListRequest request) {
    ListResult result = real.list(request);
    return request.resource().equals(resource) && result instanceof ListResult.Page page
        ? new ListResult.Page(
            page.items().stream().flatMap(item -> objects.shown(item).stream()).toList(),
            page.revision(),
            page.continueToken())
        : result;
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    ApiWatch watch = real.watch(request, onReady);
    if (!request.resource().equals(resource)) {
      return watch;
    }
    return new ApiWatch() {
      @Override
      public Poll poll(int limit) {
        Poll poll = watch.poll(limit);
        while (poll instanceof Poll.Events(List<Event> told, String revision) && !told.isEmpty()) {
          List<Event> left = told.stream().filter(events).map(TamperedApi.this::shown).toList();
          if (!left.isEmpty()) {
            return new Poll.Events(left, revision);
          }
          // Whoever polls and finds nothing waits to be told of more.
          poll = watch.poll(limit);
        }
        return poll;
      }

      @Override
      public void close() {
        watch.close();
      }
    };
  }

  private ApiWatch.Event shown(ApiWatch.Event event) {
    return objects
        .shown(event.object())
        .map(object -> new ApiWatch.Event(event.change(), object))
        .orElse(new ApiWatch.Event(ApiWatch.Change.DELETED, event.object()));
  }
}
