package dev.berth.kinds.resource;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is wrong with the metadata that every object has. Upstream looks at them several times, by
 * the rules of the kind, by those of all kinds, and as a change of what they were; {@link
 * UpdateSteps} says which kind does what, since all that is wrong is told as often.
 */
public final class MetadataValidation {
  public static final String ORPHAN = "orphan";
  public static final String FOREGROUND_DELETION = "foregroundDeletion";

  private static final Set<String> STANDARD_FINALIZERS =
      Set.of("kubernetes", ORPHAN, FOREGROUND_DELETION);

  private static final String IMMUTABLE = "field is immutable";

  private static final int ANNOTATIONS_LIMIT = 256 * 1024;

  private final List<FieldError> errors = new ArrayList<>();

  private MetadataValidation() {}

  private static final List<String> VALIDATED =
      List.of(
          "name",
          "namespace",
          "generateName",
          "labels",
          "annotations",
          "ownerReferences",
          "finalizers",
          "uid",
          "deletionTimestamp",
          "deletionGracePeriodSeconds");

  /** Whether all that is looked at here is as it was, and so was found to be right before. */
  public static boolean isSame(JsonObject object, JsonObject old) {
    JsonObject after = object.object("metadata");
    JsonObject before = old.object("metadata");
    for (String field : VALIDATED) {
      if (!Objects.equals(after.get(field), before.get(field))) {
        return false;
      }
    }
    return true;
  }

  /** By the rules of the kind, of which names are one. */
  public static List<FieldError> validate(Resource resource, JsonObject object) {
    return validate(resource, object, resource::nameProblems, !resource.takesAnyFinalizer());
  }

  /** By the rules of all kinds: a name is a segment of a path, at least. */
  public static List<FieldError> validateCommon(Resource resource, JsonObject object) {
    return validate(resource, object, NameRules::pathSegment, false);
  }

  private static List<FieldError> validate(
      Resource resource,
      JsonObject object,
      Function<String, List<String>> nameRule,
      boolean standardFinalizers) {
    MetadataValidation validation = new MetadataValidation();
    Metadata metadata = Metadata.of(object);
    validation.names(resource, metadata, nameRule);
    validation.labels(metadata.labels());
    validation.annotations(metadata.annotations());
    validation.owners(metadata.ownerReferences());
    validation.finalizers(metadata.finalizers());
    if (standardFinalizers) {
      validation.standardFinalizers(metadata.finalizers());
    }
    return List.copyOf(validation.errors);
  }

  /** What is wrong with the metadata of an object inside of another, whose kind is anything. */
  public static List<FieldError> validateEmbedded(JsonObject metadata, FieldPath at) {
    MetadataValidation validation = new MetadataValidation();
    Metadata read = Metadata.of(JsonObject.of("metadata", metadata));
    for (String field : List.of("name", "generateName")) {
      String name = metadata.text(field, "");
      NameRules.pathSegment(name)
          .forEach(problem -> validation.invalid("metadata." + field, name, problem));
    }
    if (!read.namespace().isEmpty()) {
      NameRules.dns1123Label(read.namespace())
          .forEach(p -> validation.invalid("metadata.namespace", read.namespace(), p));
    }
    validation.labels(read.labels());
    validation.annotations(read.annotations());
    validation.owners(read.ownerReferences());
    validation.finalizers(read.finalizers());
    String prefix = at.toString();
    return validation.errors.stream()
        .map(error ->
            new FieldError(
                error.reason(),
                prefix + error.field().substring("metadata".length()),
                error.value(),
                error.detail()))
        .toList();
  }

