package dev.berth.sim.run;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.ComponentNetwork;
import dev.berth.sim.record.ClusterRecorder;
import java.util.HashSet;
import java.util.Set;

/**
 * Spares a simulation the events that nobody in it reads, which are two of five writes that a pod's
 * start takes. Those that the story is told from are written. Everything else takes its usual way.
 */
public final class UnwrittenEvents implements ComponentNetwork {
  private final ComponentNetwork network;
  private final Set<ObjectName> written = new HashSet<>();

  public UnwrittenEvents(ComponentNetwork network) {
    this.network = network;
  }

  @Override
  public Api between(String component, Api server) {
    Api real = network.between(component, server);
    return new Api() {
      @Override
      public ApiResult send(ApiRequest request) {
        GroupVersionResource resource = request.target().resource();
        boolean isEvent =
            resource.equals(Resources.CORE_EVENTS) || resource.equals(Resources.EVENTS);
        return switch (request.asked()) {
          case ApiRequest.Create(_, JsonObject event) when isEvent && !isRead(event) ->
              new ApiResult.Done(event);
          case ApiRequest.Patch patch when isEvent && !written.contains(patch.target().name()) ->
              new ApiResult.Done(JsonObject.EMPTY);
          default -> real.send(request);
        };
      }

      @Override
      public ListResult list(ListRequest request) {
        return real.list(request);
      }

      @Override
      public ApiWatch watch(WatchRequest request, Runnable onReady) {
        return real.watch(request, onReady);
      }
    };
  }

  private boolean isRead(JsonObject event) {
    boolean isRead = event.text("reason", "").equals(ClusterRecorder.EVENTS_READ);
    if (isRead) {
      written.add(ObjectName.of(event));
    }
    return isRead;
  }
}
