package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.core.ResourceList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** ResourceQuotas: amounts by names that quotas know, and scopes that never change. */
final class QuotaRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final Set<String> STANDARD =
      Set.of(
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "requests.storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage",
          "pods",
          "resourcequotas",
          "services",
          "services.nodeports",
          "services.loadbalancers",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims");
  private static final Set<String> COUNTS =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "services.nodeports",
          "services.loadbalancers",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims");
  private static final List<String> SCOPES =
      List.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity",
          "VolumeAttributesClass");
  private static final Set<String> OPERATORS = Set.of("In", "NotIn", "Exists", "DoesNotExist");

  @Override
  public List<FieldError> validate(JsonObject quota) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject spec = quota.object("spec");
    amounts(spec.object("hard"), errors);
    List<String> scopes = spec.array("scopes").texts();
    for (String scope : scopes) {
      if (!SCOPES.contains(scope)) {
        errors.add(FieldError.invalid("spec.scopes", spec.array("scopes"), "unsupported scope"));
      }
    }
    boolean contradicts =
        (scopes.contains("BestEffort") && scopes.contains("NotBestEffort"))
            || (scopes.contains("Terminating") && scopes.contains("NotTerminating"));
    if (contradicts) {
      errors.add(FieldError.invalid("spec.scopes", spec.array("scopes"), "conflicting scopes"));
    }
    selector(spec.object("scopeSelector").array("matchExpressions"), errors);
    return errors;
  }

  private static void amounts(JsonObject hard, List<FieldError> errors) {
    ResourceList.read(hard)
        .amounts()
        .forEach((name, amount) -> {
          FieldPath at = SPEC.field("hard").key(name);
          NameRules.qualifiedName(name)
              .forEach(p -> errors.add(FieldError.invalid(at.toString(), name, p)));
          boolean known =
              STANDARD.contains(name)
                  || name.startsWith("hugepages-")
                  || name.startsWith("requests.hugepages-");
          if (name.indexOf('/') < 0 && !known) {
            errors.add(
                FieldError.invalid(at.toString(), name, "must be a standard resource for quota"));
          }
          if (amount.signum() < 0) {
            errors.add(
                FieldError.invalid(
                    at.toString(), amount.toString(), "must be greater than or equal to 0"));
          }
          boolean whole = COUNTS.contains(name) || name.startsWith("count/");
          if (whole && amount.milliValue() % 1000 != 0) {
            errors.add(FieldError.invalid(at.toString(), amount.toString(), "must be an integer"));
          }
        });
  }

  private static void selector(JsonArray expressions, List<FieldError> errors) {
    FieldPath path = SPEC.field("scopeSelector").field("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      JsonObject expression = expressions.objects().get(i);
      String scope = expression.text("scopeName", "");
      String operator = expression.text("operator", "");
      boolean values = !expression.array("values").isEmpty();
      if (!SCOPES.contains(scope)) {
        errors.add(
            FieldError.invalid(path.field("scopeName").toString(), scope, "unsupported scope"));
      }
      if (!OPERATORS.contains(operator)) {
        errors.add(
            FieldError.invalid(
                path.field("operator").toString(), operator, "not a valid selector operator"));
      } else if (operator.endsWith("In") && !values) {
        errors.add(
            FieldError.required(
                path.field("values").toString(),
                "must be at least one value when `operator` is 'In' or 'NotIn' for scope"
                    + " selector"));
      } else if (!operator.endsWith("In") && values) {
        errors.add(
            FieldError.invalid(
                path.field("values").toString(),
                expression.array("values"),
                "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope"
                    + " selector"));
      }
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject quota, JsonObject old) {
    List<FieldError> errors =
        new ArrayList<>(FieldRules.immutable(SPEC.field("scopes"), quota, old));
    errors.addAll(FieldRules.immutable(SPEC.field("scopeSelector"), quota, old));
    return errors;
  }
}
