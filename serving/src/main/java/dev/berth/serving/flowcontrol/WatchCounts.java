package dev.berth.serving.flowcontrol;

import dev.berth.access.Action;
import dev.berth.model.resource.GroupResource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many watches see the change of an object: those of its resource, of its namespace, and of
 * itself. Labels do not matter, since they are compared with whatever changes. Watches of one
 * node's pods are not counted: an index finds the one that is concerned.
 */
final class WatchCounts {
  private record Watched(GroupResource resource, String namespace, String name) {}

  private final Map<Watched, Integer> counts = new ConcurrentHashMap<>();

  /** A watch begins; the result is run when it ends. */
  Runnable begin(Action.OnResource watch) {
    if (watch.resource().resource().equals("pods")
        && watch.selectors().fields().exactValue("spec.nodeName").isPresent()) {
      return () -> {};
    }
    Watched watched = new Watched(watch.resource(), watch.namespace(), watch.name());
    counts.merge(watched, 1, Integer::sum);
    return () -> counts.computeIfPresent(watched, (_, count) -> count == 1 ? null : count - 1);
  }

  /** The watches that a write may concern. */
  int concernedBy(Action.OnResource write) {
    GroupResource resource = write.resource();
    int all = count(new Watched(resource, "", ""));
    if (!write.namespace().isEmpty()) {
      all += count(new Watched(resource, write.namespace(), ""));
    }
    if (!write.name().isEmpty()) {
      all += count(new Watched(resource, write.namespace(), write.name()));
    }
    return all;
  }

  private int count(Watched watched) {
    return counts.getOrDefault(watched, 0);
  }
}
