package dev.berth.kinds.flowcontrol;

import static java.util.Objects.requireNonNull;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One rule of a flow schema: whose requests, and for what. */
final class PolicyRuleValidation {
  private static final String ALL = "*";
  private static final List<String> VERBS =
      List.of(
          "create",
          "delete",
          "deletecollection",
          "get",
          "list",
          "patch",
          "proxy",
          "update",
          "watch");

  /** The kinds of subjects, each with the field that says which one. */
  private static final Map<String, String> SUBJECTS =
      Map.of("ServiceAccount", "serviceAccount", "User", "user", "Group", "group");

  private static final List<String> SUBJECT_ORDER = List.of("ServiceAccount", "User", "Group");

  private PolicyRuleValidation() {}

  static void validate(FieldPath path, JsonObject rule, List<FieldError> errors) {
    List<JsonObject> subjects = rule.array("subjects").objects();
    if (subjects.isEmpty()) {
      required(path.field("subjects"), "subjects must contain at least one value", errors);
    }
    for (int i = 0; i < subjects.size(); i++) {
      subject(path.field("subjects").index(i), subjects.get(i), errors);
    }
    List<JsonObject> resources = rule.array("resourceRules").objects();
    List<JsonObject> others = rule.array("nonResourceRules").objects();
    if (resources.isEmpty() && others.isEmpty()) {
      required(
          path, "at least one of resourceRules and nonResourceRules has to be non-empty", errors);
    }
    for (int i = 0; i < resources.size(); i++) {
      resourceRule(path.field("resourceRules").index(i), resources.get(i), errors);
    }
    for (int i = 0; i < others.size(); i++) {
      nonResourceRule(path.field("nonResourceRules").index(i), others.get(i), errors);
    }
  }

  private static void subject(FieldPath path, JsonObject subject, List<FieldError> errors) {
    String kind = subject.text("kind", "");
    String own = SUBJECTS.get(kind);
    if (own == null) {
      errors.add(
          FieldError.notSupported(
              path.field("kind").toString(), kind, SUBJECTS.keySet().stream().sorted().toList()));
      return;
    }
    if (subject.has(own)) {
      named(path.field(own), kind, subject.object(own), errors);
    } else {
      required(
          path.field(own), "%s is required when subject kind is '%s'".formatted(own, kind), errors);
    }
    for (String other : SUBJECT_ORDER) {
      String field = requireNonNull(SUBJECTS.get(other));
      if (!other.equals(kind) && subject.has(field)) {
        errors.add(
            FieldError.forbidden(
                path.field(field).toString(),
                "%s is forbidden when subject kind is not '%s'".formatted(field, other)));
      }
    }
  }

  private static void named(
      FieldPath path, String kind, JsonObject subject, List<FieldError> errors) {
    String name = subject.text("name", "");
    if (name.isEmpty()) {
      required(path.field("name"), "", errors);
    }
    if (!kind.equals("ServiceAccount")) {
      return;
    }
    if (!name.isEmpty() && !name.equals(ALL)) {
      NameRules.dns1123Subdomain(name)
          .forEach(problem -> invalid(path.field("name"), name, problem, errors));
    }
    String namespace = subject.text("namespace", "");
    if (namespace.isEmpty()) {
      required(path.field("namespace"), "must specify namespace for service account", errors);
    } else {
      NameRules.dns1123Label(namespace)
          .forEach(problem -> invalid(path.field("namespace"), namespace, problem, errors));
    }
  }

  private static void resourceRule(FieldPath path, JsonObject rule, List<FieldError> errors) {
    verbs(path.field("verbs"), rule.array("verbs"), errors);
    listed(path, rule, "apiGroups", "api group", "api groups", errors);
    listed(path, rule, "resources", "resource", "resources", errors);
    JsonArray namespaces = rule.array("namespaces");
    FieldPath at = path.field("namespaces");
    if (namespaces.isEmpty() && !rule.flag("clusterScope", false)) {
      required(
          at,
          "resource rules that are not cluster scoped must supply at least one namespace",
          errors);
    } else if (namespaces.texts().contains(ALL)) {
      alone(at, namespaces, "namespaces", errors);
    } else {
      for (int i = 0; i < namespaces.size(); i++) {
        FieldPath one = at.index(i);
        String namespace = namespaces.texts().get(i);
        NameRules.dns1123Label(namespace)
            .forEach(problem ->
                invalid(
                    one,
                    namespace,
                    "each member of this list must be '*' or a DNS-1123 label; " + problem,
                    errors));
      }
    }
  }

  private static void listed(
      FieldPath path,
      JsonObject rule,
      String field,
      String one,
      String several,
      List<FieldError> errors) {
    JsonArray values = rule.array(field);
    if (values.isEmpty()) {
      required(path.field(field), "resource rules must supply at least one " + one, errors);
    } else if (values.texts().contains(ALL)) {
      alone(path.field(field), values, several, errors);
    }
  }

  private static void verbs(FieldPath path, JsonArray verbs, List<FieldError> errors) {
    if (verbs.isEmpty()) {
      required(path, "verbs must contain at least one value", errors);
    } else if (verbs.texts().contains(ALL)) {
      alone(path, verbs, "verbs", errors);
    } else if (!VERBS.containsAll(verbs.texts())) {
      errors.add(FieldError.notSupported(path.toString(), verbs, VERBS));
    }
  }

  private static void nonResourceRule(FieldPath path, JsonObject rule, List<FieldError> errors) {
    verbs(path.field("verbs"), rule.array("verbs"), errors);
    JsonArray urls = rule.array("nonResourceURLs");
    FieldPath at = path.field("nonResourceURLs");
    if (urls.isEmpty()) {
      required(at, "nonResourceURLs must contain at least one value", errors);
    } else if (urls.texts().contains(ALL)) {
      alone(at, urls, "non-resource URLs", errors);
    } else {
      for (int i = 0; i < urls.size(); i++) {
        String url = urls.texts().get(i);
        String problem = urlProblem(url);
        if (problem != null) {
          invalid(at.index(i), url, problem, errors);
        }
      }
    }
  }

  private static @Nullable String urlProblem(String url) {
    if (url.isEmpty()) {
      return "must not be empty";
    }
    if (!url.startsWith("/")) {
      return "must start with slash";
    }
    if (url.contains(" ")) {
      return "must not contain white-space";
    }
    if (url.contains("//")) {
      return "must not contain double slash";
    }
    int wildcard = url.indexOf('*');
    return wildcard < 0 || (wildcard == url.length() - 1 && url.endsWith("/*"))
        ? null
        : "wildcard can only do suffix matching";
  }

  private static void alone(
      FieldPath path, JsonArray values, String others, List<FieldError> errors) {
    if (values.size() > 1) {
      invalid(path, values, "if '*' is present, must not specify other " + others, errors);
    }
  }

  private static void required(FieldPath path, String detail, List<FieldError> errors) {
    errors.add(FieldError.required(path.toString(), detail));
  }

  private static void invalid(
      FieldPath path, Object value, String problem, List<FieldError> errors) {
    errors.add(FieldError.invalid(path.toString(), value, problem));
  }
}
