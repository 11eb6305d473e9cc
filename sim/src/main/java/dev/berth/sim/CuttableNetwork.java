package dev.berth.sim;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A network that can be cut between a component and the server. Requests of who is cut off fail,
 * and so do watches; both work again once it is healed.
 */
public final class CuttableNetwork implements ComponentNetwork {
  private static final ApiResult.Unreachable CUT =
      new ApiResult.Unreachable("the network is partitioned");

  private final Set<String> cut = new HashSet<>();
  private final Map<String, Set<Runnable>> watchers = new HashMap<>();

  /** Whoever watches is told at once, as by a connection that breaks. */
  public void cut(String component) {
    cut.add(component);
    List.copyOf(watchers.getOrDefault(component, Set.of())).forEach(Runnable::run);
  }

  public void heal(String component) {
    cut.remove(component);
  }

  public void healAll() {
    cut.clear();
  }

  /** Forgets the watches of a component that has ended without closing them. */
  public void forget(String component) {
    watchers.remove(component);
  }

  @Override
  public Api between(String component, Api server) {
    return new Api() {
      @Override
      public ApiResult send(ApiRequest request) {
        return cut.contains(component) ? CUT : server.send(request);
      }

      @Override
      public ListResult list(ListRequest request) {
        return cut.contains(component) ? CUT : server.list(request);
      }

      @Override
      public ApiWatch watch(WatchRequest request, Runnable onReady) {
        ApiWatch watch = server.watch(request, onReady);
        Set<Runnable> all = watchers.computeIfAbsent(component, _ -> new LinkedHashSet<>());
        all.add(onReady);
        return new ApiWatch() {
          @Override
          public Poll poll(int limit) {
            return cut.contains(component) ? new Poll.Failed(CUT) : watch.poll(limit);
          }

          @Override
          public void close() {
            all.remove(onReady);
            watch.close();
          }
        };
      }
    };
  }
}
