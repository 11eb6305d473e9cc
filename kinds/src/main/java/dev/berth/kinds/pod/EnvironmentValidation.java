package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with the variables of a container, and with where they come from. */
final class EnvironmentValidation {
  private static final String BAD_NAME =
      "a valid environment variable name must consist only of printable ASCII characters other than"
          + " '='";
  private static final List<String> SOURCES =
      List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");
  private static final Set<String> FIELDS =
      Set.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  private static final Pattern KEYED_FIELD =
      Pattern.compile("metadata\\.(annotations|labels)\\['.+'\\]");

  private EnvironmentValidation() {}

  static void validate(JsonObject container, FieldPath path, FieldErrorList problems) {
    List<JsonObject> variables = container.array("env").objects();
    for (int i = 0; i < variables.size(); i++) {
      variable(variables.get(i), path.field("env").index(i), problems);
    }
    List<JsonObject> sources = container.array("envFrom").objects();
    for (int i = 0; i < sources.size(); i++) {
      all(sources.get(i), path.field("envFrom").index(i), problems);
    }
  }

  private static void variable(JsonObject variable, FieldPath at, FieldErrorList problems) {
    if (problems.present(variable, "name", at)) {
      name(variable.text("name", ""), at.field("name"), problems);
    }
    if (!variable.has("valueFrom")) {
      return;
    }
    JsonObject from = variable.object("valueFrom");
    FieldPath place = at.field("valueFrom");
    long sources = SOURCES.stream().filter(from::has).count();
    if (sources == 0) {
      problems.invalid(
          place,
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or"
              + " `secretKeyRef`");
    } else if (!variable.text("value", "").isEmpty()) {
      problems.invalid(place, "", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      problems.invalid(place, "", "may not have more than one field specified at a time");
    }
    if (from.has("fieldRef")) {
      field(from.object("fieldRef"), place.field("fieldRef"), problems);
    }
    if (from.has("resourceFieldRef")) {
      problems.present(
          from.object("resourceFieldRef"), "resource", place.field("resourceFieldRef"));
    }
    for (String keyed : List.of("configMapKeyRef", "secretKeyRef")) {
      if (from.has(keyed)) {
        problems.present(from.object(keyed), "name", place.field(keyed));
        problems.present(from.object(keyed), "key", place.field(keyed));
      }
    }
  }

  private static void name(String name, FieldPath at, FieldErrorList problems) {
    if (name.contains("=") || !name.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
      problems.invalid(at, name, BAD_NAME);
    }
  }

  private static void field(JsonObject reference, FieldPath at, FieldErrorList problems) {
    problems.present(reference, "apiVersion", at);
    if (!problems.present(reference, "fieldPath", at)) {
      return;
    }
    String path = reference.text("fieldPath", "");
    if (!FIELDS.contains(path) && !KEYED_FIELD.matcher(path).matches()) {
      problems.addAll(
          List.of(
              FieldError.notSupported(
                  at.field("fieldPath").toString(), path, FIELDS.stream().sorted().toList())));
    }
  }

  private static void all(JsonObject source, FieldPath at, FieldErrorList problems) {
    String prefix = source.text("prefix", "");
    if (!prefix.isEmpty()) {
      name(prefix, at.field("prefix"), problems);
    }
    boolean configMap = source.has("configMapRef");
    boolean secret = source.has("secretRef");
    if (!configMap && !secret) {
      problems.invalid(at, "", "must specify one of: `configMapRef` or `secretRef`");
    } else if (configMap && secret) {
      problems.invalid(at, "", "may not have more than one field specified at a time");
    }
    for (String kind : List.of("configMapRef", "secretRef")) {
      if (source.has(kind)) {
        problems.present(source.object(kind), "name", at.field(kind));
      }
    }
  }
}
