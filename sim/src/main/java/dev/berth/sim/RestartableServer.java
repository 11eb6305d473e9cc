package dev.berth.sim;

import dev.berth.apiserver.LocalApi;
import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.user.User;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that can crash and be started again. Whoever knows it by {@link #api} need not know of
 * that: while it is down, requests and watches fail as they do where nobody listens, and a watch of
 * a server that went down is broken.
 */
final class RestartableServer implements AutoCloseable {
  private static final ApiResult.Unreachable DOWN =
      new ApiResult.Unreachable("connection refused: the server is down");

  private final Supplier<LocalApi> open;
  private final Set<Runnable> watchers = new LinkedHashSet<>();
  private @Nullable LocalApi running;
  private int starts;

  RestartableServer(Supplier<LocalApi> open) {
    this.open = open;
    start();
  }

  void start() {
    if (running == null) {
      starts++;
      running = open.get();
    }
  }

  void crash() {
    LocalApi ended = running;
    if (ended != null) {
      running = null;
      ended.close();
      List.copyOf(watchers).forEach(Runnable::run);
    }
  }

  LocalApi running() {
    if (running == null) {
      throw new IllegalStateException("the server is down");
    }
    return running;
  }

  Api api(User user, String component) {
    return new Link(user, component);
  }

  @Override
  public void close() {
    crash();
  }

  /** The server as a user sees it, through its restarts. */
  private final class Link implements Api {
    private final User user;
    private final String component;
    private @Nullable Api current;
    private int currentStart;

    Link(User user, String component) {
      this.user = user;
      this.component = component;
    }

    /** Null while the server is down. */
    private @Nullable Api current() {
      if (running == null) {
        return null;
      }
      if (current == null || currentStart != starts) {
        current = running.api(user, component);
        currentStart = starts;
      }
      return current;
    }

    @Override
    public ApiResult send(ApiRequest request) {
      Api server = current();
      return server == null ? DOWN : server.send(request);
    }

    @Override
    public ListResult list(ListRequest request) {
      Api server = current();
      return server == null ? DOWN : server.list(request);
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      Api server = current();
      int start = starts;
      @Nullable ApiWatch watch = server == null ? null : server.watch(request, onReady);
      watchers.add(onReady);
      return new ApiWatch() {
        @Override
        public Poll poll(int limit) {
          return watch == null || running == null || start != starts
              ? new Poll.Failed(DOWN)
              : watch.poll(limit);
        }

        @Override
        public void close() {
          watchers.remove(onReady);
          if (watch != null) {
            watch.close();
          }
        }
      };
    }
  }
}
