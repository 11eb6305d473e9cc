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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
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
  private final Consumer<String> complaints;
  private final Set<GroupVersionResource> unsynced = new HashSet<>();

  /**
   * @param synced run once everything that was there at the beginning has been told
   * @param complaints gets a sentence when the server cannot be read; it is tried again
   */
  ClusterFeed(Api api, Loop loop, Time time, Runnable synced, Consumer<String> complaints) {
    this.api = api;
    this.loop = loop;
    this.time = time;
    this.synced = synced;
    this.complaints = complaints;
  }

  /**
   * Adds a resource.
   *
   * @param changed told the object before and after; null if it was not or is no more
   */
  ClusterFeed on(
      GroupVersionResource resource,
      BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    return on(resource, false, changed);
  }

  /** Adds a resource that some servers do not serve, or do not let a scheduler see. */
  ClusterFeed onOptional(
      GroupVersionResource resource,
      BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    return on(resource, true, changed);
  }

  private ClusterFeed on(
      GroupVersionResource resource,
      boolean optional,
      BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    unsynced.add(resource);
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
                heardOf(resource);
              }

              @Override
              public void failed(ApiResult.Failure why) {
                if (optional && why instanceof ApiResult.Refused) {
                  heardOf(resource);
                  return;
                }
                complaints.accept("cannot read " + resource.groupResource() + ": " + why.message());
              }
            }));
    return this;
  }

  void start() {
    caches.forEach(Cache::start);
  }

  private void heardOf(GroupVersionResource resource) {
    if (unsynced.remove(resource) && unsynced.isEmpty()) {
      synced.run();
    }
  }

  /** Whether everything that was there at the beginning has been told. */
  boolean isSynced() {
    return unsynced.isEmpty();
  }

  @Override
  public void close() {
    caches.forEach(Cache::close);
  }
}
