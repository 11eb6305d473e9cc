package dev.berth.sim;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import java.util.ArrayList;
import java.util.List;

/** A server whose watches of pods tell nothing for a while, as those of a busy one do. */
public final class StallingApi implements Api {
  private final Api real;
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean stalled;

  public StallingApi(Api real) {
    this.real = real;
  }

  public void stall() {
    stalled = true;
  }

  public void goOn() {
    stalled = false;
    List<Runnable> onReady = List.copyOf(waiting);
    waiting.clear();
    onReady.forEach(Runnable::run);
  }

  @Override
  public ApiResult send(ApiRequest request) {
    return real.send(request);
  }

  @Override
  public ListResult list(ListRequest request) {
    return real.list(request);
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    ApiWatch watch = real.watch(request, onReady);
    if (!request.resource().equals(Resources.PODS)) {
      return watch;
    }
    return new ApiWatch() {
      @Override
      public Poll poll(int limit) {
        if (stalled) {
          waiting.add(onReady);
          return new Poll.Events(List.of(), "");
        }
        return watch.poll(limit);
      }

      @Override
      public void close() {
        watch.close();
      }
    };
  }
}
