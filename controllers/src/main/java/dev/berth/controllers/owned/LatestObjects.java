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
 * Objects of one resource as they were last heard of or written, whichever is later: what the
 * controller wrote counts at once, and older news of it does not undo that. Otherwise a controller
 * that looks again before its watch has caught up would be refused for naming an old revision.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class LatestObjects {
  private final Map<ObjectName, JsonObject> objects = new LinkedHashMap<>();

  /** Takes note of what was heard; null if the object was not or is no more. */
  public void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      put(after);
    } else if (before != null) {
      ObjectName name = ObjectName.of(before);
      JsonObject held = objects.get(name);
      if (held != null && Metadata.of(held).uid().equals(Metadata.of(before).uid())) {
        objects.remove(name);
      }
    }
  }

  /** Takes note of what the server answered to a change, unless the object is gone meanwhile. */
  public void wrote(JsonObject object) {
    String uid = Metadata.of(object).uid();
    objects.computeIfPresent(
        ObjectName.of(object),
        (_, held) -> Metadata.of(held).uid().equals(uid) ? later(held, object) : held);
  }

  private void put(JsonObject object) {
    objects.merge(ObjectName.of(object), object, LatestObjects::later);
  }

  private static JsonObject later(JsonObject held, JsonObject told) {
    Metadata then = Metadata.of(held);
    Metadata now = Metadata.of(told);
    boolean older =
        then.uid().equals(now.uid())
            && revision(now.resourceVersion()) < revision(then.resourceVersion());
    return older ? held : told;
  }

  /** Revisions are numbers that grow, which Kubernetes promises since 1.35. */
  private static long revision(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  public Optional<JsonObject> get(ObjectName name) {
    return Optional.ofNullable(objects.get(name));
  }

  public Collection<JsonObject> values() {
    return Collections.unmodifiableCollection(objects.values());
  }
}
