package dev.berth.kinds.admissionregistration;

import dev.berth.cel.CelCompilation;
import dev.berth.cel.schema.FieldNames;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What both kinds of policies have in common. */
final class PolicySpecRules {
  static final FieldPath SPEC = FieldPath.of("spec");

  private static final List<String> FAILURE_POLICIES = List.of("Fail", "Ignore");
  private static final int MOST_CONDITIONS = 64;

  private PolicySpecRules() {}

  static JsonObject defaults(JsonObject policy) {
    return FieldRules.within(
        policy,
        "spec",
        spec -> {
          JsonObject filled = FieldRules.orDefault(spec, "failurePolicy", "Fail");
          return filled.has("matchConstraints")
              ? FieldRules.within(filled, "matchConstraints", MatchResourcesRules::defaults)
              : filled;
        });
  }

  /** Failure policy, parameters, what is matched, and conditions. */
  static void check(JsonObject spec, FieldErrorList errors) {
    errors.oneOf(SPEC.field("failurePolicy"), spec.text("failurePolicy", ""), FAILURE_POLICIES);
    if (spec.has("paramKind")) {
      checkParamKind(spec.object("paramKind"), SPEC.field("paramKind"), errors);
    }
    FieldPath match = SPEC.field("matchConstraints");
    if (spec.has("matchConstraints")) {
      MatchResourcesRules.check(spec.object("matchConstraints"), match, errors);
      if (spec.object("matchConstraints").array("resourceRules").isEmpty()) {
        errors.required(match.field("resourceRules"), "");
      }
    } else {
      errors.required(match, "");
    }
  }

  static void checkConditions(JsonObject spec, FieldErrorList errors) {
    checkConditions(
        spec.array("matchConditions").objects(),
        SPEC.field("matchConditions"),
        spec.has("paramKind"),
        errors);
  }

  private static void checkParamKind(JsonObject kind, FieldPath at, FieldErrorList errors) {
    FieldPath versionAt = at.field("apiVersion");
    String apiVersion = kind.text("apiVersion", "");
    if (apiVersion.isEmpty()) {
      errors.required(versionAt, "");
    } else if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
      errors.invalid(versionAt, apiVersion, "unexpected GroupVersion string: " + apiVersion);
    } else {
      int slash = apiVersion.indexOf('/');
      String group = slash < 0 ? "" : apiVersion.substring(0, slash);
      String version = apiVersion.substring(slash + 1);
      if (!group.isEmpty()) {
        invalidTogether(versionAt, group, "", NameRules.dns1123Subdomain(group), errors);
      }
      if (version.isEmpty()) {
        errors.invalid(versionAt, apiVersion, "version must be specified");
      } else {
        invalidTogether(versionAt, version, "", NameRules.dns1035Label(version), errors);
      }
    }
    String name = kind.text("kind", "");
    if (name.isEmpty()) {
      errors.required(at.field("kind"), "");
    } else {
      invalidTogether(
          at.field("kind"),
          name,
          "may have mixed case, but should otherwise match: ",
          NameRules.dns1035Label(name.toLowerCase(Locale.ROOT)),
          errors);
    }
  }

  private static void invalidTogether(
      FieldPath at, String value, String prefix, List<String> problems, FieldErrorList errors) {
    if (!problems.isEmpty()) {
      errors.invalid(at, value, prefix + String.join(",", problems));
    }
  }

  /** Match conditions, of policies and of webhooks. */
  static void checkConditions(
      List<JsonObject> conditions, FieldPath at, boolean hasParams, FieldErrorList errors) {
    if (conditions.size() > MOST_CONDITIONS) {
      errors.addAll(
          List.of(
              new FieldError(
                  FieldError.Reason.TOO_MANY,
                  at.toString(),
                  (long) conditions.size(),
                  "must have at most " + MOST_CONDITIONS + " items")));
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < conditions.size(); i++) {
      JsonObject condition = conditions.get(i);
      FieldPath each = at.index(i);
      String expression = condition.text("expression", "").strip();
      if (expression.isEmpty()) {
        errors.required(each.field("expression"), "");
      } else {
        checkCompiles(
            PolicyExpressions.ofConditions(hasParams).condition(expression),
            expression,
            each.field("expression"),
            errors);
      }
      String name = condition.text("name", "");
      if (name.isEmpty()) {
        errors.required(each.field("name"), "");
      } else {
        errors.invalid(each.field("name"), name, NameRules.qualifiedName(name));
        if (!names.add(name)) {
          errors.duplicate(each.field("name"), name);
        }
      }
    }
  }

  static void checkVariables(
      List<JsonObject> variables, PolicyExpressions expressions, FieldErrorList errors) {
    for (int i = 0; i < variables.size(); i++) {
      FieldPath at = SPEC.field("variables").index(i);
      String name = variables.get(i).text("name", "");
      if (name.isBlank()) {
        errors.required(at.field("name"), "name is not specified");
      } else if (!FieldNames.isIdentifier(name)) {
        errors.invalid(at.field("name"), name, "must be a valid CEL identifier");
      }
      String expression = variables.get(i).text("expression", "");
      if (expression.isBlank()) {
        errors.required(at.field("expression"), "expression is not specified");
      } else {
        checkCompiles(
            expressions.variable(name, expression), expression, at.field("expression"), errors);
      }
    }
  }

  static void checkCompiles(
      CelCompilation compilation, String expression, FieldPath at, FieldErrorList errors) {
    if (compilation instanceof CelCompilation.Failed failed) {
      errors.invalid(at, expression, failed.message());
    }
  }

  static void checkBinding(JsonObject spec, FieldErrorList errors) {
    String policy = spec.text("policyName", "");
    if (policy.isEmpty()) {
      errors.required(SPEC.field("policyName"), "");
    } else {
      errors.invalid(SPEC.field("policyName"), policy, NameRules.dns1123Subdomain(policy));
    }
    if (spec.has("paramRef")) {
      MatchResourcesRules.checkParamRef(spec.object("paramRef"), SPEC.field("paramRef"), errors);
    }
    if (spec.has("matchResources")) {
      MatchResourcesRules.check(
          spec.object("matchResources"), SPEC.field("matchResources"), errors);
    }
  }

  static JsonObject bindingDefaults(JsonObject binding) {
    return binding.object("spec").has("matchResources")
        ? FieldRules.within(
            binding,
            "spec",
            spec -> FieldRules.within(spec, "matchResources", MatchResourcesRules::defaults))
        : binding;
  }
}
