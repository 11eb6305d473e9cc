package dev.berth.sim.fuzz.invariant;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.store.Store;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * W5: no acknowledged write is lost. What a server answers is what is stored, and whatever was
 * written is there, at the revision that it got, after every crash and in the end.
 */
public final class AcknowledgedWrites implements Invariant {
  private final Map<String, Long> revisions = new HashMap<>();

  @Override
  public String words() {
    return "no acknowledged write is lost";
  }

  /**
   * The store has acknowledged a write.
   *
   * @param revision of what the key holds now; {@link Store#ABSENT} if it was deleted
   */
  public void written(String key, long revision) {
    if (revision == Store.ABSENT) {
      revisions.remove(key);
    } else {
      revisions.put(key, revision);
    }
  }

  /**
   * A server has answered that it created or changed an object.
   *
   * @param stored what is there
   * @return what is wrong
   */
  public Optional<String> answered(
      String resource, ObjectName name, JsonObject answer, @Nullable JsonObject stored) {
    Metadata metadata = Metadata.of(answer);
    if (stored == null && metadata.isBeingDeleted() && metadata.finalizers().isEmpty()) {
      // The last that held it has let it go.
      return Optional.empty();
    }
    String told = metadata.resourceVersion();
    boolean isSame =
        stored != null
            && Metadata.of(stored).resourceVersion().equals(told)
            && stored.object("spec").equals(answer.object("spec"))
            && stored.object("status").equals(answer.object("status"));
    return isSame
        ? Optional.empty()
        : Optional.of(
            "%s %s was acknowledged at revision %s as %s, and what is stored is %s"
                .formatted(resource, name, told, answer, stored));
  }

  /** Compares what there should be with what there is. */
  public Optional<String> compare(Store store) {
    Map<String, Long> there = new HashMap<>();
    if (store.range(Store.RangeRequest.prefix("/")) instanceof Store.RangeResult.Page page) {
      page.entries().forEach(entry -> there.put(entry.key(), entry.revision()));
    }
    if (there.equals(revisions)) {
      return Optional.empty();
    }
    return revisions.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(there.get(entry.getKey())))
        .map(entry ->
            "%s was acknowledged at revision %d, and the store has %s"
                .formatted(entry.getKey(), entry.getValue(), there.get(entry.getKey())))
        .findFirst()
        .or(() ->
            there.keySet().stream()
                .filter(key -> !revisions.containsKey(key))
                .map(key -> key + " was deleted, and is there")
                .findFirst());
  }
}
