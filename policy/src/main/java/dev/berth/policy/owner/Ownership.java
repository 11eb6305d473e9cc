package dev.berth.policy.owner;

import dev.berth.model.meta.Metadata;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a controller has to do so that the objects that its selector selects are its own, and no
 * others.
 *
 * <ol>
 *   <li>An object of another controller is that one's, whatever its labels.
 *   <li>An object of its own that it no longer selects is let go, unless the controller or the
 *       object is being deleted.
 *   <li>An object that it selects and nobody controls becomes its own, unless the controller or the
 *       object is being deleted. Whoever does that looks at the controller once more first, since
 *       it may have been deleted and made again under its name.
 * </ol>
 *
 * @param owned those that are its own and selected
 * @param adopt those that are to become its own
 * @param release those that are to be let go
 */
public record Ownership(List<JsonObject> owned, List<JsonObject> adopt, List<JsonObject> release) {

  public Ownership {
    owned = List.copyOf(owned);
    adopt = List.copyOf(adopt);
    release = List.copyOf(release);
  }

  /**
   * Decides about some objects of the controller's namespace: all that it controls, and all that
   * nobody does.
   */
  public static Ownership of(
      JsonObject controller, LabelSelector selector, Collection<JsonObject> objects) {
    return of(controller, selector, objects, _ -> true);
  }

  /**
   * The same for a controller that knows its own by more than their labels.
   *
   * @param isMember whether an object that is selected can be one of its own
   */
  public static Ownership of(
      JsonObject controller,
      LabelSelector selector,
      Collection<JsonObject> objects,
      Predicate<JsonObject> isMember) {
    String own = Metadata.of(controller).uid();
    boolean ends = Metadata.of(controller).isBeingDeleted();
    List<JsonObject> owned = new ArrayList<>();
    List<JsonObject> adopt = new ArrayList<>();
    List<JsonObject> release = new ArrayList<>();
    for (JsonObject object : objects) {
      Metadata metadata = Metadata.of(object);
      boolean selected = selector.matches(metadata.labels());
      boolean lasts = !ends && !metadata.isBeingDeleted();
      String owner = metadata.controllerUid();
      if (own.equals(owner)) {
        if (selected) {
          if (isMember.test(object)) {
            owned.add(object);
          }
        } else if (lasts) {
          release.add(object);
        }
      } else if (owner == null && selected && lasts && isMember.test(object)) {
        adopt.add(object);
      }
    }
    return new Ownership(owned, adopt, release);
  }
}
