package dev.berth.client.informer;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ApiWatch.Event;
import dev.berth.client.ApiWatch.Poll;
import dev.berth.client.Backoff;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one resource as a component knows them: listed once, then kept by a watch.
 *
 * <p>It lives on its component's loop. All methods are for that loop's tasks, but {@link #start},
 * and {@link #close} once the loop has ended; the listener is called there too, so neither needs
 * locks. All state is soft: a new cache lists again.
 *
 * <ol>
 *   <li>A watch that ends is followed by another, from the revision where it ended: nothing is
 *       missed, and what is told twice is not passed on.
 *   <li>A server that no longer knows that revision is listed again, and the listener is told of
 *       what differs from what is held.
 *   <li>What fails is tried again after a while ({@link Backoff}), or after the time that the
 *       server asked for.
 *   <li>However much changes, one task at a time waits on the loop, and takes a bounded batch.
 * </ol>
 *
 * <p>An object that was deleted and made again under its name between two looks is removed and
 * added, not changed: it is another one.
 */
public final class Cache implements Informers.Following {
  /** Changes taken by one task, so that other tasks of the loop have their turn. */
  private static final int BATCH = 256;

  /** How soon to try again what the loop had no room for. */
  private static final Duration SOON = Duration.ofMillis(20);

  /** A watch that ended sooner than this, and told nothing, counts as a failure. */
  private static final Duration SHORT_WATCH = Duration.ofSeconds(1);

  /** Is told of changes, in order. */
  public interface Listener {
    void added(JsonObject object);

    void changed(JsonObject before, JsonObject after);

    /** Told the last state that is known, which may be older than the one that was deleted. */
    void removed(JsonObject last);

    /** Everything that was there at the beginning has been added; told once. */
    default void synced() {}

    /** The server cannot be read now; it will be tried again. */
    default void failed(ApiResult.Failure why) {}
  }

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final ListRequest what;
  private final Listener listener;
  private final Backoff backoff;

  /** In the order in which they were first seen, so that whoever walks them repeats exactly. */
  private final Map<ObjectName, JsonObject> objects = new LinkedHashMap<>();

  /** Set when a task to drain the watch waits on the loop already; by any thread. */
  private final AtomicBoolean draining = new AtomicBoolean();

  /** Volatile, like {@link #closed}: a component that failed is closed by another thread. */
  private volatile @Nullable ApiWatch watch;

  /** On the monotonic clock. */
  private Instant watchBegan = Instant.EPOCH;

  private boolean watchTold;
  private String revision = "";
  private boolean synced;
  private boolean paused;
  private volatile boolean closed;

  /** What failed and is to be tried again after a while; null if nothing is. */
  private @Nullable Runnable retry;

  private int retries;

  /**
   * @param what the objects to hold: all of a resource, or those that selectors select
   */
  public Cache(Api api, Loop loop, Time time, ListRequest what, Listener listener) {
    this.api = api;
    this.loop = loop;
    this.time = time;
    this.what = what;
    this.listener = listener;
    this.backoff = new Backoff(time.random("cache " + what.resource() + " " + loop.name()));
  }

  /** Begins to list; may be called by any thread, once. */
  public void start() {
    loop.after(Duration.ZERO, this::list);
  }

  /**
   * Begins with what somebody has listed already, by the same request; instead of {@link #start()}.
   */
  public void start(ListResult.Page page) {
    loop.after(Duration.ZERO, () -> listed(page));
  }

  public Optional<JsonObject> get(ObjectName name) {
    return Optional.ofNullable(objects.get(name));
  }

  /** All objects, in the order in which they were first seen. */
  public Collection<JsonObject> values() {
    return Collections.unmodifiableCollection(objects.values());
  }

  public int size() {
    return objects.size();
  }

  /** Whether everything that was there at the beginning is held. */
  public boolean isSynced() {
    return synced;
  }

  private void list() {
    if (!closed && !loop.call(() -> Pages.all(api, what), this::listed)) {
      loop.after(SOON, this::list);
    }
  }

  private void listed(ListResult result) {
    if (closed) {
      return;
    }
    switch (result) {
      case ListResult.Page page -> {
        replace(page.items());
        revision = page.revision();
        if (!synced) {
          synced = true;
          listener.synced();
        }
        watch();
      }
      case ApiResult.Failure failure -> {
        listener.failed(failure);
        retryAfter(backoff.failed(time.monotonicNow(), failure), this::list);
      }
    }
  }

  private void retryAfter(Duration delay, Runnable what) {
    retry = what;
    retries++;
    int own = retries;
    loop.after(
        delay,
        () -> {
          if (retries == own) {
            retryNow();
          }
        });
  }

  @Override
  public void retryNow() {
    Runnable what = retry;
    if (what != null) {
      retry = null;
      what.run();
    }
  }

  /** Makes what is held into what was listed, and tells the difference. */
  private void replace(List<JsonObject> items) {
    Map<ObjectName, JsonObject> gone = objects.isEmpty() ? Map.of() : new LinkedHashMap<>(objects);
    for (JsonObject item : items) {
      if (!gone.isEmpty()) {
        gone.remove(ObjectName.of(item));
      }
      put(item);
    }
    gone.forEach((name, last) -> {
      objects.remove(name);
      listener.removed(last);
    });
  }

  private void put(JsonObject object) {
    JsonObject before = objects.put(ObjectName.of(object), object);
    if (before == null) {
      listener.added(object);
      return;
    }
    Metadata then = Metadata.of(before);
    Metadata now = Metadata.of(object);
    if (!then.uid().equals(now.uid())) {
      listener.removed(before);
      listener.added(object);
    } else if (!then.resourceVersion().equals(now.resourceVersion())) {
      listener.changed(before, object);
    }
  }

  private void watch() {
    if (!closed) {
      watchBegan = time.monotonicNow();
      watchTold = false;
      watch = api.watch(what.watchAfter(revision), this::tell);
      if (closed) {
        // Closed meanwhile, by somebody who did not see this watch.
        end();
        return;
      }
      drain();
    }
  }

  /** There may be something to take. Run by any thread. */
  private void tell() {
    if (draining.compareAndSet(false, true) && !loop.offer(this::drain)) {
      // A timer is never refused, so that nothing is forgotten because much else is going on.
      loop.after(SOON, this::drain);
    }
  }

  private void drain() {
    draining.set(false);
    ApiWatch current = watch;
    if (current == null || paused) {
      return;
    }
    switch (current.poll(BATCH)) {
      case Poll.Events(List<Event> events, String seen) -> {
        events.forEach(this::take);
        boolean moved = !seen.isEmpty() && !seen.equals(revision);
        revision = seen.isEmpty() ? revision : seen;
        if (moved || !events.isEmpty()) {
          watchTold = true;
          backoff.succeeded();
        }
        if (!events.isEmpty()) {
          tell();
        }
      }
      case Poll.Expired _ -> {
        end();
        retryAfter(backoff.failed(time.monotonicNow()), this::list);
      }
      case Poll.Ended _ -> {
        end();
        boolean tooShort = time.since(watchBegan).compareTo(SHORT_WATCH) < 0 && !watchTold;
        loop.after(tooShort ? backoff.failed(time.monotonicNow()) : Duration.ZERO, this::watch);
      }
      case Poll.Failed(ApiResult.Failure why) -> {
        end();
        listener.failed(why);
        retryAfter(backoff.failed(time.monotonicNow(), why), this::watch);
      }
    }
  }

  private void take(Event event) {
    switch (event.change()) {
      case ADDED, MODIFIED -> put(event.object());
      case DELETED -> {
        if (objects.remove(ObjectName.of(event.object())) != null) {
          listener.removed(event.object());
        }
      }
    }
  }

  /** Takes no more changes until it is to go on, for the sake of whoever must hear of them. */
  void pause() {
    paused = true;
  }

  void goOn() {
    paused = false;
    tell();
  }

  private void end() {
    ApiWatch ended = watch;
    watch = null;
    if (ended != null) {
      ended.close();
    }
  }

  /** Ends the watch; what is held can still be read. */
  @Override
  public void close() {
    closed = true;
    end();
  }
}
