package dev.berth.serving.flowcontrol;

import dev.berth.access.Action;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupResource;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * About how many objects of a resource there are, and how large they are: a look at some of them,
 * now and then.
 */
final class StoredSizes {
  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final int SAMPLE = 50;

  /** As it was at an instant of the monotonic clock. */
  record Size(long objects, long averageBytes, Instant seen) {}

  private final Registry registry;
  private final Map<GroupResource, Size> sizes = new ConcurrentHashMap<>();

  StoredSizes(Registry registry) {
    this.registry = registry;
  }

  /** Empty for what is not served. */
  Optional<Size> of(Action.OnResource list, Instant now) {
    Size known = sizes.get(list.resource());
    if (known != null && known.seen.plus(FRESH).isAfter(now)) {
      return Optional.of(known);
    }
    return registry
        .catalog()
        .find(list.resource())
        .map(Resource::stored)
        .filter(Resource::isStored)
        .map(resource -> look(list.resource(), resource, now));
  }

  private Size look(GroupResource name, Resource resource, Instant now) {
    List<Store.Entry> some = registry.list(resource, ListOptions.ALL.limit(SAMPLE)).entries();
    long bytes = some.stream().mapToLong(entry -> entry.value().length).sum();
    Size size =
        new Size(
            some.size() < SAMPLE ? some.size() : registry.count(resource),
            some.isEmpty() ? 0 : bytes / some.size(),
            now);
    sizes.put(name, size);
    return size;
  }
}
