package dev.berth.customresources.upkeep;

import dev.berth.customresources.conversion.Conversion;
import dev.berth.customresources.definition.Conditions;
import dev.berth.customresources.definition.Conditions.Condition;
import dev.berth.customresources.definition.DefinitionView;
import dev.berth.customresources.instance.CustomResource;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store.Entry;
import java.util.List;

/**
 * Deletes the objects of a definition that is being deleted, and lets it go when none is left. Some
 * objects wait for others to take their finalizers off, so it is asked again until then.
 */
record InstanceCleanup(Registry registry, Resource definitions, WriteOptions options) {
  private static final int NOT_FOUND = 404;
  private static final int PAGE = 500;

  /** Does what can be done now; true once the definition is free to go. */
  boolean step(DefinitionView definition) {
    if (!definition.isTrue(DefinitionView.ESTABLISHED)) {
      release(
          definition,
          new Condition(
              DefinitionView.TERMINATING,
              "False",
              "NeverEstablished",
              "resource was never established"));
      return true;
    }
    Condition begun =
        new Condition(
            DefinitionView.TERMINATING,
            "True",
            "InstanceDeletionInProgress",
            "CustomResource deletion is in progress");
    if (!Conditions.says(definition.status(), begun)) {
      JsonObject status = Conditions.with(definition.status(), begun, registry.now());
      registry.modify(
          definitions,
          ObjectName.of(definition.name()),
          options,
          _ -> definition.tree().with("status", status));
      return false;
    }
    // Objects are deleted in the form in which they are stored: no converter may keep them.
    Resource stored = CustomResource.stored(definition, Conversion.NONE);
    List<Entry> some = registry.list(stored, ListOptions.ALL.limit(PAGE)).entries();
    for (Entry entry : some) {
      JsonObject object = StoredEncoding.tree(entry);
      if (!Metadata.of(object).isBeingDeleted()) {
        delete(stored, ObjectName.of(object));
      }
    }
    if (registry.count(stored) > 0) {
      return false;
    }
    release(
        definition,
        new Condition(
            DefinitionView.TERMINATING,
            "False",
            "InstanceDeletionCompleted",
            "removed all instances"));
    return true;
  }

  private void delete(Resource stored, ObjectName name) {
    try {
      registry.delete(stored, name, DeletionOptions.DEFAULT);
    } catch (StatusException e) {
      if (e.status().code() != NOT_FOUND) {
        throw e;
      }
    }
  }

  private void release(DefinitionView definition, Condition why) {
    List<String> finalizers =
        definition.metadata().finalizers().stream()
            .filter(finalizer -> !finalizer.equals(DefinitionView.FINALIZER))
            .toList();
    JsonObject status = Conditions.with(definition.status(), why, registry.now());
    registry.modify(
        definitions,
        ObjectName.of(definition.name()),
        options,
        _ ->
            Metadata.update(
                    definition.tree(),
                    metadata ->
                        finalizers.isEmpty()
                            ? metadata.without("finalizers")
                            : metadata.with("finalizers", JsonArray.copyOf(finalizers)))
                .with("status", status));
  }
}
