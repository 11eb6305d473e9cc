package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What is wrong with the variables of a container, and with where they come from. */
final class EnvironmentValidation {
  private static final String BAD_NAME =
      "a valid environment variable name must consist only of printable ASCII characters other than"
          + " '='";
  private static final String BAD_KEY =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
          + " 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is"
          + " '[-._a-zA-Z0-9]+')";
  private static final int LONGEST_KEY = 253;
  private static final List<String> FIELDS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  /** What older clients may name; not all of it can be read. */
  private static final Set<String> KNOWN_FIELDS =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.serviceAccountName",
          "spec.schedulerName",
          "spec.host",
          "status.phase",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  private static final List<String> RESOURCES =
      List.of(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");
  private static final Set<String> CPU_DIVISORS = Set.of("1m", "1");
  private static final Set<String> DIVISORS =
      Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
  private static final Map<String, String> DIVIDED =
      Map.of("memory", "memory", "ephemeral-storage", "local ephemeral storage");

  private EnvironmentValidation() {}

  static void validate(JsonObject container, FieldPath path, FieldErrorList problems) {
    List<JsonObject> variables = container.array("env").objects();
    for (int i = 0; i < variables.size(); i++) {
      variable(variables.get(i), path.field("env").index(i), problems);
    }
    List<JsonObject> sources = container.array("envFrom").objects();
    for (int i = 0; i < sources.size(); i++) {
      all(sources.get(i), path.field("envFrom"), i, problems);
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
    int sources = 0;
    for (String kind :
        List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")) {
      if (from.has(kind)) {
        sources++;
        source(kind, from.object(kind), place.field(kind), problems);
      }
    }
    if (sources == 0) {
      problems.invalid(
          place,
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef`"
              + " or `fileKeyRef`");
    } else if (!variable.text("value", "").isEmpty()) {
      problems.invalid(place, "", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      problems.invalid(place, "", "may not have more than one field specified at a time");
    }
  }

  private static void source(
      String kind, JsonObject source, FieldPath at, FieldErrorList problems) {
    switch (kind) {
      case "fieldRef" -> field(source, FIELDS, at, problems);
      case "resourceFieldRef" -> resource(source, false, at, problems);
      case "configMapKeyRef", "secretKeyRef" -> {
        String name = source.text("name", "");
        problems.invalid(at.field("name"), name, NameRules.dns1123Subdomain(name));
        if (problems.present(source, "key", at)) {
          key(source.text("key", ""), at.field("key"), problems);
        }
      }
      default -> {
        if (problems.present(source, "key", at)) {
          name(source.text("key", ""), at.field("key"), problems);
        }
        if (problems.present(source, "volumeName", at)) {
          String volume = source.text("volumeName", "");
          problems.invalid(at.field("volumeName"), volume, NameRules.dns1123Label(volume));
        }
        if (problems.present(source, "path", at)) {
          problems.notBackwards(source.text("path", ""), at.field("path"));
        }
      }
    }
  }

  private static void name(String name, FieldPath at, FieldErrorList problems) {
    if (name.contains("=") || !name.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
      problems.invalid(at, name, BAD_NAME);
    }
  }

  private static void key(String key, FieldPath at, FieldErrorList problems) {
    if (key.length() > LONGEST_KEY) {
      problems.invalid(at, key, "must be no more than " + LONGEST_KEY + " characters");
    }
    if (!key.matches("[-._a-zA-Z0-9]+")) {
      problems.invalid(at, key, BAD_KEY);
    }
    if (key.equals(".") || key.equals("..")) {
      problems.invalid(at, key, "must not be '" + key + "'");
    } else if (key.startsWith("..")) {
      problems.invalid(at, key, "must not start with '..'");
    }
  }

  /** A field of the pod, which is one of a few, or one of its labels or annotations. */
  static void field(
      JsonObject reference, List<String> allowed, FieldPath at, FieldErrorList problems) {
    if (!problems.present(reference, "apiVersion", at)
        || !problems.present(reference, "fieldPath", at)) {
      return;
    }
    String path = reference.text("fieldPath", "");
    String version = reference.text("apiVersion", "");
    int bracket = path.endsWith("']") ? path.indexOf("['") : -1;
    if (!version.equals("v1")) {
      conversion(path, "unsupported pod version: " + version, at, problems);
    } else if (bracket > 0) {
      String key = path.substring(bracket + 2, Math.max(bracket + 2, path.length() - 2));
      switch (path.substring(0, bracket)) {
        case "metadata.annotations" ->
            problems.invalid(
                at,
                key.toLowerCase(Locale.ROOT),
                NameRules.qualifiedName(key.toLowerCase(Locale.ROOT)));
        case "metadata.labels" -> problems.invalid(at, key, NameRules.qualifiedName(key));
        default ->
            conversion(path, "field label does not support subscript: " + path, at, problems);
      }
    } else if (!KNOWN_FIELDS.contains(path)) {
      conversion(path, "field label not supported: " + path, at, problems);
    } else if (!allowed.contains(path.equals("spec.host") ? "spec.nodeName" : path)) {
      problems.addAll(
          List.of(FieldError.notSupported(at.field("fieldPath").toString(), path, allowed)));
    }
  }

  private static void conversion(String path, String why, FieldPath at, FieldErrorList problems) {
    problems.invalid(at.field("fieldPath"), path, "error converting fieldPath: " + why);
  }

  /** A resource of a container; in a volume it is to be said of which one. */
  static void resource(
      JsonObject reference, boolean inVolume, FieldPath at, FieldErrorList problems) {
    String resource = reference.text("resource", "");
    if (inVolume && reference.text("containerName", "").isEmpty()) {
      problems.required(at.field("containerName"), "");
    } else if (problems.present(reference, "resource", at) && !isHugePages(resource)) {
      problems.oneOf(at.field("resource"), resource, RESOURCES);
    }
    Object divisor = reference.get("divisor");
    if (divisor == null || Quantity.fromTree(divisor).isZero()) {
      return;
    }
    String unit = Quantity.fromTree(divisor).toString();
    String divided = resource.replaceFirst("^(limits|requests)\\.", "");
    if (resource.equals("limits.cpu") || resource.equals("requests.cpu")) {
      if (!CPU_DIVISORS.contains(unit)) {
        problems.invalid(
            at.field("divisor"),
            resource,
            "only divisor's values 1m and 1 are supported with the cpu resource");
      }
    } else if (RESOURCES.contains(resource) || isHugePages(resource)) {
      if (!DIVISORS.contains(unit)) {
        problems.invalid(
            at.field("divisor"),
            resource,
            "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are"
                + " supported with the %s resource"
                    .formatted(DIVIDED.getOrDefault(divided, "hugepages")));
      }
    }
  }

  private static boolean isHugePages(String resource) {
    return resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
  }

  private static void all(JsonObject source, FieldPath path, int index, FieldErrorList problems) {
    FieldPath at = path.index(index);
    String prefix = source.text("prefix", "");
    if (!prefix.isEmpty()) {
      name(prefix, at.field("prefix"), problems);
    }
    int sources = 0;
    for (String kind : List.of("configMapRef", "secretRef")) {
      if (source.has(kind)) {
        sources++;
        JsonObject reference = source.object(kind);
        if (problems.present(reference, "name", at.field(kind))) {
          String name = reference.text("name", "");
          problems.invalid(
              at.field(kind).field("name"), name, NameRules.dns1123SubdomainPrefix(name));
        }
      }
    }
    if (sources == 0) {
      problems.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
    } else if (sources > 1) {
      problems.invalid(path, "", "may not have more than one field specified at a time");
    }
  }
}
