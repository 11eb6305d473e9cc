package dev.berth.controllers.owned;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a controller looks after, by name. What it wrote itself is known at once; what
 * the watch tells of earlier states after that is not believed, so that nothing is decided on a
 * state whose change would be refused.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class KnownObjects {
  private final Map<ObjectName, JsonObject> objects = new LinkedHashMap<>();

  /** Takes note of what was heard; null if the object was not or is no more. */
  public void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      take(after, objects.get(ObjectName.of(after)));
    } else if (before != null) {
      ObjectName name = ObjectName.of(before);
      JsonObject held = objects.get(name);
      if (held != null && uid(held).equals(uid(before))) {
        objects.remove(name);
      }
    }
  }

  /** The server has changed an object, of which the watch may not have told yet. */
  public void written(JsonObject object) {
    JsonObject held = objects.get(ObjectName.of(object));
    if (held != null && uid(held).equals(uid(object))) {
      take(object, held);
    }
  }

  private void take(JsonObject object, @Nullable JsonObject held) {
    boolean stale =
        held != null
            && uid(held).equals(uid(object))
            && Metadata.of(object).isBefore(Metadata.of(held));
    if (!stale) {
      objects.put(ObjectName.of(object), object);
    }
  }

  private static String uid(JsonObject object) {
    return Metadata.of(object).uid();
  }

  public Optional<JsonObject> get(ObjectName name) {
    return Optional.ofNullable(objects.get(name));
  }

  /** All of them, in the order in which they were first seen. */
  public Collection<JsonObject> values() {
    return Collections.unmodifiableCollection(objects.values());
  }
}
