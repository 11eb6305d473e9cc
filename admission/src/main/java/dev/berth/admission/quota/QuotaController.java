package dev.berth.admission.quota;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.quota.QuotaUsage;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.ObjectWatch.Event;
import dev.berth.registry.ObjectWatch.Taken;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store.Entry;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counts anew when a quota is made or changed, and when what it counts shrinks: something is
 * deleted, a pod ends, a claim or a service changes. What grows is charged where it is admitted.
 *
 * <p>All state is the loop's own and soft: a new controller counts every quota once. Only what some
 * quota counts is watched.
 */
public final class QuotaController implements AutoCloseable {
  private static final Comparator<GroupResource> BY_NAME =
      Comparator.comparing(GroupResource::group).thenComparing(GroupResource::resource);

  private static final int INTERNAL_ERROR = 500;

  /** When it looks, if more waits for it than it takes. */
  private static final Duration SOON = Duration.ofMillis(100);

  private final Registry registry;
  private final QuotaStatus status;
  private final Loop loop;
  private final AtomicBoolean told = new AtomicBoolean();
  private final Map<GroupResource, ObjectWatch> watches = new ConcurrentSkipListMap<>(BY_NAME);
  private final Set<String> dirty = new TreeSet<>();
  private final Resource quotas;
  private volatile boolean closed;

  /**
   * @param time where its loop runs
   */
  public QuotaController(Registry registry, QuotaStatus status, Time time) {
    this.registry = registry;
    this.status = status;
    this.quotas = registry.catalog().get("", "v1", "resourcequotas");
    this.loop = time.start("quota");
  }

  public void start() {
    loop.offer(() -> {
      observe(quotas);
      drain();
    });
  }

  /** However much happens, one look is enough for all of it. */
  private void tell() {
    if (told.compareAndSet(false, true) && !loop.offer(this::drain)) {
      // A timer is never refused, so that nothing is forgotten because much else is going on.
      loop.after(SOON, this::drain);
    }
  }

  private void observe(Resource resource) {
    if (!watches.containsKey(resource.groupResource())) {
      ObjectWatch watch =
          registry.watch(
              resource,
              new WatchOptions(Selection.ALL, new WatchOptions.From.Present()),
              this::tell);
      watches.put(resource.groupResource(), watch);
      if (closed) {
        watch.close();
        return;
      }
      if (resource == quotas) {
        take(quotas.groupResource(), watch.initialEvents());
      }
    }
  }

  private void drain() {
    told.set(false);
    for (GroupResource resource : List.copyOf(watches.keySet())) {
      drain(resource);
    }
    List.copyOf(dirty).forEach(this::sync);
  }

  /**
   * What cannot be decrypted cannot be counted. Its namespace's quotas stay as they are, which is
   * tried again when something else happens.
   */
  private void sync(String namespace) {
    try {
      status.syncAll(namespace);
      dirty.remove(namespace);
    } catch (StatusException e) {
      if (e.status().code() != INTERNAL_ERROR) {
        throw e;
      }
    }
  }

  private void drain(GroupResource resource) {
    while (true) {
      ObjectWatch watch = watches.get(resource);
      if (watch == null) {
        return;
      }
      switch (watch.poll()) {
        case Taken.Closed _ -> {
          return;
        }
        case Taken.Expired _ -> {
          watch.close();
          watches.remove(resource);
          registry.catalog().find(resource).ifPresent(this::observe);
          // What was missed may have been anything.
          status.quotas("").forEach(quota -> dirty.add(Metadata.of(quota).namespace()));
        }
        case Taken.Events(List<Event> events, long _) -> {
          if (events.isEmpty()) {
            return;
          }
          take(resource, events);
        }
      }
    }
  }

  private void take(GroupResource resource, List<Event> events) {
    boolean ofQuotas = resource.equals(quotas.groupResource());
    for (Event event : events) {
      switch (event) {
        case Event.Added(Entry entry) -> {
          if (ofQuotas) {
            quota(StoredEncoding.tree(entry));
          }
        }
        case Event.Modified(Entry entry) -> {
          if (ofQuotas) {
            quota(StoredEncoding.tree(entry));
          } else if (mayHaveShrunk(resource, StoredEncoding.tree(entry))) {
            mark(entry);
          }
        }
        case Event.Deleted(Entry last, long _) -> mark(last);
      }
    }
  }

  private void quota(JsonObject quota) {
    JsonObject hard = quota.object("spec").object("hard");
    for (String name : hard.names()) {
      registry
          .catalog()
          .find(QuotaUsage.countedBy(name))
          .filter(Resource::isNamespaced)
          .ifPresent(this::observe);
    }
    if (!hard.equals(quota.object("status").object("hard"))) {
      dirty.add(Metadata.of(quota).namespace());
    }
  }

  private static boolean mayHaveShrunk(GroupResource resource, JsonObject object) {
    if (!resource.group().isEmpty()) {
      return false;
    }
    String phase = object.object("status").text("phase", "");
    return switch (resource.resource()) {
      case "pods" -> phase.equals("Succeeded") || phase.equals("Failed");
      case "services", "persistentvolumeclaims" -> true;
      default -> false;
    };
  }

  private void mark(Entry entry) {
    dirty.add(Metadata.of(StoredEncoding.tree(entry)).namespace());
  }

  @Override
  public void close() {
    loop.close();
    // The loop's tasks look again after each watch that they open.
    closed = true;
    watches.values().forEach(ObjectWatch::close);
  }
}
