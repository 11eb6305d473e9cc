package dev.berth.client.informer;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Informers for many listeners: what several of them follow is listed, watched and held once.
 *
 * <p>The caches live on one loop. What one of them tells is a link of a chain that only grows at
 * its end; each listener walks along it on its own loop, at its own pace, and what all have passed
 * is garbage. Nobody holds a copy: a listener that comes later is told what the cache holds and
 * goes on from the chain's end.
 *
 * <p>The chain is bounded. While a listener is {@value #FARTHEST} changes behind, the cache takes
 * no more from its watch, which has bounds of its own; a listener whose loop has ended is not
 * waited for.
 */
public final class SharedInformers implements Informers, AutoCloseable {
  private static final int FARTHEST = 10_000;

  /** How often the cache looks who is behind, in changes. */
  private static final int LOOK_EVERY = 1_000;

  /** Changes told by one task, so that other tasks of the listener's loop have their turn. */
  private static final int BATCH = 256;

  /** How soon to try again what a loop had no room for. */
  private static final Duration SOON = Duration.ofMillis(20);

  private final Api api;
  private final Time time;
  private final Loop loop;

  /** The loop's own, but for closing. */
  private final Map<ListRequest, Shared> shared = new ConcurrentHashMap<>();

  private final LongAdder told = new LongAdder();

  /**
   * @param api the server, as somebody sees it who may read all that is followed
   */
  public SharedInformers(Api api, Time time) {
    this.api = api;
    this.time = time;
    this.loop = time.start("shared-informers");
  }

  @Override
  public Following follow(ListRequest what, Loop listenersLoop, Cache.Listener listener) {
    Follower follower = new Follower(what, listenersLoop, listener);
    loop.after(Duration.ZERO, () -> join(follower));
    return follower;
  }

  private void join(Follower follower) {
    if (!follower.closed) {
      shared.computeIfAbsent(follower.what, Shared::new).add(follower);
    }
  }

  private void leave(Follower follower) {
    Shared left = shared.get(follower.what);
    if (left != null && left.remove(follower)) {
      shared.remove(follower.what);
    }
  }

  /** How many changes listeners were told of, each of them counted. May be asked by any thread. */
  public long told() {
    return told.sum();
  }

  /**
   * What is held of each request that somebody follows, for whoever checks it against the server.
   * To be asked on the thread of virtual time alone.
   */
  public Map<ListRequest, List<JsonObject>> held() {
    Map<ListRequest, List<JsonObject>> held = new LinkedHashMap<>();
    shared.forEach((what, one) -> held.put(what, List.copyOf(one.cache.values())));
    return held;
  }

  /** Ends all watches; listeners are told nothing more. May be called by any thread. */
  @Override
  public void close() {
    loop.close();
    // A cache of a loop that has ended opens no further watch.
    shared.values().forEach(one -> one.cache.close());
  }

  /** One change, and what came after it. */
  private static final class Link {
    private final long number;
    private final Consumer<Cache.Listener> change;
    private volatile @Nullable Link next;

    Link(long number, Consumer<Cache.Listener> change) {
      this.number = number;
      this.change = change;
    }
  }

  /** A cache, those who follow it, and the end of their chain. Lives on the shared loop. */
  private final class Shared implements Cache.Listener {
    private final Cache cache;
    private final List<Follower> followers = new ArrayList<>();
    private Link last = new Link(0, _ -> {});

    /** Read by the followers' loops. */
    private volatile boolean waits;

    Shared(ListRequest what) {
      this.cache = new Cache(api, loop, time, what, this);
      cache.start();
    }

    void add(Follower follower) {
      forgetThoseThatEnded();
      followers.add(follower);
      follower.begin(this, List.copyOf(cache.values()), cache.isSynced(), last);
    }

    /** Whether nobody follows any more. */
    boolean remove(Follower follower) {
      followers.remove(follower);
      if (followers.isEmpty()) {
        cache.close();
      }
      goOnIfAllAreNear();
      return followers.isEmpty();
    }

    private void tell(Consumer<Cache.Listener> change) {
      Link link = new Link(last.number + 1, change);
      last.next = link;
      last = link;
      followers.forEach(Follower::wake);
      if (link.number % LOOK_EVERY == 0) {
        forgetThoseThatEnded();
        if (!areAllNear()) {
          waits = true;
          cache.pause();
        }
      }
    }

    /** A listener that hears nothing more would be waited for, and keep the chain behind it. */
    private void forgetThoseThatEnded() {
      followers.removeIf(follower -> follower.loop.hasEnded());
    }

    private boolean areAllNear() {
      return followers.stream().allMatch(follower -> last.number - follower.seen < FARTHEST);
    }

    private void goOnIfAllAreNear() {
      forgetThoseThatEnded();
      if (waits && areAllNear()) {
        waits = false;
        cache.goOn();
      }
    }

    /** Run by the followers' loops. */
    void caughtUp() {
      if (waits) {
        loop.after(Duration.ZERO, this::goOnIfAllAreNear);
      }
    }

    @Override
    public void added(JsonObject object) {
      tell(listener -> listener.added(object));
    }

    @Override
    public void changed(JsonObject before, JsonObject after) {
      tell(listener -> listener.changed(before, after));
    }

    @Override
    public void removed(JsonObject object) {
      tell(listener -> listener.removed(object));
    }

    @Override
    public void synced() {
      tell(Cache.Listener::synced);
    }

    @Override
    public void failed(ApiResult.Failure why) {
      tell(listener -> listener.failed(why));
    }
  }

  /** A listener and its place on the chain. */
  private final class Follower implements Following {
    private final ListRequest what;
    private final Loop loop;
    private final Cache.Listener listener;
    private final AtomicBoolean drains = new AtomicBoolean();

    /** Written by the listener's loop. */
    private volatile boolean closed;

    /** The number of the last link that was told. Written by the listener's loop. */
    private volatile long seen;

    private @Nullable Shared source;
    private List<JsonObject> initial = List.of();
    private boolean syncedBefore;
    private @Nullable Link at;

    Follower(ListRequest what, Loop loop, Cache.Listener listener) {
      this.what = what;
      this.loop = loop;
      this.listener = listener;
    }

    /** Run by the shared loop, before it wakes the listener's for the first time. */
    void begin(Shared from, List<JsonObject> present, boolean isSynced, Link end) {
      source = from;
      initial = present;
      syncedBefore = isSynced;
      at = end;
      seen = end.number;
      wake();
    }

    /** There may be something to tell. Run by any thread. */
    void wake() {
      if (!drains.get() && drains.compareAndSet(false, true) && !loop.offer(this::drain)) {
        // A timer is never refused, so that nothing is forgotten because much else is going on.
        loop.after(SOON, this::drain);
      }
    }

    private void drain() {
      drains.set(false);
      int room = tellPresent(BATCH);
      if (room > 0) {
        room = tellChanges(room);
      }
      if (room == 0) {
        wake();
      }
    }

    /** Tells of what was there before; how much more may be told. */
    private int tellPresent(int room) {
      int now = Math.min(room, initial.size());
      List<JsonObject> some = initial.subList(0, now);
      initial = now == initial.size() ? List.of() : initial.subList(now, initial.size());
      for (JsonObject object : some) {
        if (!closed) {
          listener.added(object);
        }
      }
      if (initial.isEmpty() && syncedBefore && !closed) {
        syncedBefore = false;
        listener.synced();
      }
      return room - now;
    }

    private int tellChanges(int room) {
      Link here = at;
      int left = room;
      while (left > 0 && here != null && here.next != null && !closed) {
        here = here.next;
        here.change.accept(listener);
        left--;
      }
      told.add(room - left);
      if (here != null && source != null) {
        at = here;
        seen = here.number;
        source.caughtUp();
      }
      return left;
    }

    @Override
    public void close() {
      closed = true;
      SharedInformers.this.loop.after(Duration.ZERO, () -> leave(this));
    }
  }
}
