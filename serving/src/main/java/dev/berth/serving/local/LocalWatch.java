package dev.berth.serving.local;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.ObjectWatch.Taken;
import dev.berth.registry.StoredEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A watch of a component in this process: its objects are those that the store holds. */
public final class LocalWatch implements ApiWatch {
  private final Resource resource;
  private final ObjectWatch watch;
  private final Runnable atEnd;
  private final AtomicBoolean closed = new AtomicBoolean();
  private List<ObjectWatch.Event> initial;

  /**
   * @param atEnd run once, when the watch is closed
   */
  public LocalWatch(Resource resource, ObjectWatch watch, Runnable atEnd) {
    this.resource = resource;
    this.watch = watch;
    this.atEnd = atEnd;
    this.initial = watch.initialEvents();
  }

  /** A watch that the server refused. */
  public static ApiWatch refused(ApiError error) {
    Poll poll =
        error.isExpired()
            ? new Poll.Expired(error.message())
            : new Poll.Failed(new ApiResult.Refused(error));
    return new ApiWatch() {
      @Override
      public Poll poll(int limit) {
        return poll;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Poll poll(int limit) {
    if (!initial.isEmpty()) {
      List<ObjectWatch.Event> some = initial.subList(0, Math.min(limit, initial.size()));
      initial = initial.subList(some.size(), initial.size());
      return new Poll.Events(shown(some), initial.isEmpty() ? Long.toString(watch.began()) : "");
    }
    return switch (watch.poll(limit)) {
      case Taken.Closed _ -> new Poll.Ended();
      case Taken.Expired expired -> new Poll.Expired(expired.status().message());
      case Taken.Events(List<ObjectWatch.Event> events, long revision) ->
          new Poll.Events(shown(events), Long.toString(revision));
    };
  }

  private List<Event> shown(List<ObjectWatch.Event> events) {
    List<Event> shown = new ArrayList<>(events.size());
    for (ObjectWatch.Event event : events) {
      shown.add(shown(event));
    }
    return shown;
  }

  private Event shown(ObjectWatch.Event event) {
    return switch (event) {
      case ObjectWatch.Event.Added(var entry) ->
          new Event(Change.ADDED, resource.served(StoredEncoding.tree(resource, entry)));
      case ObjectWatch.Event.Modified(var entry) ->
          new Event(Change.MODIFIED, resource.served(StoredEncoding.tree(resource, entry)));
      case ObjectWatch.Event.Deleted(var last, long revision) -> {
        JsonObject tree =
            Metadata.update(
                StoredEncoding.tree(resource, last),
                m -> m.with("resourceVersion", Long.toString(revision)));
        yield new Event(Change.DELETED, resource.served(tree));
      }
    };
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      watch.close();
      atEnd.run();
    }
  }
}
