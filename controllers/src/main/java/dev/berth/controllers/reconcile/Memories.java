package dev.berth.controllers.reconcile;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a controller remembers of its objects that they do not say themselves, until they are gone.
 * All of it may be forgotten without harm, as it is when the controller starts afresh.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class Memories<M> {
  private final Supplier<M> fresh;

  /** By UID. */
  private final Map<String, M> memories = new HashMap<>();

  Memories(Supplier<M> fresh) {
    this.fresh = fresh;
  }

  /** What is remembered of an object. */
  public M of(JsonObject object) {
    return memories.computeIfAbsent(Metadata.of(object).uid(), _ -> fresh.get());
  }

  /** The same, unless nothing was remembered or the object is gone by now. */
  public Optional<M> kept(JsonObject object) {
    return Optional.ofNullable(memories.get(Metadata.of(object).uid()));
  }

  void forget(JsonObject object) {
    memories.remove(Metadata.of(object).uid());
  }
}
