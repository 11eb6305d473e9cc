package dev.berth.sim.fuzz.invariant;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * W3: whoever follows objects by a watch knows them, once nothing changes any more, as the store
 * has them: none is missing, none is left over, and each is at its latest revision.
 */
public final class CachesEqualStore implements Invariant {

  @Override
  public String words() {
    return "caches equal the store when all is quiet";
  }

  /**
   * Compares a cache of all objects of a resource.
   *
   * @param owner whose it is
   */
  public Optional<String> compare(
      String owner, String resource, Collection<JsonObject> cached, ClusterState state) {
    NavigableMap<ObjectName, String> known = revisions(cached);
    NavigableMap<ObjectName, String> there = revisions(state.all(resource));
    if (known.equals(there)) {
      return Optional.empty();
    }
    NavigableMap<ObjectName, String> differ = new TreeMap<>(known);
    there.forEach(differ::putIfAbsent);
    differ
        .keySet()
        .removeIf(
            name -> known.getOrDefault(name, "none").equals(there.getOrDefault(name, "none")));
    ObjectName first = differ.firstKey();
    return Optional.of(
        "%s knows revision %s of %s %s, and the store has %s; so it is for %d objects"
            .formatted(
                owner,
                known.getOrDefault(first, "none"),
                resource,
                first,
                there.getOrDefault(first, "none"),
                differ.size()));
  }

  private static NavigableMap<ObjectName, String> revisions(Collection<JsonObject> objects) {
    NavigableMap<ObjectName, String> revisions = new TreeMap<>();
    objects.forEach(
        object -> revisions.put(ObjectName.of(object), Metadata.of(object).resourceVersion()));
    return revisions;
  }
}
