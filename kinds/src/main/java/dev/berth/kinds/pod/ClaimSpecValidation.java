package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is wrong with a claim that is made for a pod, from a template. */
public final class ClaimSpecValidation {
  private static final List<String> MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
  private static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");
  private static final String ONCE_PER_POD = "ReadWriteOncePod";

  private final JsonObject spec;
  private final FieldPath at;
  private final FieldErrorList problems;

  private ClaimSpecValidation(JsonObject spec, FieldPath at, FieldErrorList problems) {
    this.spec = spec;
    this.at = at;
    this.problems = problems;
  }

  public static void validate(JsonObject spec, FieldPath at, FieldErrorList problems) {
    new ClaimSpecValidation(spec, at, problems).validate();
  }

  /** A template in a pod, of whose metadata only labels and annotations are used. */
  static void template(JsonObject template, FieldPath at, FieldErrorList problems) {
    templateMetadata(template.object("metadata"), at.field("metadata"), problems);
    validate(template.object("spec"), at.field("spec"), problems);
  }

  /** The metadata of a template of claims; upstream knows their fields by its own names. */
  public static void templateMetadata(
      JsonObject metadata, FieldPath place, FieldErrorList problems) {
    for (String key : metadata.object("annotations").names()) {
      problems.invalid(
          place.field("annotations"), key, NameRules.qualifiedName(key.toLowerCase(Locale.ROOT)));
    }
    problems.labels(metadata.object("labels"), place.field("labels"));
    for (String field : metadata.names()) {
      if (!field.equals("labels") && !field.equals("annotations") && isSet(metadata.get(field))) {
        problems.forbidden(place.field(field.equals("uid") ? "uID" : field), "cannot be set");
      }
    }
  }

  private static boolean isSet(@Nullable Object value) {
    return !(value instanceof String text && text.isEmpty())
        && !(value instanceof Long number && number == 0)
        && !(value instanceof JsonNull);
  }

  private void validate() {
    List<String> modes = spec.array("accessModes").texts();
    if (modes.isEmpty()) {
      problems.required(at.field("accessModes"), "at least 1 access mode is required");
    }
    problems.addAll(
        LabelSelectorForm.validate(spec.object("selector"), at.field("selector").toString()));
    modes.forEach(mode -> problems.oneOf(at.field("accessModes"), mode, MODES));
    boolean others = modes.stream().anyMatch(m -> MODES.contains(m) && !m.equals(ONCE_PER_POD));
    if (modes.contains(ONCE_PER_POD) && others) {
      problems.forbidden(
          at.field("accessModes"), "may not use ReadWriteOncePod with other access modes");
    }
    FieldPath storage = at.field("resources").key("storage");
    Object amount = spec.object("resources").object("requests").get("storage");
    if (amount == null) {
      problems.required(storage, "");
    } else if (Quantity.fromTree(amount).signum() <= 0) {
      problems.invalid(storage, Quantity.fromTree(amount).toString(), "must be greater than zero");
    }
    className("storageClassName");
    if (spec.has("volumeMode")) {
      problems.oneOf(at.field("volumeMode"), spec.text("volumeMode", ""), VOLUME_MODES);
    }
    sources();
    className("volumeAttributesClassName");
  }

  private void className(String field) {
    String name = spec.text(field, "");
    if (!name.isEmpty()) {
      problems.invalid(at.field(field), name, NameRules.dns1123Subdomain(name));
    }
  }

  private void sources() {
    JsonObject source = spec.object("dataSource");
    JsonObject reference = spec.object("dataSourceRef");
    for (String field : List.of("dataSource", "dataSourceRef")) {
      if (spec.has(field)) {
        source(spec.object(field), at.field(field));
      }
    }
    String namespace = reference.text("namespace", "");
    if (!namespace.isEmpty()) {
      problems.invalid(
          at.field("dataSourceRef").field("namespace"),
          namespace,
          NameRules.dns1123Label(namespace));
    }
    if (!spec.has("dataSource") || !spec.has("dataSourceRef")) {
      return;
    }
    if (!namespace.isEmpty()) {
      problems.invalid(
          at, JsonObject.EMPTY, "may not be specified when dataSourceRef.namespace is specified");
    } else if (!same(source, reference)) {
      problems.invalid(at, JsonObject.EMPTY, "must match dataSourceRef");
    }
  }

  private static boolean same(JsonObject source, JsonObject reference) {
    return List.of("apiGroup", "kind", "name").stream()
        .allMatch(field -> Objects.equals(source.get(field), reference.get(field)));
  }

  private void source(JsonObject source, FieldPath place) {
    problems.present(source, "name", place);
    problems.present(source, "kind", place);
    String group = source.text("apiGroup", "");
    String kind = source.text("kind", "");
    if (group.isEmpty() && !kind.equals("PersistentVolumeClaim")) {
      problems.invalid(
          place, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    if (!group.isEmpty()) {
      problems.invalid(place.field("apiGroup"), group, NameRules.dns1123Subdomain(group));
    }
  }
}
