package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.store.Store;
import dev.berth.store.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells of changes to whoever keeps something that is made from objects, when it is about to use
 * it. Unlike a cache that a watch feeds some time later, it is never behind: a write that was
 * acknowledged before {@link #deliver} was called has been told when that returns.
 *
 * <p>May be used from any thread. While nothing is written, asking costs a comparison; while other
 * resources are written, a look at each watch, without a lock.
 */
public final class ResourceChanges implements AutoCloseable {
  private static final int BATCH = 100;

  private final Store store;
  private final Listener listener;
  private final List<Place> places = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long delivered;

  /** Learns of changes, one at a time; whatever it does is seen by all who asked for them. */
  public interface Listener {
    void changed(Resource resource, ObjectName name);

    /** Something changed, and what it was is not known any more. */
    void lost();
  }

  /** Where the reading of one resource's changes stands. */
  private static final class Place {
    final Resource resource;
    final String prefix;
    volatile Watch watch;

    Place(Resource resource, Store store, long revision) {
      this.resource = resource;
      this.prefix = ObjectKeys.prefix(resource, "");
      this.watch = store.watch(prefix, revision, () -> {});
    }
  }

  private ResourceChanges(Store store, List<Resource> resources, Listener listener) {
    this.store = store;
    this.listener = listener;
    this.delivered = store.revision();
    resources.forEach(resource -> places.add(new Place(resource, store, delivered)));
  }

  /** The changes of some resources from now on; the caller closes it. */
  public static ResourceChanges of(Registry registry, List<Resource> resources, Listener listener) {
    return new ResourceChanges(registry.store(), resources, listener);
  }

  /** Tells the listener of all changes since the last time. */
  public void deliver() {
    if (store.revision() == delivered || isUpToDate()) {
      return;
    }
    lock.lock();
    try {
      // Read before the watches are, so that these have seen at least as much.
      long now = store.revision();
      places.forEach(this::drain);
      delivered = now;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A watch that has nothing to give was polled until then, and what it gave was told: so no lock
   * is needed to find out that nothing happened, which is nearly always.
   */
  private boolean isUpToDate() {
    for (Place place : places) {
      if (place.watch.mayHaveEvents()) {
        return false;
      }
    }
    return true;
  }

  private void drain(Place place) {
    while (true) {
      switch (place.watch.poll(BATCH)) {
        case Watch.Poll.Events(List<Watch.Event> events, long _) -> {
          if (events.isEmpty()) {
            return;
          }
          for (Watch.Event event : events) {
            String name = event.key().substring(place.prefix.length());
            listener.changed(place.resource, ObjectName.parse(name));
          }
        }
        case Watch.Poll.TooOld _ -> {
          place.watch.close();
          place.watch = store.watch(place.prefix, store.revision(), () -> {});
          listener.lost();
        }
        case Watch.Poll.Closed _ -> {
          return;
        }
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      places.forEach(place -> place.watch.close());
    } finally {
      lock.unlock();
    }
  }
}
