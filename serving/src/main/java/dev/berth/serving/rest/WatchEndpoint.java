package dev.berth.serving.rest;

import dev.berth.http.ResponseStream;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.ObjectWatch.Event;
import dev.berth.registry.ObjectWatch.Taken;
import dev.berth.registry.Registry;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import dev.berth.serving.wire.WireFormat;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.List;

/**
 * Answers watches: one thread per watch, which waits for changes and sends them. Timers wake it, to
 * send a bookmark or to end; whoever closes the stream wakes it too.
 */
final class WatchEndpoint implements AutoCloseable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(45);

  /** How long a client that does not read may keep a watch whose time is over. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Registry registry;
  private final Loop timers;

  WatchEndpoint(Registry registry) {
    this.registry = registry;
    this.timers = registry.time().start("watch-timers");
  }

  void watch(Call call) throws InterruptedException {
    Rendering rendering = Rendering.of(call, registry.now());
    WireFormat format = rendering.form().format();
    if (!format.streams()) {
      throw Failures.notAcceptable(WireFormat.streamTypes());
    }
    long seconds = call.query().integer("timeoutSeconds").orElse(0);
    Duration timeout = seconds > 0 ? Duration.ofSeconds(seconds) : DEFAULT_TIMEOUT;
    WatchOptions options = Selections.watch(call);
    Selections.awaitRecent(call, registry);
    try (ObjectWatch watch = registry.watch(call.resource(), options);
        ResponseStream stream = call.watchStream()) {
      stream.onGone(watch::close);
      Loop.Timer end = timers.after(timeout, watch::close);
      Loop.Timer cut = timers.after(timeout.plus(PATIENCE), stream::abort);
      try {
        new Session(call, rendering, watch, stream, end).run();
      } finally {
        end.cancel();
        cut.cancel();
      }
    }
  }

  @Override
  public void close() {
    timers.close();
  }

  /** One client's watch. */
  private final class Session {
    private final Call call;
    private final Rendering rendering;
    private final ObjectWatch watch;
    private final ResponseStream stream;
    private final Bookmarks bookmarks;
    private boolean sentRow;

    Session(
        Call call, Rendering rendering, ObjectWatch watch, ResponseStream stream, Loop.Timer end) {
      this.call = call;
      this.rendering = rendering;
      this.watch = watch;
      this.stream = stream;
      bookmarks = new Bookmarks(timers, end, watch::wake);
    }

    void run() throws InterruptedException {
      boolean wantsBookmarks = call.query().flag("allowWatchBookmarks");
      boolean open;
      try {
        open = send(watch.initialEvents());
      } catch (StatusException e) {
        // An object that cannot be decrypted.
        stream.write(rendering.event("ERROR", e.status().toTree()));
        return;
      }
      if (open && wantsBookmarks && Selections.sendsInitialEvents(call)) {
        open = bookmark(watch.began(), true);
      }
      if (wantsBookmarks) {
        bookmarks.next();
      }
      open = open && stream.flush();
      try {
        while (open) {
          open =
              switch (watch.take()) {
                case Taken.Closed _ -> false;
                case Taken.Expired expired -> {
                  stream.write(rendering.event("ERROR", expired.status().toTree()));
                  yield false;
                }
                case Taken.Events(List<Event> events, long revision) -> {
                  boolean taken = send(events);
                  if (taken && bookmarks.isDue()) {
                    taken = bookmark(revision, false);
                    bookmarks.next();
                  }
                  yield taken && stream.flush();
                }
              };
        }
      } finally {
        bookmarks.cancel();
      }
    }

    private boolean send(List<Event> events) {
      Rendering now = rendering.at(registry.now());
      for (Event event : events) {
        boolean taken =
            switch (event) {
              case Event.Added(var entry) ->
                  stream.write(now.event("ADDED", entry, entry.revision(), !sentRow));
              case Event.Modified(var entry) ->
                  stream.write(now.event("MODIFIED", entry, entry.revision(), !sentRow));
              case Event.Deleted(var last, long revision) ->
                  stream.write(now.event("DELETED", last, revision, !sentRow));
            };
        sentRow = true;
        if (!taken) {
          return false;
        }
      }
      return true;
    }

    private boolean bookmark(long revision, boolean endsInitialEvents) {
      return stream.write(rendering.bookmark(revision, endsInitialEvents));
    }
  }
}
