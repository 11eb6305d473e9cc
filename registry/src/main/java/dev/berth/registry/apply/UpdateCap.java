package dev.berth.registry.apply;

import java.util.ArrayList;
import java.util.Comparator;
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
    Map<String, List<ManagedEntry>> oldestOfVersion = new LinkedHashMap<>();
    for (ManagedEntry entry : updates) {
      if (tooMany == 0) {
        break;
      }
      List<ManagedEntry> oldest =
          oldestOfVersion.computeIfAbsent(entry.apiVersion(), _ -> new ArrayList<>());
      tooMany -= oldest.isEmpty() ? 0 : 1;
      oldest.add(entry);
    }
    Map<ManagedEntry.Key, ManagedEntry> kept = new LinkedHashMap<>();
    entries.forEach(entry -> kept.put(entry.key(), entry));
    oldestOfVersion.values().stream()
        .filter(oldest -> oldest.size() > 1)
        .forEach(oldest -> {
          oldest.forEach(entry -> kept.remove(entry.key()));
          ManagedEntry bucket =
              ancient(
                  oldest.getLast(),
                  FieldSet.union(oldest.stream().map(ManagedEntry::fields).toList()));
          kept.put(bucket.key(), bucket);
        });
    return new ArrayList<>(kept.values());
  }

  /** The time is that of the newer one, the one that was merged last. */
  private static ManagedEntry ancient(ManagedEntry newer, FieldSet fields) {
    return new ManagedEntry(newer.tree().with("manager", ANCIENT).without("subresource"))
        .with(fields);
  }
}
