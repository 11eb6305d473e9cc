package dev.berth.client.informer;

import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Everything that a component watches: for each resource, a handler that gets an object as it was
 * and as it is. Lives on the component's loop.
 */
public final class InformerSet implements AutoCloseable {
  private final Informers informers;
  private final Loop loop;
  private final Runnable synced;
  private final Map<ListRequest, Cache.Listener> listeners = new LinkedHashMap<>();
  private final List<Informers.Following> followed = new ArrayList<>();
  private final Consumer<String> warnings;
  private final Set<GroupVersionResource> unsynced = new HashSet<>();

  /**
   * @param synced run once everything that was there at the beginning has been told
   * @param warnings gets a sentence when the server cannot be read; it is tried again
   */
  public InformerSet(Informers informers, Loop loop, Runnable synced, Consumer<String> warnings) {
    this.informers = informers;
    this.loop = loop;
    this.synced = synced;
    this.warnings = warnings;
  }

  /**
   * @param synced run once everything that was there at the beginning has been told
   * @param log told when the server cannot be read; it is tried again
   */
  public InformerSet(Informers informers, Loop loop, Runnable synced, Logger log) {
    this(informers, loop, synced, (String warning) -> log.warn(warning));
  }

  /**
   * Adds a resource.
   *
   * @param changed told the object before and after; null if it was not or is no more
   */
  public InformerSet on(
      GroupVersionResource resource,
      BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    return on(ListRequest.of(resource), changed);
  }

  /** Adds some objects of a resource. */
  public InformerSet on(
      ListRequest what, BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    return on(what, false, changed);
  }

  /** Adds a resource that some servers do not serve, or do not let everybody see. */
  public InformerSet onOptional(
      GroupVersionResource resource,
      BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    return on(ListRequest.of(resource), true, changed);
  }

  private InformerSet on(
      ListRequest what,
      boolean optional,
      BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    GroupVersionResource resource = what.resource();
    unsynced.add(resource);
    listeners.put(
        what,
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
            warnings.accept("cannot read " + resource.groupResource() + ": " + why.message());
          }
        });
    return this;
  }

  public void start() {
    listeners.forEach((what, listener) -> followed.add(informers.follow(what, loop, listener)));
  }

  private void heardOf(GroupVersionResource resource) {
    if (unsynced.remove(resource) && unsynced.isEmpty()) {
      synced.run();
    }
  }

  /** Whether everything that was there at the beginning has been told. */
  public boolean isSynced() {
    return unsynced.isEmpty();
  }

  /** Does at once what is to be tried again after a while: the server is known to answer. */
  public void retryNow() {
    followed.forEach(Informers.Following::retryNow);
  }

  @Override
  public void close() {
    followed.forEach(Informers.Following::close);
  }
}
