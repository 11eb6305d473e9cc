package dev.berth.registry.apply;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds how many entries updates leave in an object: beyond {@value #MOST}, the oldest of each
 * version are merged into one that is called {@value #ANCIENT}.
 */
final class UpdateCap {
  static final int MOST = 10;
  static final String ANCIENT = "ancient-changes";

  private static final Comparator<ManagedEntry> OLDEST_FIRST =
      Comparator.comparing(ManagedEntry::time)
          .thenComparing(ManagedEntry::manager)
          .thenComparing(ManagedEntry::apiVersion)
          .thenComparing(ManagedEntry::subresource);

  private UpdateCap() {}

  static List<ManagedEntry> apply(List<ManagedEntry> entries) {
    if (entries.size() <= MOST) {
      return entries;
    }
    List<ManagedEntry> updates =
        entries.stream().filter(entry -> !entry.isApply()).sorted(OLDEST_FIRST).toList();
    int tooMany = updates.size() - MOST;
    if (tooMany <= 0) {
      return entries;
    }
    Map<ManagedEntry.Key, ManagedEntry> kept = new LinkedHashMap<>();
    entries.forEach(entry -> kept.put(entry.key(), entry));
    Map<String, ManagedEntry> oldestOfVersion = new HashMap<>();
    for (ManagedEntry entry : updates) {
      if (tooMany == 0) {
        break;
      }
      ManagedEntry merged = oldestOfVersion.get(entry.apiVersion());
      if (merged == null) {
        oldestOfVersion.put(entry.apiVersion(), entry);
        continue;
      }
      kept.remove(merged.key());
      kept.remove(entry.key());
      ManagedEntry bucket = ancient(entry, merged.fields().union(entry.fields()));
      kept.put(bucket.key(), bucket);
      oldestOfVersion.put(entry.apiVersion(), bucket);
      tooMany--;
    }
    return new ArrayList<>(kept.values());
  }

  /** The time is that of the newer one, the one that was merged last. */
  private static ManagedEntry ancient(ManagedEntry newer, FieldSet fields) {
    return new ManagedEntry(newer.tree().with("manager", ANCIENT).without("subresource"))
        .with(fields);
  }
}
