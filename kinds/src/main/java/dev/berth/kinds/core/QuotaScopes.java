package dev.berth.kinds.core;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceAmountRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the choice of pods and claims that a quota is for. */
final class QuotaScopes {
  private static final String CLAIMS = "VolumeAttributesClass";
  private static final Set<String> SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity",
          CLAIMS);

  /** Scopes that something is in or is not, and that have no values. */
  private static final Set<String> WITHOUT_VALUES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "CrossNamespacePodAffinity");

  private static final Set<String> OF_PODS =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "limits.cpu",
          "limits.memory",
          "requests.cpu",
          "requests.memory");
  private static final Set<String> OF_CLAIMS = Set.of("persistentvolumeclaims", "requests.storage");
  private static final String UNSUPPORTED = "unsupported scope";
  private static final String UNFIT = "unsupported scope applied to resource";
  private static final String CONFLICTING = "conflicting scopes";

  private QuotaScopes() {}

  /** The scopes as messages show them: null if there are none. */
  static Object shown(JsonObject spec) {
    return spec.array("scopes").isEmpty() ? JsonNull.NULL : spec.array("scopes");
  }

  static void validate(JsonObject spec, FieldPath path, FieldErrorList problems) {
    FieldPath at = path.field("scopes");
    Set<String> scopes = new HashSet<>();
    for (String scope : spec.array("scopes").texts()) {
      if (!SCOPES.contains(scope)) {
        problems.invalid(at, shown(spec), UNSUPPORTED);
      }
      unfit(scope, spec).forEach(_ -> problems.invalid(at, shown(spec), UNFIT));
      scopes.add(scope);
    }
    conflicts(scopes).forEach(_ -> problems.invalid(at, shown(spec), CONFLICTING));
    if (spec.has("scopeSelector")) {
      selector(spec, path.field("scopeSelector").field("matchExpressions"), problems);
    }
  }

  /** The resources of a quota that a scope is not for. */
  private static List<String> unfit(String scope, JsonObject spec) {
    return spec.object("hard").names().stream()
        .filter(ResourceAmountRules::isStandardForQuotas)
        .filter(name ->
            switch (scope) {
              case "BestEffort" -> !name.equals("pods");
              case CLAIMS -> !OF_CLAIMS.contains(name);
              default -> SCOPES.contains(scope) && !OF_PODS.contains(name);
            })
        .toList();
  }

  private static List<String> conflicts(Set<String> scopes) {
    return List.of("BestEffort", "Terminating").stream()
        .filter(scope -> scopes.contains(scope) && scopes.contains("Not" + scope))
        .toList();
  }

  private static void selector(JsonObject spec, FieldPath at, FieldErrorList problems) {
    JsonObject selector = spec.object("scopeSelector");
    Set<String> scopes = new HashSet<>();
    for (JsonObject expression : selector.array("matchExpressions").objects()) {
      String scope = expression.text("scopeName", "");
      String operator = expression.text("operator", "");
      if (!SCOPES.contains(scope)) {
        problems.invalid(at.field("scopeName"), scope, UNSUPPORTED);
      }
      unfit(scope, spec)
          .forEach(_ -> problems.invalid(at, InternalForm.of("ScopeSelector", selector), UNFIT));
      if (WITHOUT_VALUES.contains(scope) && !operator.equals("Exists")) {
        problems.invalid(
            at.field("operator"),
            operator,
            "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
                + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                + " ResourceQuotaScopeNotBestEffort or"
                + " ResourceQuotaScopeCrossNamespacePodAffinity");
      }
      values(expression, operator, at, problems);
      scopes.add(scope);
    }
    conflicts(scopes).forEach(_ -> problems.invalid(at, shown(spec), CONFLICTING));
  }

  private static void values(
      JsonObject expression, String operator, FieldPath at, FieldErrorList problems) {
    boolean none = expression.array("values").isEmpty();
    switch (operator) {
      case "In", "NotIn" -> {
        if (none) {
          problems.required(
              at.field("values"),
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!none) {
          problems.invalid(
              at.field("values"),
              expression.array("values"),
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
      }
      default -> problems.invalid(at.field("operator"), operator, "not a valid selector operator");
    }
  }
}
