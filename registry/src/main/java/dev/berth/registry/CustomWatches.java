package dev.berth.registry;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.CustomKind;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The watches of resources that somebody defined. They end when the definition goes or says
 * something else, as they do upstream: their readers begin again, by the new definition, or find
 * that there is none. May be used from any thread.
 */
final class CustomWatches {
  private final Supplier<Catalog> catalog;
  private final Set<ObjectWatch> open = ConcurrentHashMap.newKeySet();

  CustomWatches(Supplier<Catalog> catalog) {
    this.catalog = catalog;
  }

  /** Ends a watch when its time has come, which may be now: its reader may have been slow. */
  ObjectWatch keep(ObjectWatch watch) {
    if (watch.resource().custom().isPresent()) {
      open.add(watch);
      watch.atClose(() -> open.remove(watch));
      endIfOutdated(watch, catalog.get());
    }
    return watch;
  }

  void endOutdated() {
    if (!open.isEmpty()) {
      Catalog now = catalog.get();
      open.forEach(watch -> endIfOutdated(watch, now));
    }
  }

  private static void endIfOutdated(ObjectWatch watch, Catalog now) {
    Resource resource = watch.resource();
    GroupVersion version = resource.kind().groupVersion();
    Optional<Object> current =
        now.find(new GroupVersionResource(version.group(), version.version(), resource.plural()))
            .flatMap(Resource::custom)
            .map(CustomKind::definedBy);
    if (!current.equals(resource.custom().map(CustomKind::definedBy))) {
      watch.end();
    }
  }
}
