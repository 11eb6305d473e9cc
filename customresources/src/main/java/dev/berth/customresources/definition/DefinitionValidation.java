package dev.berth.customresources.definition;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a definition. Upstream's errors name fields as its internal form has them,
 * where what all versions have in common stands beside them: a schema that is the same in all
 * versions is {@code spec.validation}.
 */
final class DefinitionValidation {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> SCOPES = List.of("Cluster", "Namespaced");
  private static final int LONGEST_WARNING = 256;

  private final FieldErrorList errors = new FieldErrorList();
  private final DefinitionView definition;
  private final @Nullable DefinitionView old;

  private DefinitionValidation(JsonObject definition, @Nullable JsonObject old) {
    this.definition = new DefinitionView(definition);
    this.old = old == null ? null : new DefinitionView(old);
  }

  static List<FieldError> ofNew(JsonObject definition) {
    DefinitionValidation validation = new DefinitionValidation(definition, null);
    validation.name();
    validation.spec();
    validation.rest(null);
    return validation.errors.all();
  }

  static List<FieldError> ofUpdate(JsonObject definition, JsonObject old) {
    DefinitionValidation validation = new DefinitionValidation(definition, old);
    validation.spec();
    validation.unchanged(definition, old);
    validation.rest(old);
    return validation.errors.all();
  }

  static List<FieldError> ofStatus(JsonObject definition) {
    DefinitionValidation validation = new DefinitionValidation(definition, null);
    validation.names(
        validation.definition.acceptedNames(), FieldPath.of("status", "acceptedNames"));
    return validation.errors.all();
  }

