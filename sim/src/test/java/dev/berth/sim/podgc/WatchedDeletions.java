package dev.berth.sim.podgc;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.WatchRequest;
import java.util.function.BiConsumer;

/**
 * A server that tells, before it deletes a pod, that somebody asked for it.
 *
 * @param asked told which, and how
 */
record WatchedDeletions(Api real, BiConsumer<Target, DeleteOptions> asked) implements Api {
  @Override
  public ApiResult send(ApiRequest request) {
    if (request instanceof ApiRequest.Delete(Target target, DeleteOptions options)
        && target.resource().equals(Resources.PODS)) {
      asked.accept(target, options);
    }
    return real.send(request);
  }

  @Override
  public ListResult list(ListRequest request) {
    return real.list(request);
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable told) {
    return real.watch(request, told);
  }
}
