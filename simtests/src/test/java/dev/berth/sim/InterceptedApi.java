package dev.berth.sim;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;

/** A server before which somebody stands who may answer in its place. */
public record InterceptedApi(Api real, Interceptor interceptor) implements Api {

  /** Passes a request on, or does not. */
  public interface Interceptor {
    ApiResult send(ApiRequest request, Api real);
  }

  @Override
  public ApiResult send(ApiRequest request) {
    return interceptor.send(request, real);
  }

  @Override
  public ListResult list(ListRequest request) {
    return real.list(request);
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    return real.watch(request, onReady);
  }
}
