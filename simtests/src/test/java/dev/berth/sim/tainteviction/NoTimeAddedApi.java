package dev.berth.sim.tainteviction;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A server that, like upstream's, does not set {@code timeAdded} on taints: it shows it only where
 * a client has written it here. Several may share what was written.
 */
final class NoTimeAddedApi implements Api {
  private final Api real;

  /** The taints that were written with a time, as trees. */
  private final Set<JsonObject> written;

  NoTimeAddedApi(Api real, Set<JsonObject> written) {
    this.real = real;
    this.written = written;
  }

  static Set<JsonObject> nothingWritten() {
    return new HashSet<>();
  }

  private JsonObject shown(JsonObject object) {
    if (!object.text("kind", "").equals("Node")) {
      return object;
    }
    JsonObject spec = object.object("spec");
    JsonArray taints = spec.array("taints");
    if (taints.isEmpty()) {
      return object;
    }
    List<JsonObject> shown =
        taints.objects().stream()
            .map(taint -> written.contains(taint) ? taint : taint.without("timeAdded"))
            .toList();
    return object.with("spec", spec.with("taints", JsonArray.copyOf(shown)));
  }

  @Override
  public ApiResult send(ApiRequest request) {
    if (request instanceof ApiRequest.Patch patch
        && patch.target().resource().equals(Resources.NODES)
        && patch.patch() instanceof JsonObject tree) {
      ApiResult result = real.send(request);
      if (result.isDone()) {
        written.addAll(tree.object("spec").array("taints").objects());
      }
      return result;
    }
    return real.send(request);
  }

  @Override
  public ListResult list(ListRequest request) {
    return switch (real.list(request)) {
      case ListResult.Page page ->
          new ListResult.Page(
              page.items().stream().map(this::shown).toList(),
              page.revision(),
              page.continueToken());
      case ApiResult.Failure failure -> failure;
    };
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    ApiWatch watch = real.watch(request, onReady);
    return new ApiWatch() {
      @Override
      public Poll poll(int limit) {
        return switch (watch.poll(limit)) {
          case Poll.Events(List<Event> events, String revision) ->
              new Poll.Events(
                  events.stream().map(e -> new Event(e.change(), shown(e.object()))).toList(),
                  revision);
          case Poll.Expired expired -> expired;
          case Poll.Ended ended -> ended;
          case Poll.Failed failed -> failed;
        };
      }

      @Override
      public void close() {
        watch.close();
      }
    };
  }
}
