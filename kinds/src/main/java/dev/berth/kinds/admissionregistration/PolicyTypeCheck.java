package dev.berth.kinds.admissionregistration;

import dev.berth.cel.CelCompilation;
import dev.berth.cel.schema.SchemaType;
import dev.berth.cel.schema.SchemaTypes;
import dev.berth.cel.value.CelType;
import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks whether the rules of a policy fit the kinds that it is about: {@code object} is a value of
 * any type to the rules themselves. What does not fit is a warning in the policy's status.
 *
 * <p>At most ten kinds of each rule are looked at, and none where a rule has a {@code *}.
 */
public final class PolicyTypeCheck {
  private static final int MOST_KINDS = 10;
  private static final String FAILED = "compilation failed: ";

  private final Catalog catalog;
  private final BuiltInTypes types;

  public PolicyTypeCheck(Catalog catalog, Schemas schemas) {
    this.catalog = catalog;
    this.types = new BuiltInTypes(schemas);
  }

  /** The warnings about a ValidatingAdmissionPolicy. */
  public List<JsonObject> check(JsonObject policy) {
    JsonObject spec = policy.object("spec");
    Set<GroupVersionKind> kinds = kinds(spec);
    List<JsonObject> warnings = new ArrayList<>();
    List<JsonObject> validations = spec.array("validations").objects();
    for (int i = 0; i < validations.size(); i++) {
      for (String field : List.of("expression", "messageExpression")) {
        String expression = validations.get(i).text(field, "");
        String warning = expression.isEmpty() ? "" : check(spec, kinds, expression);
        if (!warning.isEmpty()) {
          warnings.add(
              JsonObject.of("fieldRef", "spec.validations[" + i + "]." + field)
                  .with("warning", warning));
        }
      }
    }
    return warnings;
  }

  private String check(JsonObject spec, Set<GroupVersionKind> kinds, String expression) {
    List<String> problems = new ArrayList<>();
    for (GroupVersionKind kind : kinds) {
      Optional<CelType> object = type(kind);
      if (object.isEmpty()) {
        continue;
      }
      PolicyExpressions expressions =
          PolicyExpressions.ofTypes(object.get(), paramType(spec), spec.has("paramKind"));
      for (JsonObject variable : spec.array("variables").objects()) {
        expressions.variable(variable.text("name", ""), variable.text("expression", ""));
      }
      if (expressions.any(expression) instanceof CelCompilation.Failed failed
          && failed.message().startsWith(FAILED)) {
        problems.add(
            "%s/%s, Kind=%s: %s\n"
                .formatted(
                    kind.group(),
                    kind.version(),
                    kind.kind(),
                    failed.message().substring(FAILED.length())));
      }
    }
    return String.join("\n", problems);
  }

  private CelType paramType(JsonObject spec) {
    JsonObject kind = spec.object("paramKind");
    String apiVersion = kind.text("apiVersion", "");
    int slash = apiVersion.indexOf('/');
    String version = apiVersion.substring(slash + 1);
    return version.isEmpty()
        ? CelType.DYN
        : type(new GroupVersionKind(
                slash < 0 ? "" : apiVersion.substring(0, slash), version, kind.text("kind", "")))
            .orElse(CelType.DYN);
  }

  /** The type of a kind that is built in, or that somebody defined. */
  private Optional<CelType> type(GroupVersionKind kind) {
    return types
        .kind(kind)
        .or(() ->
            catalog.resources(kind.groupVersion()).stream()
                .filter(resource -> resource.kind().equals(kind))
                .flatMap(resource -> resource.custom().stream())
                .findFirst()
                .flatMap(custom ->
                    Optional.ofNullable(
                        SchemaTypes.declare(custom.schema().source(), kind.kind(), true)))
                .map(SchemaType::type));
  }

  private Set<GroupVersionKind> kinds(JsonObject spec) {
    Set<GroupVersionKind> kinds =
        new TreeSet<>(
            Comparator.comparing(GroupVersionKind::group)
                .thenComparing(GroupVersionKind::version)
                .thenComparing(GroupVersionKind::kind));
    for (JsonObject rule : spec.object("matchConstraints").array("resourceRules").objects()) {
      int found = 0;
      for (GroupVersionResource name : names(rule)) {
        Optional<Resource> resource = catalog.find(name);
        if (resource.isPresent()) {
          kinds.add(resource.get().kind());
          if (++found == MOST_KINDS) {
            return kinds;
          }
        }
      }
    }
    return kinds;
  }

  private static List<GroupVersionResource> names(JsonObject rule) {
    List<GroupVersionResource> names = new ArrayList<>();
    List<String> groups = sorted(rule, "apiGroups");
    List<String> versions = sorted(rule, "apiVersions");
    if (groups.contains("*") || versions.contains("*")) {
      return names;
    }
    for (String group : groups) {
      for (String version : versions) {
        for (String resource : sorted(rule, "resources")) {
          if (resource.indexOf('*') < 0 && resource.indexOf('/') < 0) {
            names.add(new GroupVersionResource(group, version, resource));
          }
        }
      }
    }
    return names;
  }

  private static List<String> sorted(JsonObject rule, String field) {
    return rule.array(field).texts().stream().sorted().toList();
  }
}
