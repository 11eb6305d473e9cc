package dev.berth.controllers.endpointslice;

import dev.berth.model.core.Zone;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The zones of the nodes that exist, and which nodes have come, gone or moved of late. */
final class NodeZones {
  private final Map<String, String> zones = new HashMap<>();
  private Set<String> changed = new LinkedHashSet<>();

  /** Takes note; returns whether that is the first that changed since {@link #takeChanged}. */
  boolean changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return false;
    }
    String name = Metadata.of(told).name();
    String zone = after == null ? null : Zone.ofLabels(Metadata.of(after).labels()).name();
    String was = zone == null ? zones.remove(name) : zones.put(name, zone.intern());
    boolean same = zone == null ? was == null : zone.equals(was);
    return !same && changed.add(name) && changed.size() == 1;
  }

  /** By the node's name; empty for nodes in no zone. */
  Map<String, String> zones() {
    return Collections.unmodifiableMap(zones);
  }

  Set<String> takeChanged() {
    Set<String> taken = changed;
    changed = new LinkedHashSet<>();
    return taken;
  }
}
