package dev.berth.controllers.replicaset;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which sets have the same owner: those of one deployment. */
final class Siblings {
  /** UIDs of sets by the UID of their owner. */
  private final Map<String, Set<String>> byOwner = new HashMap<>();

  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    String was = before == null ? "" : owner(before);
    String is = after == null ? "" : owner(after);
    if (before != null && !was.isEmpty() && !was.equals(is) && byOwner.containsKey(was)) {
      Set<String> left = byOwner.get(was);
      left.remove(Metadata.of(before).uid());
      if (left.isEmpty()) {
        byOwner.remove(was);
      }
    }
    if (after != null && !is.isEmpty()) {
      byOwner.computeIfAbsent(is, _ -> new LinkedHashSet<>()).add(Metadata.of(after).uid());
    }
  }

  private static String owner(JsonObject set) {
    return Metadata.of(set).controller().map(OwnerReference::uid).orElse("");
  }

  /** A set and those of the same owner. */
  Set<String> of(JsonObject set) {
    return byOwner.getOrDefault(owner(set), Set.of(Metadata.of(set).uid()));
  }
}
