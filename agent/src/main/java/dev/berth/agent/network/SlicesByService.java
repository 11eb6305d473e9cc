package dev.berth.agent.network;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The EndpointSlices of each service, in the order of their names. */
public final class SlicesByService {
  private final Map<ObjectName, Map<String, JsonObject>> slices = new HashMap<>();

  /** A slice of a service has changed, or is no more. */
  public void put(ObjectName service, String slice, @Nullable JsonObject now) {
    Map<String, JsonObject> known = slices.computeIfAbsent(service, _ -> new TreeMap<>());
    if (now == null) {
      known.remove(slice);
    } else {
      known.put(slice, now);
    }
    if (known.isEmpty()) {
      slices.remove(service);
    }
  }

  public Collection<JsonObject> of(ObjectName service) {
    Map<String, JsonObject> known = slices.get(service);
    return known == null ? List.of() : known.values();
  }
}
