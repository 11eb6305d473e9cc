package dev.berth.agent.objects;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.informer.Cache;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One object, read when it is first asked for and then followed by a watch of its name alone, which
 * is what the node authorizer lets nodes see. One that is immutable is not watched: it cannot
 * change, only go.
 *
 * <p>Readers may be many and may block; what the watch tells is taken by a loop's tasks, which do
 * not.
 */
final class WatchedObject {
  private static final Logger log = LoggerFactory.getLogger("objects");

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final ListRequest request;
  private final Runnable changed;

  /** Held by the one who asks the server, while others wait for the answer. */
  private final ReentrantLock asking = new ReentrantLock();

  private volatile @Nullable Known known;
  private volatile @Nullable Cache watch;
  private volatile boolean closed;

  /** What the server said. */
  private record Known(Optional<JsonObject> object) {}

  /**
   * @param changed told by a task of the loop when the object is another than before
   */
  WatchedObject(
      Api api,
      Time time,
      Loop loop,
      GroupVersionResource resource,
      ObjectName name,
      Runnable changed) {
    this.api = api;
    this.time = time;
    this.loop = loop;
    this.request =
        ListRequest.of(resource).in(name.namespace()).fields("metadata.name=" + name.name());
    this.changed = changed;
  }

  /** Empty if there is no such object. */
  Optional<JsonObject> read() throws ObjectsUnavailable {
    Known now = known;
    if (now != null) {
      return now.object();
    }
    asking.lock();
    try {
      now = known;
      return now != null ? now.object() : ask();
    } finally {
      asking.unlock();
    }
  }

  private Optional<JsonObject> ask() throws ObjectsUnavailable {
    return switch (api.list(request)) {
      case ListResult.Page page -> {
        Optional<JsonObject> object = page.items().stream().findFirst();
        known = new Known(object);
        if (!object.map(WatchedObject::isImmutable).orElse(false)) {
          Cache cache = new Cache(api, loop, time, request, new Follower());
          watch = cache;
          cache.start(page);
          if (closed) {
            close();
          }
        }
        yield object;
      }
      case ApiResult.Failure why -> throw new ObjectsUnavailable(why.message());
    };
  }

  private static boolean isImmutable(JsonObject object) {
    return object.flag("immutable", false);
  }

  /**
   * Has it read again if it is not watched: somebody new needs it, for whom it may have been
   * deleted and made again.
   */
  void renew() {
    // Whoever is asking right now gets the newest anyway.
    if (asking.tryLock()) {
      try {
        known = watch == null ? null : known;
      } finally {
        asking.unlock();
      }
    }
  }

  void close() {
    closed = true;
    Cache last = watch;
    if (last != null) {
      // Caches are for their loop's tasks; a timer is never refused.
      loop.after(Duration.ZERO, last::close);
    }
  }

  private final class Follower implements Cache.Listener {
    @Override
    public void added(JsonObject object) {
      Known before = known;
      take(Optional.of(object));
      if (before == null || !before.object().equals(Optional.of(object))) {
        changed.run();
      }
    }

    @Override
    public void changed(JsonObject before, JsonObject after) {
      take(Optional.of(after));
      changed.run();
    }

    @Override
    public void removed(JsonObject last) {
      take(Optional.empty());
      changed.run();
    }

    private void take(Optional<JsonObject> object) {
      known = new Known(object);
      Cache current = watch;
      if (current != null && object.map(WatchedObject::isImmutable).orElse(false)) {
        watch = null;
        current.close();
      }
    }

    @Override
    public void failed(ApiResult.Failure why) {
      log.debug("cannot watch {}: {}", request.fields(), why.message());
    }
  }
}
