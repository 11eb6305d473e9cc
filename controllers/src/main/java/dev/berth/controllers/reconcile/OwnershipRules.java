package dev.berth.controllers.reconcile;

import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a controller owns the objects that it makes. */
public interface OwnershipRules {
  /** What changes concerns the owner at once. */
  Optional<Duration> AT_ONCE = Optional.of(Duration.ZERO);

  /** It does not concern it. */
  Optional<Duration> NOT = Optional.empty();

  /** Ownership by selector, where every change of an owned object concerns its owner at once. */
  OwnershipRules BY_SELECTOR = new OwnershipRules() {};

  /** Ownership of what was made, and nothing else: nothing is adopted or released. */
  OwnershipRules BY_REFERENCE =
      new OwnershipRules() {
        @Override
        public Optional<LabelSelector> selector(JsonObject owner) {
          return Optional.empty();
        }
      };

  /**
   * What it selects, and so adopts and does not release; nothing if that cannot be told.
   *
   * @return empty if it owns by reference alone
   */
  default Optional<LabelSelector> selector(JsonObject owner) {
    try {
      return Optional.of(LabelSelector.fromTree(owner.object("spec").get("selector")));
    } catch (SelectorException _) {
      return Optional.of(LabelSelector.NOTHING);
    }
  }

  /**
   * Whether an object that is selected can be one of its own.
   *
   * @param owner its name
   */
  default boolean isMember(String owner, JsonObject object) {
    return true;
  }

  /**
   * How soon the owner is reconciled because of a change.
   *
   * @param before null if it was not its own
   * @param after null if it is no more
   * @param siblings how many it owns
   */
  default Optional<Duration> concernsOwner(
      @Nullable JsonObject before, @Nullable JsonObject after, int siblings) {
    return AT_ONCE;
  }

  /**
   * An index of what owners own, for a controller whose owners may have very many objects, of which
   * few change at a time. It is not handed all of them for each snapshot: it reads its index.
   */
  default Optional<OwnedObjects.Listener> index() {
    return Optional.empty();
  }

  /**
   * Whether one too many does harm: after a creation whose answer was lost the server is asked
   * which objects there are, before anything is decided.
   */
  default boolean asksAfterLostAnswers() {
    return false;
  }

  /** What an adoption adds to the object's metadata, as a strategic merge patch. */
  default JsonObject adopted() {
    return JsonObject.EMPTY;
  }

  /** What a release takes from it. */
  default JsonObject released() {
    return JsonObject.EMPTY;
  }
}
