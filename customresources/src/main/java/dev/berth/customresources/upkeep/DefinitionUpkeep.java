package dev.berth.customresources.upkeep;

import dev.berth.customresources.definition.ApiApproval;
import dev.berth.customresources.definition.Conditions;
import dev.berth.customresources.definition.DefinitionResource;
import dev.berth.customresources.definition.DefinitionView;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.ListOptions;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.ObjectWatch.Event;
import dev.berth.registry.ObjectWatch.Taken;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store.Entry;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Gives definitions their names, establishes them, empties those that are being deleted, and ends
 * the watches of what is not defined any more.
 *
 * <p>One loop for all definitions, since names are given to one after the other. What it knows is
 * read from the registry each time, so that a crash at any point does no harm.
 */
public final class DefinitionUpkeep implements AutoCloseable {
  private static final Duration SOON = Duration.ofMillis(100);
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final WriteOptions STATUS =
      new WriteOptions(false, "status", "kube-apiserver", User.SERVER);

  private final Registry registry;
  private final Resource definitions;
  private final Loop loop;
  private final AtomicBoolean told = new AtomicBoolean();
  private final Set<String> dirty = new TreeSet<>();
  private @Nullable ObjectWatch watch;
  private boolean waits;

  public DefinitionUpkeep(Registry registry, Time time) {
    this.registry = registry;
    this.definitions =
        registry.catalog().get(DefinitionResource.GROUP, "v1", DefinitionResource.PLURAL);
    this.loop = time.start("customresourcedefinitions");
  }

  public void start() {
    loop.offer(this::drain);
  }

  /** However much happens, one look is enough for all of it. */
  private void tell() {
    if (told.compareAndSet(false, true) && !loop.offer(this::drain)) {
      loop.after(SOON, this::drain);
    }
  }

  private void drain() {
    told.set(false);
    ObjectWatch changes = watch;
    if (changes == null) {
      changes =
          registry.watch(
              definitions,
              new WatchOptions(Selection.ALL, new WatchOptions.From.Present()),
              this::tell);
      watch = changes;
      take(changes.initialEvents());
    }
    boolean more = true;
    while (more) {
      switch (changes.poll()) {
        case Taken.Events(List<Event> events, long _) -> {
          take(events);
          more = !events.isEmpty();
          if (more) {
            registry.endOutdatedWatches();
          }
        }
        case Taken.Expired _ -> {
          changes.close();
          watch = null;
          tell();
          more = false;
        }
        case Taken.Closed _ -> more = false;
      }
    }
    List.copyOf(dirty).forEach(this::sync);
    if (!dirty.isEmpty() && !waits) {
      waits = true;
      loop.after(
          SOON,
          () -> {
            waits = false;
            drain();
          });
    }
  }

  private void take(List<Event> events) {
    for (Event event : events) {
      switch (event) {
        case Event.Added(Entry entry) -> dirty.add(name(entry));
        case Event.Modified(Entry entry) -> dirty.add(name(entry));
        case Event.Deleted(Entry last, long _) -> dirty.addAll(withoutNames(group(last)));
      }
    }
  }

  private static String name(Entry entry) {
    return new DefinitionView(StoredEncoding.tree(entry)).name();
  }

  private static String group(Entry entry) {
    return new DefinitionView(StoredEncoding.tree(entry)).group();
  }

  /** The definitions of a group that wait for names, some of which may be free now. */
  private List<String> withoutNames(String group) {
    return ofGroup(group).stream()
        .filter(definition -> !definition.names().equals(definition.acceptedNames()))
        .map(DefinitionView::name)
        .toList();
  }

  private List<DefinitionView> ofGroup(String group) {
    return registry.list(definitions, ListOptions.ALL).entries().stream()
        .map(entry -> new DefinitionView(StoredEncoding.tree(entry)))
        .filter(definition -> definition.group().equals(group))
        .toList();
  }

  private void sync(String name) {
    var found = registry.find(definitions, ObjectName.of(name));
    if (found.isEmpty()) {
      dirty.remove(name);
      return;
    }
    DefinitionView definition = new DefinitionView(found.get().tree());
    try {
      boolean done =
          (definition.metadata().isBeingDeleted() && definition.hasFinalizer())
              ? new InstanceCleanup(registry, definitions, STATUS).step(definition)
              : keep(definition);
      if (done) {
        dirty.remove(name);
      }
    } catch (StatusException e) {
      // Somebody else was faster; the next look is at what they wrote.
      if (e.status().code() == NOT_FOUND) {
        dirty.remove(name);
      } else if (e.status().code() != CONFLICT) {
        throw e;
      }
    }
  }

  /** Brings a definition's status up to date; true unless that is to be tried again. */
  private boolean keep(DefinitionView definition) {
    JsonObject status = definition.status();
    Instant now = registry.now();
    boolean named =
        definition.names().equals(definition.acceptedNames())
            && definition.isTrue(DefinitionView.NAMES_ACCEPTED)
            && definition.isTrue(DefinitionView.ESTABLISHED);
    if (!named) {
      NameAcceptance names = NameAcceptance.decide(definition, ofGroup(definition.group()));
      status = status.with("acceptedNames", names.names());
      status = Conditions.with(status, names.accepted(), now);
      status = Conditions.with(status, names.established(), now);
    }
    var approval = ApiApproval.condition(definition);
    if (approval.isPresent() && !Conditions.says(status, approval.get())) {
      status = Conditions.with(status, approval.get(), now);
    }
    if (status.equals(definition.status())) {
      return true;
    }
    JsonObject next = status;
    boolean freed = !definition.acceptedNames().equals(next.object("acceptedNames"));
    write(definition, tree -> tree.with("status", next));
    if (freed) {
      dirty.addAll(withoutNames(definition.group()));
    }
    return true;
  }

  /** Writes what was decided about one revision of a definition, and about no other. */
  private void write(DefinitionView definition, UnaryOperator<JsonObject> change) {
    registry.modify(
        definitions,
        ObjectName.of(definition.name()),
        STATUS,
        _ -> change.apply(definition.tree()));
  }

  @Override
  public void close() {
    loop.close();
    ObjectWatch changes = watch;
    if (changes != null) {
      changes.close();
    }
  }
}
