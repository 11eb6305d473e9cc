package dev.berth.customresources.definition;

import dev.berth.customresources.definition.Conditions.Condition;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Definitions of custom resources: names, versions, schemas. */
final class DefinitionRules implements ResourceRules {
  private static final long HTTPS = 443;
  private static final String STORED = "storedVersions";

  @Override
  public JsonObject defaults(JsonObject definition) {
    JsonObject filled = definition.update("spec", DefinitionRules::spec);
    return filled.object("status").array(STORED).isEmpty() ? withStored(filled) : filled;
  }

  private static JsonObject spec(JsonObject spec) {
    JsonObject filled =
        spec.update(
            "names",
            names -> {
              String kind = names.text("kind", "");
              JsonObject named = names;
              if (named.text("singular", "").isEmpty() && !kind.isEmpty()) {
                named = named.with("singular", kind.toLowerCase(Locale.ROOT));
              }
              return named.text("listKind", "").isEmpty() && !kind.isEmpty()
                  ? named.with("listKind", kind + "List")
                  : named;
            });
    filled = FieldRules.orDefault(filled, "conversion", JsonObject.of("strategy", "None"));
    JsonObject client = filled.object("conversion").object("webhook").object("clientConfig");
    if (!client.has("service")) {
      return filled;
    }
    return filled.update(
        "conversion",
        c ->
            c.update(
                "webhook",
                w ->
                    w.update(
                        "clientConfig",
                        o -> o.update("service", s -> FieldRules.orDefault(s, "port", HTTPS)))));
  }

  /** The version that objects are stored in is noted for as long as there may be any. */
  private static JsonObject withStored(JsonObject definition) {
    Optional<String> storage =
        new DefinitionView(definition).storageVersion().map(version -> version.text("name", ""));
    JsonArray stored = definition.object("status").array(STORED);
    return storage.isEmpty() || stored.values().contains(storage.get())
        ? definition
        : definition.with(
            "status", definition.object("status").with(STORED, stored.append(storage.get())));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject definition, Instant now) {
    return withStored(definition.with("status", JsonObject.EMPTY));
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject definition, JsonObject old, Instant now) {
    return withStored(definition);
  }

  @Override
  public List<FieldError> validate(JsonObject definition) {
    return DefinitionValidation.ofNew(definition);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject definition, JsonObject old) {
    return DefinitionValidation.ofUpdate(definition, old);
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject definition, JsonObject old) {
    return DefinitionValidation.ofStatus(definition);
  }

  /** Its instances go first, and somebody has to see to that. */
  @Override
  public JsonObject prepareForDelete(JsonObject definition) {
    Instant now = Metadata.of(definition).deletionTimestamp().orElse(Instant.EPOCH);
    JsonObject kept =
        Metadata.update(
            definition,
            metadata ->
                metadata.array("finalizers").values().contains(DefinitionView.FINALIZER)
                    ? metadata
                    : metadata.with(
                        "finalizers",
                        metadata.array("finalizers").append(DefinitionView.FINALIZER)));
    Condition pending =
        new Condition(
            DefinitionView.TERMINATING,
            "True",
            "InstanceDeletionPending",
            "CustomResourceDefinition marked for deletion; CustomResource deletion will begin"
                + " soon");
    return kept.with("status", Conditions.with(kept.object("status"), pending, now));
  }
}