  private void rest(@Nullable JsonObject before) {
    names(definition.acceptedNames(), FieldPath.of("status", "acceptedNames"));
    storedVersions();
    errors.addAll(ApiApproval.validate(definition.tree(), before));
    boolean preserved = before != null && new DefinitionView(before).preservesUnknownFields();
    if (definition.preservesUnknownFields() && !preserved) {
      errors.invalid(
          SPEC.field("preserveUnknownFields"),
          true,
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  private void name() {
    String name = definition.name();
    String required = definition.names().text("plural", "") + "." + definition.group();
    if (!name.isEmpty() && !name.equals(required)) {
      errors.invalid(
          FieldPath.of("metadata", "name"), name, "must be spec.names.plural+\".\"+spec.group");
    }
  }

  private void unchanged(JsonObject after, JsonObject before) {
    boolean established = new DefinitionView(before).isTrue(DefinitionView.ESTABLISHED);
    if (established) {
      errors.addAll(FieldRules.immutable(SPEC.field("scope"), after, before));
      errors.addAll(FieldRules.immutable(SPEC.field("names").field("kind"), after, before));
    }
    errors.addAll(FieldRules.immutable(SPEC.field("group"), after, before));
    errors.addAll(FieldRules.immutable(SPEC.field("names").field("plural"), after, before));
  }

  private void spec() {
    JsonObject spec = definition.spec();
    group(spec.text("group", ""));
    String scope = spec.text("scope", "");
    if (scope.isEmpty()) {
      errors.required(SPEC.field("scope"), "");
    } else {
      errors.oneOf(SPEC.field("scope"), scope, SCOPES);
    }
    List<JsonObject> versions = definition.versions();
    Shared shared = Shared.of(versions);
    FieldPath all = SPEC.field("versions");
    for (int i = 0; i < versions.size(); i++) {
      if (!versions.get(i).object("schema").has("openAPIV3Schema")) {
        errors.required(all.index(i).field("schema").field("openAPIV3Schema"), "");
      }
    }
    versions(versions, shared, all);
    FieldPath names = SPEC.field("names");
    for (String field : List.of("plural", "singular", "kind", "listKind")) {
      errors.present(definition.names(), field, names);
    }
    names(definition.names(), names);
    if (shared.schema && !versions.isEmpty()) {
      schema(versions.getFirst(), anyStatus(versions), SPEC.field("validation"));
    }
    if (shared.subresources && !versions.isEmpty()) {
      subresources(versions.getFirst().object("subresources"), SPEC.field("subresources"));
    }
    if (shared.columns && !versions.isEmpty()) {
      columns(versions.getFirst(), SPEC);
    }
    if (shared.selectable && !versions.isEmpty()) {
      selectable(versions.getFirst(), SPEC);
    }
    errors.addAll(
        ConversionValidation.validate(
            spec.object("conversion"),
            SPEC.field("conversion"),
            old == null || !old.isTrue(DefinitionView.ESTABLISHED)));
  }

  /** What all versions have in common, which upstream keeps beside them. */
  private record Shared(boolean schema, boolean subresources, boolean columns, boolean selectable) {
    static Shared of(List<JsonObject> versions) {
      return new Shared(
          same(versions, "schema"),
          same(versions, "subresources"),
          same(versions, "additionalPrinterColumns"),
          same(versions, "selectableFields"));
    }

    /** The versions as messages show them: without what they share, which moves out of them. */
    Object shown(List<JsonObject> versions) {
      List<JsonObject> own = new ArrayList<>();
      for (JsonObject version : versions) {
        JsonObject left = schema ? version.without("schema") : version;
        left = subresources ? left.without("subresources") : left;
        left = columns ? left.without("additionalPrinterColumns") : left;
        own.add(selectable ? left.without("selectableFields") : left);
      }
      return InternalForm.listOf("CustomResourceDefinitionVersion", JsonArray.copyOf(own));
    }

    private static boolean same(List<JsonObject> versions, String field) {
      return versions.stream().map(version -> String.valueOf(version.get(field))).distinct().count()
          <= 1;
    }
  }

  private void group(String group) {
    List<String> problems = NameRules.dns1123Subdomain(group);
    if (group.isEmpty()) {
      errors.required(SPEC.field("group"), "");
    } else if (!problems.isEmpty()) {
      errors.invalid(SPEC.field("group"), group, String.join(",", problems));
    } else if (group.indexOf('.') < 0) {
      errors.invalid(SPEC.field("group"), group, "should be a domain with at least one dot");
    }
  }

  private void versions(List<JsonObject> versions, Shared shared, FieldPath all) {
    Set<String> seen = new HashSet<>();
    boolean unique = true;
    int storages = 0;
    for (int i = 0; i < versions.size(); i++) {
      JsonObject version = versions.get(i);
      FieldPath at = all.index(i);
      String name = version.text("name", "");
      storages += version.flag("storage", false) ? 1 : 0;
      unique &= seen.add(name);
      label(name, at.field("name"), "");
      version(version, shared, at);
    }
    Object shown = shared.shown(versions);
    if (!unique) {
      errors.invalid(all, shown, "must contain unique version names");
    }
    if (storages != 1) {
      errors.invalid(all, shown, "must have exactly one version marked as storage version");
    }
    // The first version's name once was a field of its own, which upstream still looks at.
    String first = versions.isEmpty() ? "" : versions.getFirst().text("name", "");
    if (!first.isEmpty()) {
      label(first, SPEC.field("version"), "");
    }
  }

  private void version(JsonObject version, Shared shared, FieldPath at) {
    deprecation(version, at.field("deprecationWarning"));
    if (!shared.schema) {
      schema(version, version.object("subresources").has("status"), at.field("schema"));
    }
    if (!shared.subresources) {
      subresources(version.object("subresources"), at.field("subresources"));
    }
    if (!shared.columns) {
      columns(version, at);
    }
    if (!shared.selectable) {
      selectable(version, at);
    }
  }

  private static boolean anyStatus(List<JsonObject> versions) {
    return versions.stream().anyMatch(v -> v.object("subresources").has("status"));
  }

  private void deprecation(JsonObject version, FieldPath at) {
    String warning = version.text("deprecationWarning");
    if (warning == null) {
      return;
    }
    if (!version.flag("deprecated", false)) {
      errors.invalid(at, warning, "can only be set for deprecated versions");
      return;
    }
    if (warning.length() > LONGEST_WARNING) {
      errors.invalid(at, warning, "must be <= 256 characters long");
    }
    if (warning.isEmpty()) {
      errors.invalid(at, warning, "must not be an empty string");
    }
    for (int i = 0; i < warning.length(); i++) {
      if (Character.isISOControl(warning.charAt(i))) {
        errors.invalid(
            at,
            warning,
            "must only contain printable UTF-8 characters; non-printable character found at index "
                + i);
        return;
      }
    }
  }

  private void schema(JsonObject version, boolean hasStatus, FieldPath at) {
    if (version.object("schema").get("openAPIV3Schema") instanceof JsonObject schema) {
      errors.addAll(
          SchemaValidation.validate(
              schema, hasStatus, at.field("openAPIV3Schema"), before(schema)));
    }
  }

  /** Whether a schema was there already, so that rules that are new do not hold for it. */
  private boolean before(JsonObject schema) {
    return old != null
        && old.versions().stream()
            .anyMatch(v -> schema.equals(v.object("schema").get("openAPIV3Schema")));
  }

  private void columns(JsonObject version, FieldPath at) {
    List<JsonObject> columns = version.array("additionalPrinterColumns").objects();
    for (int i = 0; i < columns.size(); i++) {
      errors.addAll(
          ColumnValidation.column(columns.get(i), at.field("additionalPrinterColumns").index(i)));
    }
  }

  private void subresources(JsonObject subresources, FieldPath at) {
    if (subresources.has("scale")) {
      errors.addAll(ColumnValidation.scale(subresources.object("scale"), at.field("scale")));
    }
  }

  private void selectable(JsonObject version, FieldPath at) {
    JsonArray fields = version.array("selectableFields");
    if (!fields.isEmpty()) {
      errors.addAll(
          ColumnValidation.selectable(
              fields.objects(),
              version.object("schema").object("openAPIV3Schema"),
              at.field("selectableFields")));
    }
  }

  private void label(String text, FieldPath at, String words) {
    List<String> problems =
        text.isEmpty()
            ? List.of(NameRules.dns1035Label("-").getFirst())
            : NameRules.dns1035Label(text);
    if (!problems.isEmpty()) {
      errors.invalid(at, text, words + String.join(",", problems));
    }
  }

  private void names(JsonObject names, FieldPath at) {
    for (String field : List.of("plural", "singular")) {
      String name = names.text(field, "");
      if (!name.isEmpty()) {
        label(name, at.field(field), "");
      }
    }
    for (String field : List.of("kind", "listKind")) {
      String name = names.text(field, "");
      List<String> problems =
          name.isEmpty() ? List.of() : NameRules.dns1035Label(name.toLowerCase(Locale.ROOT));
      if (!problems.isEmpty()) {
        errors.invalid(
            at.field(field),
            name,
            "may have mixed case, but should otherwise match: " + String.join(",", problems));
      }
    }
    each(names, "shortNames", at);
    String kind = names.text("kind", "");
    if (!kind.isEmpty() && kind.equals(names.text("listKind", ""))) {
      errors.invalid(at.field("listKind"), kind, "kind and listKind may not be the same");
    }
    each(names, "categories", at);
  }

  private void each(JsonObject names, String field, FieldPath at) {
    List<String> texts = names.array(field).texts();
    for (int i = 0; i < texts.size(); i++) {
      label(texts.get(i), at.field(field).index(i), "");
    }
  }

  private void storedVersions() {
    FieldPath at = FieldPath.of("status", "storedVersions");
    JsonArray stored = definition.status().array("storedVersions");
    if (stored.isEmpty()) {
      errors.invalid(at, JsonNull.NULL, "must have at least one stored version");
      return;
    }
    List<String> missing = new ArrayList<>(stored.texts());
    for (JsonObject version : definition.versions()) {
      String name = version.text("name", "");
      // A version that stands there twice is found once.
      if (!missing.remove(name) && version.flag("storage", false)) {
        errors.invalid(at, stored, "must have the storage version " + name);
      }
    }
    for (String name : missing) {
      errors.invalid(
          at.index(stored.texts().indexOf(name)),
          name,
          ("missing from spec.versions; %1$s was previously a storage version, and must remain in"
                  + " spec.versions until a storage migration ensures no data remains persisted in"
                  + " %1$s and removes %1$s from status.storedVersions")
              .formatted(name));
    }
  }
}
