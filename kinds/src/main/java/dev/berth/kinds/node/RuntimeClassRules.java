package dev.berth.kinds.node;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.policy.taint.TolerationValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Classes of what runs pods: the handler never changes. */
final class RuntimeClassRules implements ResourceRules {
  private static final FieldPath HANDLER = FieldPath.of("handler");
  private static final FieldPath LIMITS = FieldPath.of("overhead", "limits");
  private static final FieldPath SELECTOR = FieldPath.of("scheduling", "nodeSelector");
  private static final FieldPath TOLERATIONS = FieldPath.of("scheduling", "tolerations");
  private static final Set<String> CONTAINER_RESOURCES =
      Set.of("cpu", "memory", "ephemeral-storage");

  @Override
  public List<FieldError> validate(JsonObject runtimeClass) {
    FieldErrorList problems = new FieldErrorList();
    handler(runtimeClass, problems);
    overhead(runtimeClass.object("overhead").object("podFixed"), problems);
    JsonObject scheduling = runtimeClass.object("scheduling");
    JsonObject selector = scheduling.object("nodeSelector");
    for (String key : selector.names()) {
      String value = selector.text(key, "");
      problems.invalid(SELECTOR, key, NameRules.qualifiedName(key));
      problems.invalid(SELECTOR, value, NameRules.labelValue(value));
    }
    tolerations(scheduling.array("tolerations"), problems);
    return problems.all();
  }

  private static void handler(JsonObject runtimeClass, FieldErrorList problems) {
    if (problems.present(runtimeClass, "handler", FieldPath.ROOT)) {
      String handler = runtimeClass.text("handler", "");
      problems.invalid(HANDLER, handler, NameRules.dns1123Label(handler));
    }
  }

  private static void overhead(JsonObject amounts, FieldErrorList problems) {
    for (String name : amounts.names()) {
      FieldPath at = LIMITS.key(name);
      List<String> wrong = NameRules.qualifiedName(name);
      problems.invalid(at, name, wrong);
      boolean known =
          name.contains("/") || CONTAINER_RESOURCES.contains(name) || name.startsWith("hugepages-");
      if (wrong.isEmpty() && !known) {
        problems.invalid(at, name, "must be a standard resource type or fully qualified");
        problems.invalid(at, name, "must be a standard resource for containers");
      }
      Object amount = amounts.get(name);
      if (amount != null && Quantity.fromTree(amount).signum() < 0) {
        problems.invalid(at, amount, "must be greater than or equal to 0");
      }
    }
  }

  private static void tolerations(JsonArray tolerations, FieldErrorList problems) {
    problems.addAll(
        TolerationValidation.validate(tolerations, TOLERATIONS, TolerationRules.STANDARD));
    Set<JsonObject> known = new HashSet<>();
    List<JsonObject> all = tolerations.objects();
    for (int i = 0; i < all.size(); i++) {
      if (!known.add(all.get(i).without("tolerationSeconds"))) {
        problems.duplicate(TOLERATIONS.index(i), InternalForm.of("Toleration", all.get(i)));
      }
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject runtimeClass, JsonObject old) {
    return FieldRules.immutable(HANDLER, runtimeClass, old);
  }
}
