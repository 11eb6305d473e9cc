package dev.berth.registry.apply;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes what a manager applied before and no longer applies, unless someone else owns it. A
 * struct, an entry of a map or an element of a list that goes takes all of its parts with it, also
 * those that nobody owns, such as defaults; one that holds a part of someone else stays.
 */
final class Pruning {
  private final Structure structure;
  private final FieldSet applied;
  private final FieldSet owned;

  Pruning(Structure structure, List<ManagedEntry> others, FieldSet applied) {
    this.structure = structure;
    this.applied = applied;
    List<FieldSet> all = new ArrayList<>(List.of(applied));
    others.forEach(entry -> all.add(entry.fields()));
    this.owned = FieldSet.union(all);
  }

  /**
   * @param last what the manager owned before
   */
  JsonObject prune(JsonObject merged, FieldSet last) {
    if (applied.hasAll(last)) {
      return merged;
    }
    FieldSet candidates = named(last);
    FieldSet all = fields(merged);
    JsonObject without = ObjectFields.without(merged, candidates, structure);
    FieldSet unowned = all.minus(fields(without).union(named(owned)));
    FieldSet kept = fields(ObjectFields.without(merged, unowned, structure));
    return ObjectFields.without(merged, all.minus(kept).intersection(candidates), structure);
  }

  private FieldSet fields(JsonObject object) {
    return named(ObjectFields.of(object, structure));
  }

  private FieldSet named(FieldSet set) {
    return ObjectFields.withNamedFields(set, structure);
  }
}
