package dev.berth.registry.apply;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;

/**
 * The annotation in which client-side apply remembers what it applied. For objects that were
 * managed that way and are now applied by {@code kubectl apply --server-side}, it says which
 * conflicts are with kubectl's own past, and it is kept up to date so that one can go back.
 */
final class LastApplied {
  private static final String ANNOTATION = WellKnownAnnotations.LAST_APPLIED_CONFIGURATION;

  /** Only under this name; whoever wants none of this applies under another. */
  static final String MANAGER = "kubectl";

  /** What all annotations together may hold, in bytes. */
  private static final int MAX_ANNOTATIONS = 256 * 1024;

  private LastApplied() {}

  /** The fields that client-side apply set and that are still as it set them. */
  static FieldSet stillApplied(JsonObject live, String apiVersion, Structure structure) {
    String text = annotation(live);
    try {
      if (!text.isEmpty()) {
        JsonObject applied =
            JsonReader.object(text.getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
        if (applied.text("apiVersion", "").equals(apiVersion)) {
          Comparison comparison = Comparison.of(applied, live, structure);
          return ObjectFields.of(applied, structure)
              .minus(comparison.changed())
              .minus(comparison.removed());
        }
      }
    } catch (JsonException _) {
      // Users can write anything into annotations.
    }
    return FieldSet.EMPTY;
  }

  /** The object with the annotation telling of this configuration, if it had the annotation. */
  static JsonObject update(JsonObject object, JsonObject applied) {
    if (annotation(object).isEmpty()) {
      return object;
    }
    JsonObject told = applied;
    if (Metadata.of(applied).annotations().has(ANNOTATION)) {
      told = annotate(applied, Metadata.of(applied).annotations().without(ANNOTATION));
    }
    JsonObject annotations =
        Metadata.of(object).annotations().with(ANNOTATION, told.toString() + "\n");
    return annotate(
        object,
        size(annotations) > MAX_ANNOTATIONS ? annotations.without(ANNOTATION) : annotations);
  }

  /** The annotation; empty if there is none, or one that validation will refuse. */
  private static String annotation(JsonObject object) {
    return Metadata.of(object).annotations().get(ANNOTATION) instanceof String text ? text : "";
  }

  private static JsonObject annotate(JsonObject object, JsonObject annotations) {
    return Metadata.update(object, metadata -> metadata.with("annotations", annotations));
  }

  private static int size(JsonObject annotations) {
    int size = 0;
    for (int i = 0; i < annotations.size(); i++) {
      size += annotations.name(i).length() + annotations.value(i).toString().length();
    }
    return size;
  }
}
