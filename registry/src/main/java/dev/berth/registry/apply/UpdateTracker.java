package dev.berth.registry.apply;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps {@code metadata.managedFields} true when an object is created, updated or patched: who
 * changes a field owns it, and nobody else does any longer.
 *
 * <p>Rules:
 *
 * <ol>
 *   <li>Fields whose value changed, and fields that are new, become the updater's, with the time.
 *   <li>They and the fields that are gone are taken from everyone else; entries without fields go.
 *   <li>A write that sets nothing leaves entries and times as they are.
 *   <li>An object whose entries were lost or reset is not tracked until it is applied.
 *   <li>An object with an element that its list has no keys to tell by loses its entries.
 * </ol>
 */
public final class UpdateTracker {
  private final Structure structure;
  private final FieldSet ignored;
  private final JsonObject zero;
  private final KnownFields known;

  /**
   * @param ignored fields that writes through this path never change, such as status when the
   *     object itself is written; nobody comes to own them
   * @param zero an object before anybody says anything: who creates one owns what differs from it
   */
  public UpdateTracker(Structure structure, FieldSet ignored, JsonObject zero) {
    this.structure = structure;
    this.ignored = ignored;
    this.zero = zero;
    this.known = new KnownFields(structure, zero);
  }

  /**
   * The updated object with its entries.
   *
   * @param live the object as it is stored; empty if it is created
   */
  public JsonObject track(JsonObject live, JsonObject updated, FieldManager manager, Instant now) {
    return track(live, updated, manager, now, VersionedChanges.ONE_VERSION);
  }

  /**
   * The same for an object that has several versions.
   *
   * @param forms the object's form in another version than the manager's
   */
  public JsonObject track(
      JsonObject live,
      JsonObject updated,
      FieldManager manager,
      Instant now,
      Function<String, Optional<OwnedForm>> forms) {
    ManagedFields stored = ManagedFields.of(live);
    ManagedFields managed =
        manager.subresource().isEmpty() ? ManagedFields.sent(updated, stored) : stored;
    if (managed.isEmpty() && !Metadata.of(live).uid().isEmpty()) {
      return managed.replace(List.of(), updated);
    }
    Comparison comparison =
        live.isEmpty()
            ? new Comparison(known.of(updated, this::fieldsOfNew), FieldSet.EMPTY, true)
            : compare(live, updated);
    if (!comparison.isWhole()) {
      return stored.replace(List.of(), updated);
    }
    VersionedChanges changes =
        new VersionedChanges(manager.apiVersion(), comparison, live, updated, forms);
    return stored.replace(track(managed.entries(), changes, manager, now), updated);
  }

  private FieldSet fieldsOfNew(JsonObject created) {
    Comparison comparison = compare(zero, created);
    return comparison.isWhole() ? comparison.changed() : FieldSet.EMPTY;
  }

  private Comparison compare(JsonObject live, JsonObject updated) {
    return Comparison.of(live, updated, structure).minusAllBelow(ignored);
  }

  static List<ManagedEntry> track(
      List<ManagedEntry> entries, VersionedChanges changes, FieldManager manager, Instant now) {
    if (changes.own().isEmpty()) {
      return entries;
    }
    FieldSet changed = changes.own().changed();
    ManagedEntry.Key own = ManagedEntry.key(manager, ManagedEntry.UPDATE);
    boolean found = false;
    List<ManagedEntry> tracked = new ArrayList<>(entries.size() + 1);
    for (ManagedEntry entry : entries) {
      Comparison comparison = changes.of(entry);
      FieldSet rest = entry.fields().minus(comparison.removed());
      if (!changed.isEmpty() && entry.key().equals(own)) {
        found = true;
        tracked.add(entry.with(rest.union(changed)).at(now));
      } else {
        rest = rest.minus(comparison.changed());
        if (!rest.isEmpty()) {
          tracked.add(entry.with(rest));
        }
      }
    }
    if (!found && !changed.isEmpty()) {
      tracked.add(ManagedEntry.of(manager, ManagedEntry.UPDATE, changed, now));
    }
    return UpdateCap.apply(tracked);
  }
}