  /** What is wrong with a change of metadata, as the rules of all kinds see it. */
  public static List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    return validateUpdate(object, old, false);
  }

  /** The same, as the rules of a kind see it. */
  public static List<FieldError> validateUpdate(
      Resource resource, JsonObject object, JsonObject old) {
    return validateUpdate(object, old, !resource.takesAnyFinalizer());
  }

  private static List<FieldError> validateUpdate(
      JsonObject object, JsonObject old, boolean standardFinalizers) {
    MetadataValidation validation = new MetadataValidation();
    Metadata before = Metadata.of(old);
    Metadata after = Metadata.of(object);
    Set<String> known = new HashSet<>(before.finalizers());
    List<String> added = after.finalizers().stream().filter(f -> !known.contains(f)).toList();
    if (before.isBeingDeleted() && !added.isEmpty()) {
      validation.errors.add(
          FieldError.forbidden(
              "metadata.finalizers",
              "no new finalizers can be added if the object is being deleted, found new"
                  + " finalizers "
                  + goStrings(added)));
    }
    if (!after.name().equals(before.name())) {
      validation.invalid("metadata.name", after.name(), IMMUTABLE);
    }
    if (!after.namespace().equals(before.namespace())) {
      validation.invalid("metadata.namespace", after.namespace(), IMMUTABLE);
    }
    validation.same("uid", object, old);
    validation.same("deletionTimestamp", object, old);
    validation.same("deletionGracePeriodSeconds", object, old);
    validation.labels(after.labels());
    validation.annotations(after.annotations());
    validation.owners(after.ownerReferences());
    if (standardFinalizers) {
      validation.standardFinalizers(after.finalizers());
    }
    return List.copyOf(validation.errors);
  }

  /** As Go shows a list of texts. */
  private static String goStrings(List<String> texts) {
    return texts.stream()
        .map(JsonWriter::toText)
        .collect(Collectors.joining(", ", "[]string{", "}"));
  }

  private void same(String field, JsonObject object, JsonObject old) {
    Object value = object.object("metadata").get(field);
    if (value != null && !value.equals(old.object("metadata").get(field))) {
      errors.add(FieldError.invalid("metadata." + field, value, IMMUTABLE));
    }
  }

  private void names(
      Resource resource, Metadata metadata, Function<String, List<String>> nameRule) {
    // What the server will append is of letters and digits, so a dash may stand before it.
    String generated = metadata.generateName();
    String stem =
        generated.endsWith("-") ? generated.substring(0, generated.length() - 1) + "a" : generated;
    if (!stem.isEmpty()) {
      nameRule.apply(stem).forEach(p -> invalid("metadata.generateName", generated, p));
    }
    String name = metadata.name();
    if (name.isEmpty()) {
      errors.add(FieldError.required("metadata.name", "name or generateName is required"));
    } else {
      nameRule.apply(name).forEach(p -> invalid("metadata.name", name, p));
    }
    if (!resource.isNamespaced() && !metadata.namespace().isEmpty()) {
      errors.add(FieldError.forbidden("metadata.namespace", "not allowed on this type"));
    } else if (resource.isNamespaced()) {
      NameRules.dns1123Label(metadata.namespace())
          .forEach(p -> invalid("metadata.namespace", metadata.namespace(), p));
    }
  }

  private void labels(JsonObject labels) {
    for (int i = 0; i < labels.size(); i++) {
      String key = labels.name(i);
      String value = labels.text(key, "");
      NameRules.qualifiedName(key).forEach(p -> invalid("metadata.labels", key, p));
      NameRules.labelValue(value).forEach(p -> invalid("metadata.labels", value, p));
    }
  }

  private void annotations(JsonObject annotations) {
    long bytes = 0;
    for (int i = 0; i < annotations.size(); i++) {
      String key = annotations.name(i);
      // Older objects have keys in upper case, which were let in.
      NameRules.qualifiedName(key.toLowerCase(Locale.ROOT))
          .forEach(p -> invalid("metadata.annotations", key, p));
      bytes += length(key) + length(annotations.text(key, ""));
    }
    if (bytes > ANNOTATIONS_LIMIT) {
      errors.add(
          new FieldError(
              FieldError.Reason.TOO_LONG,
              "metadata.annotations",
              null,
              "may not be more than " + ANNOTATIONS_LIMIT + " bytes"));
    }
  }

  private static long length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private void owners(List<OwnerReference> owners) {
    String field = "metadata.ownerReferences";
    String controller = "";
    for (OwnerReference owner : owners) {
      try {
        GroupVersion.parse(owner.apiVersion());
      } catch (IllegalArgumentException _) {
        invalid(field + ".apiVersion", owner.apiVersion(), "version must not be empty");
      }
      notEmpty(field + ".kind", owner.kind());
      notEmpty(field + ".name", owner.name());
      notEmpty(field + ".uid", owner.uid());
      if (owner.apiVersion().equals("v1") && owner.kind().equals("Event")) {
        errors.add(
            FieldError.invalid(
                field, owner.toTree(), "/v1, Kind=Event is disallowed from being an owner"));
      }
      if (owner.controller() && controller.isEmpty()) {
        controller = owner.kind() + "/" + owner.name();
      } else if (owner.controller()) {
        errors.add(
            FieldError.invalid(
                field,
                JsonArray.copyOf(owners.stream().map(OwnerReference::toTree).toList()),
                "Only one reference can have Controller set to true. Found \"true\" in references"
                    + " for %s and %s".formatted(controller, owner.kind() + "/" + owner.name())));
      }
    }
  }

  private void notEmpty(String field, String value) {
    if (value.isEmpty()) {
      invalid(field, value, "must not be empty");
    }
  }

  private void finalizers(List<String> finalizers) {
    for (String finalizer : finalizers) {
      NameRules.qualifiedName(finalizer).forEach(p -> invalid("metadata.finalizers", finalizer, p));
    }
    if (finalizers.contains(ORPHAN) && finalizers.contains(FOREGROUND_DELETION)) {
      errors.add(
          FieldError.invalid(
              "metadata.finalizers",
              JsonArray.copyOf(finalizers),
              "finalizer " + ORPHAN + " and " + FOREGROUND_DELETION + " cannot be both set"));
    }
  }

  private void standardFinalizers(List<String> finalizers) {
    for (int i = 0; i < finalizers.size(); i++) {
      String finalizer = finalizers.get(i);
      if (finalizer.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(finalizer)) {
        invalid(
            "metadata.finalizers[" + i + "]",
            finalizer,
            "name is neither a standard finalizer name nor is it fully qualified");
      }
    }
  }

  /** More than are shown are not kept: there may be as many as there are labels. */
  private void invalid(String field, String value, String problem) {
    if (errors.size() <= FieldError.MOST_SHOWN) {
      errors.add(FieldError.invalid(field, value, problem));
    }
  }
}
