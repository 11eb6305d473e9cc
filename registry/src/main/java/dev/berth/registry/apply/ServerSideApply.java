package dev.berth.registry.apply;

import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.patch.PatchException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Server-side apply: merges a configuration of which its manager wants to own every field, and no
 * others.
 *
 * <p>Rules:
 *
 * <ol>
 *   <li>The configuration is merged into the live object.
 *   <li>A field that the manager applied before and no longer does is removed, unless someone else
 *       owns it too.
 *   <li>A field that changes and that others own is a conflict; forced, it is taken from them.
 *   <li>A field that others own and that is as applied is owned by all of them.
 *   <li>The manager owns what it applied, and nothing that it applied before.
 *   <li>An object that nobody was tracked for is taken to be the work of one {@value #BEFORE}.
 *   <li>Applying what is there changes nothing, not even a time.
 * </ol>
 */
public final class ServerSideApply {
  static final String BEFORE = "before-first-apply";

  /** Who applies a scale is told of conflicts in a scale, whatever its workload is like. */
  private static final String SCALE_VERSION = "autoscaling/v1";

  private static final String SCALE_REPLICAS = ".spec.replicas";

  private final Structure structure;
  private final FieldSet ignored;
  private final JsonObject zero;
  private final boolean custom;

  /**
   * @param ignored fields that writes through this path never change; nobody comes to own them
   * @param zero an object before anybody says anything, whose fields nobody owns
   * @param custom whether somebody defined the kind, so that a null that is applied is a value
   */
  public ServerSideApply(Structure structure, FieldSet ignored, JsonObject zero, boolean custom) {
    this.structure = structure;
    this.ignored = ignored;
    this.zero = zero;
    this.custom = custom;
  }

  /**
   * A configuration to apply.
   *
   * @param live the object as it is stored; empty if there is none
   * @param storing brings what was merged into the form in which it is stored
   * @param forms the object's form in another version than the manager's
   */
  public record Request(
      JsonObject live,
      JsonObject applied,
      FieldManager manager,
      boolean force,
      Instant now,
      UnaryOperator<JsonObject> storing,
      Function<String, Optional<OwnedForm>> forms) {}

  /**
   * Applies a configuration, or tells what keeps it from being applied.
   *
   * @throws PatchException if the configuration is none
   */
  public ApplyResult apply(Request request) {
    check(request);
    JsonObject live = request.live;
    ManagedFields stored = ManagedFields.of(live);
    List<ManagedEntry> entries = stored.isEmpty() ? beforeFirstApply(request) : stored.entries();
    ManagedEntry.Key own = ManagedEntry.key(request.manager, ManagedEntry.APPLY);
    List<ManagedEntry> others = new ArrayList<>(entries);
    Optional<ManagedEntry> last = stored.find(own);
    last.ifPresent(others::remove);

    FieldSet fields = ObjectFields.of(request.applied, structure).minusAllBelow(ignored);
    JsonObject merged =
        custom
            ? AppliedMerge.mergeKeepingNulls(live, request.applied, structure)
            : AppliedMerge.merge(live, request.applied, structure);
    FieldSet lastFields = last.map(ManagedEntry::fields).orElse(FieldSet.EMPTY);
    JsonObject result = new Pruning(structure, others, fields).prune(merged, lastFields);

    Comparison comparison = Comparison.of(live, result, structure).minusAllBelow(ignored);
    VersionedChanges changes =
        new VersionedChanges(request.manager.apiVersion(), comparison, live, result, request.forms);
    if (!request.force) {
      List<ApplyResult.Conflict> conflicts = conflicts(others, changes, fields, request);
      if (!conflicts.isEmpty()) {
        return new ApplyResult.Conflicts(conflicts);
      }
    }
    JsonObject next = request.storing.apply(result);
    boolean changed = !next.equals(live);
    List<ManagedEntry> owners = withoutTaken(others, changes);
    FieldSet owned = fields.minus(ObjectFields.NEVER_OWNED);
    if (!owned.isEmpty()) {
      owners.add(ownEntry(last, owned, changed, request));
    }
    JsonObject tracked = stored.replace(owners, changed ? next : live);
    return new ApplyResult.Applied(
        request.manager.name().equals(LastApplied.MANAGER)
            ? LastApplied.update(tracked, request.applied)
            : tracked);
  }

  private void check(Request request) {
    JsonObject applied = request.applied;
    String version = text(applied, "apiVersion");
    if (!version.equals(request.manager.apiVersion())) {
      throw PatchException.badRequest(
          "Incorrect version specified in apply patch. Specified patch version: %s, expected: %s"
              .formatted(version, request.manager.apiVersion()));
    }
    JsonObject metadata =
        applied.get("metadata") instanceof JsonObject object ? object : JsonObject.EMPTY;
    Object managed = metadata.get("managedFields");
    if (managed != null && managed != JsonNull.NULL) {
      throw PatchException.badRequest("metadata.managedFields must be nil");
    }
    Optional<String> warning = AppliedCheck.warning(applied, structure);
    if (warning.isPresent()) {
      throw PatchException.badRequest(
          "failed to create typed patch object (%s/%s; %s, Kind=%s): %s"
              .formatted(
                  text(metadata, "namespace"),
                  text(metadata, "name"),
                  version.contains("/") ? version : "/" + version,
                  text(applied, "kind"),
                  warning.get()));
    }
  }

  private static String text(JsonObject object, String field) {
    return object.get(field) instanceof String text ? text : "";
  }

  private List<ManagedEntry> beforeFirstApply(Request request) {
    Comparison all = Comparison.of(zero, request.live, structure).minusAllBelow(ignored);
    FieldManager before =
        new FieldManager(BEFORE, request.manager.apiVersion(), request.manager.subresource());
    VersionedChanges changes =
        new VersionedChanges(before.apiVersion(), all, zero, request.live, request.forms);
    return UpdateTracker.track(List.of(), changes, before, request.now);
  }

  private List<ApplyResult.Conflict> conflicts(
      List<ManagedEntry> others, VersionedChanges changes, FieldSet applied, Request request) {
    boolean ofScale = request.manager.subresource().equals(ManagedEntry.SCALE);
    Map<String, FieldSet> byManager = new LinkedHashMap<>();
    for (ManagedEntry entry : others) {
      Comparison comparison = changes.of(entry);
      // What is applied and gone was applied as null, which changes whatever others gave it.
      FieldSet changed = comparison.changed().union(comparison.removed().intersection(applied));
      FieldSet conflict = entry.fields().intersection(changed);
      if (!conflict.isEmpty()) {
        byManager.merge(
            (ofScale ? entry.in(SCALE_VERSION) : entry).text(), conflict, FieldSet::union);
      }
    }
    if (!byManager.isEmpty() && request.manager.name().equals(LastApplied.MANAGER)) {
      FieldSet own =
          LastApplied.stillApplied(request.live, request.manager.apiVersion(), structure);
      byManager.replaceAll((_, conflict) -> conflict.minus(own));
    }
    List<ApplyResult.Conflict> conflicts = new ArrayList<>();
    byManager.forEach((manager, fields) ->
        fields.forEach(path ->
            conflicts.add(
                new ApplyResult.Conflict(manager, ofScale ? SCALE_REPLICAS : text(path)))));
    conflicts.sort(Comparator.comparing(ApplyResult.Conflict::manager));
    return conflicts;
  }

  private static String text(List<String> path) {
    StringBuilder text = new StringBuilder();
    path.forEach(element -> text.append(Elements.text(element)));
    return text.toString();
  }

  /** What others own still: not what changed or is gone. */
  private static List<ManagedEntry> withoutTaken(
      List<ManagedEntry> others, VersionedChanges changes) {
    List<ManagedEntry> kept = new ArrayList<>(others.size() + 1);
    for (ManagedEntry entry : others) {
      Comparison comparison = changes.of(entry);
      FieldSet rest = entry.fields().minus(comparison.changed()).minus(comparison.removed());
      if (!rest.isEmpty()) {
        kept.add(entry.with(rest));
      }
    }
    return kept;
  }

  private static ManagedEntry ownEntry(
      Optional<ManagedEntry> last, FieldSet owned, boolean changed, Request request) {
    FieldManager manager = request.manager;
    if (last.isEmpty()) {
      return ManagedEntry.of(manager, ManagedEntry.APPLY, owned, request.now);
    }
    ManagedEntry entry = last.get();
    if (entry.fields().equals(owned)) {
      owned = entry.fields();
    }
    ManagedEntry updated = entry.in(manager.apiVersion()).with(owned);
    return changed || !updated.equals(entry) ? updated.at(request.now) : entry;
  }
}
