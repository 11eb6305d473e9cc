package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.registry.WatchOptions.From;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The changes of the objects that a selection selects, in order. An object that begins to match is
 * added, and one that ceases to is deleted, whatever its writer did.
 *
 * <p>One thread takes; any thread may wake it or close the watch.
 */
public final class ObjectWatch implements AutoCloseable {
  /** The most events that are taken at a time. */
  private static final int BATCH = 100;

  private final Resource resource;
  private final Selection selection;
  private final Semaphore ready = new Semaphore(0);
  private final Watch watch;
  private final long began;
  private List<Event> initial;
  private volatile boolean closed;
  private volatile boolean ending;
  private final Runnable onReady;
  private volatile Runnable atClose = () -> {};

  /** A change of one object. */
  public sealed interface Event {
    record Added(Entry entry) implements Event {}

    record Modified(Entry entry) implements Event {}

    /** The object as it was last seen, and the revision at which it went. */
    record Deleted(Entry last, long revision) implements Event {}
  }

  /** What a call of {@link #take} returns. */
  public sealed interface Taken {
    /**
     * The next changes, perhaps none if somebody woke the taker. All changes up to the revision
     * were taken.
     */
    record Events(List<Event> events, long revision) implements Taken {}

    /** The watch has lost its place; its reader must list again. */
    record Expired(Status status) implements Taken {}

    record Closed() implements Taken {}
  }

  private ObjectWatch(
      Store store,
      Resource resource,
      Selection selection,
      long after,
      List<Event> initial,
      Runnable onReady) {
    this.resource = resource;
    this.selection = selection;
    this.initial = initial;
    this.began = after;
    this.onReady = onReady;
    this.watch =
        store.watch(
            selection.prefix(resource),
            selection.topic(resource),
            after,
            () -> {
              ready.release();
              onReady.run();
            });
  }

  /**
   * @param onReady run whenever there may be something to take; must be quick, and must not take
   */
  static ObjectWatch open(Store store, Resource resource, WatchOptions request, Runnable onReady) {
    Selection selection = request.selection();
    selection.check(resource);
    return switch (request.from()) {
      case From.Next _ ->
          new ObjectWatch(store, resource, selection, store.revision(), List.of(), onReady);
      case From.Present _ -> {
        Listing.Page present = Listing.list(store, resource, ListOptions.of(selection));
        List<Event> added = new ArrayList<>();
        present.entries().forEach(entry -> added.add(new Event.Added(entry)));
        yield new ObjectWatch(store, resource, selection, present.revision(), added, onReady);
      }
      case From.After(long revision) -> {
        if (revision > store.revision()) {
          throw Failures.tooLargeResourceVersion(revision, store.revision());
        }
        yield new ObjectWatch(store, resource, selection, revision, List.of(), onReady);
      }
    };
  }

  /** What there was when the watch began, to be sent before everything else; only once. */
  public List<Event> initialEvents() {
    List<Event> events = initial;
    initial = List.of();
    return events;
  }

  /** The revision at which the watch began. */
  public long began() {
    return began;
  }

  /** Waits until there is something to tell, or until somebody wakes the taker. */
  public Taken take() throws InterruptedException {
    Taken taken = poll();
    if (taken instanceof Taken.Events(List<Event> events, long _) && events.isEmpty()) {
      ready.acquire();
      ready.drainPermits();
      return poll();
    }
    return taken;
  }

  /** What there is to tell now, perhaps nothing. */
  public Taken poll() {
    return poll(BATCH);
  }

  /**
   * At most so many changes. Goes on past those that are not selected, since the store tells of
   * news only to those who have seen everything before.
   */
  public Taken poll(int limit) {
    while (!closed) {
      boolean last = ending;
      switch (watch.poll(limit)) {
        case Watch.Poll.Closed _ -> {
          return new Taken.Closed();
        }
        case Watch.Poll.TooOld(long oldest) -> {
          return new Taken.Expired(Failures.tooOld(began, oldest).status());
        }
        case Watch.Poll.Events(List<Watch.Event> events, long revision) -> {
          List<Event> selected = new ArrayList<>(events.size());
          for (Watch.Event event : events) {
            select(event, selected);
          }
          if (events.isEmpty() && last) {
            return new Taken.Closed();
          }
          if (events.isEmpty() || !selected.isEmpty()) {
            return new Taken.Events(selected, revision);
          }
        }
      }
    }
    return new Taken.Closed();
  }

  private void select(Watch.Event event, List<Event> selected) {
    switch (event) {
      case Watch.Event.Put put -> {
        Entry before =
            put.previous().filter(entry -> selection.matches(resource, entry)).orElse(null);
        boolean matches = selection.matches(resource, put.entry());
        if (matches) {
          selected.add(
              before == null ? new Event.Added(put.entry()) : new Event.Modified(put.entry()));
        } else if (before != null) {
          selected.add(new Event.Deleted(before, put.revision()));
        }
      }
      case Watch.Event.Delete delete -> {
        if (selection.matches(resource, delete.previous())) {
          selected.add(new Event.Deleted(delete.previous(), delete.revision()));
        }
      }
    }
  }

  /** Lets the taker look up, though nothing happened. */
  public void wake() {
    ready.release();
  }

  Resource resource() {
    return resource;
  }

  void atClose(Runnable action) {
    atClose = action;
  }

  /** Closes the watch once everything has been taken that there is so far. */
  void end() {
    ending = true;
    ready.release();
    onReady.run();
  }

  @Override
  public void close() {
    atClose.run();
    closed = true;
    watch.close();
    ready.release();
  }
}
