package dev.berth.controllers.reconcile;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Action;
import dev.berth.policy.reconcile.Decision;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What makes a controller differ from the others: its snapshot, its decision and its actions. All
 * methods are run on the controller's loop.
 *
 * @param <S> what a decision depends on
 * @param <A> what may have to be done
 * @param <D> what is decided
 */
public interface Reconciler<S, A extends Action, D extends Decision<A>> {

  /**
   * Reads what the decision depends on.
   *
   * @param owned the objects that the object owns and selects; none if the controller owns none
   */
  S snapshot(Reconciliation run, List<JsonObject> owned);

  /** Decides: a function of {@code policy}, and nothing else. */
  D decide(S snapshot, Instant now);

  /**
   * Begins to carry out an action. It has ended when the requests have that were made by the
   * reconciliation; the next one begins then, unless one has failed.
   */
  void apply(Reconciliation run, A action);

  /** Whether an object is one to reconcile at all. */
  default boolean isToBeReconciled(JsonObject object) {
    return true;
  }

  /** Does what must be done before anything can be read; the rest follows if it does not fail. */
  default void prepare(Reconciliation run) {}

  /**
   * Whether the status tells what became of the actions: it is decided about again after them, and
   * written even if one failed. Otherwise the status is that of the decision, written if none did.
   */
  default boolean countsAfterActions() {
    return false;
  }

  /** Takes note of what was decided in the end, right before the status is written. */
  default void decided(Reconciliation run, D decision) {}

  /** The status has been written, which it is only if it changed. */
  default void statusWritten(Reconciliation run, D decision) {}

  /**
   * What was decided has been carried out, or was not.
   *
   * @param decision the first, on which the actions were taken
   */
  default void ended(Reconciliation run, D decision) {}

  /** News of an object that the controller looks after; null if it was not or is no more. */
  default void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {}

  /** News of an object of the resource that it owns objects of, whoever owns this one. */
  default void ownedChanged(@Nullable JsonObject before, @Nullable JsonObject after) {}
}
