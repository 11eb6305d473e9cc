package dev.berth.scheduler;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Cache;
import dev.berth.client.ListRequest;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the scheduler hears from the API server: a cache per resource, each of which
 * tells one function what an object was and what it is.
 */
final class ClusterFeed implements AutoCloseable {
  private final Api api;
  private final Loop loop;
  private final Time time;
  private final Runnable synced;
  private final List<Cache> caches = new ArrayList<>();
  private final Map<GroupVersionResource, String> failures = new HashMap<>();
  private int unsynced;

  /**
   * @param synced run once everything that was there at the beginning has been told
   */
  ClusterFeed(Api api, Loop loop, Time time, Runnable synced) {
    this.api = api;
    this.loop = loop;
    this.time = time;
    this.synced = synced;
  }

  /**
   * Adds a resource.
   *
   * @param changed told the object before and after; null if it was not or is no more
   */
  ClusterFeed on(
      GroupVersionResource resource,
      BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    unsynced++;
    caches.add(
        new Cache(
            api,
            loop,
            time,
            ListRequest.of(resource),
            new Cache.Listener() {
              @Override
              public void added(JsonObject object) {
                changed.accept(null, object);
              }

              @Override
              public void changed(JsonObject before, JsonObject after) {
                changed.accept(before, after);
              }

              @Override
              public void removed(JsonObject last) {
                changed.accept(last, null);
              }

              @Override
              public void synced() {
                failures.remove(resource);
                unsynced--;
                if (unsynced == 0) {
                  synced.run();
                }
              }

              @Override
              public void failed(ApiResult.Failure why) {
                failures.put(resource, why.message());
              }
            }));
    return this;
  }

  void start() {
    caches.forEach(Cache::start);
  }

  /** What keeps the scheduler from hearing of a resource; empty if nothing does. */
  Map<GroupVersionResource, String> failures() {
    return Map.copyOf(failures);
  }

  boolean isSynced() {
    return unsynced == 0;
  }

  @Override
  public void close() {
    caches.forEach(Cache::close);
  }
}
