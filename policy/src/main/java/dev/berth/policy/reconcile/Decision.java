package dev.berth.policy.reconcile;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done about an object: a pure function of a snapshot and an instant. Whoever carries
 * it out does so in the order of these methods.
 *
 * @param <A> what may have to be done
 */
public interface Decision<A extends Action> {

  /**
   * What is to be done first, one after the other; after that the object is decided about again.
   */
  List<A> actions();

  /** The object as it is to be written, which is its status as a rule; itself if it is so. */
  JsonObject withStatus();

  /** What is to be told once that is written. */
  default List<Note> notes() {
    return List.of();
  }

  /** Whether to decide again as soon as it is written. */
  default boolean goesOn() {
    return false;
  }

  /** What is to be done once it is written, or was so before. */
  default List<A> afterStatus() {
    return List.of();
  }

  /** When to decide again, even if nothing happens. */
  Optional<Instant> next();
}
