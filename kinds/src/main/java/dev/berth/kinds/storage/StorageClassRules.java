package dev.berth.kinds.storage;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Storage classes: what volumes were made with does not change. */
final class StorageClassRules implements ResourceRules {
  private static final List<String> RECLAIM_POLICIES = List.of("Delete", "Retain");
  private static final List<String> BINDING_MODES = List.of("Immediate", "WaitForFirstConsumer");
  private static final FieldPath TOPOLOGIES = FieldPath.of("allowedTopologies");

  @Override
  public JsonObject defaults(JsonObject storageClass) {
    return FieldRules.orDefault(
        FieldRules.orDefault(storageClass, "reclaimPolicy", "Delete"),
        "volumeBindingMode",
        "Immediate");
  }

  @Override
  public List<FieldError> validate(JsonObject storageClass) {
    FieldErrorList problems = new FieldErrorList();
    StorageParameters.driver(storageClass, "provisioner", problems);
    StorageParameters.parameters(storageClass, false, problems);
    String policy = storageClass.text("reclaimPolicy", "");
    if (!policy.isEmpty()) {
      problems.oneOf(FieldPath.of("reclaimPolicy"), policy, RECLAIM_POLICIES);
    }
    problems.oneOf(
        FieldPath.of("volumeBindingMode"),
        storageClass.text("volumeBindingMode", ""),
        BINDING_MODES);
    topologies(storageClass.array("allowedTopologies").objects(), problems);
    return problems.all();
  }

  private static void topologies(List<JsonObject> terms, FieldErrorList problems) {
    // Upstream begins with as many empty ones, so that a term without labels is one too many.
    List<Map<String, Set<String>>> known =
        new ArrayList<>(Collections.nCopies(terms.size(), Map.of()));
    for (int i = 0; i < terms.size(); i++) {
      FieldPath at = TOPOLOGIES.index(i).field("matchLabelExpressions");
      Map<String, Set<String>> values = new HashMap<>();
      List<JsonObject> expressions = terms.get(i).array("matchLabelExpressions").objects();
      for (int j = 0; j < expressions.size(); j++) {
        expression(expressions.get(j), at.index(j), values, problems);
      }
      known.stream().filter(values::equals).forEach(_ -> problems.duplicate(at, ""));
      known.add(values);
    }
  }

  private static void expression(
      JsonObject expression,
      FieldPath at,
      Map<String, Set<String>> known,
      FieldErrorList problems) {
    List<String> values = expression.array("values").texts();
    Set<String> once = new HashSet<>();
    if (values.isEmpty()) {
      problems.required(at.field("values"), "");
    }
    for (int i = 0; i < values.size(); i++) {
      if (!once.add(values.get(i))) {
        problems.duplicate(at.field("values").index(i), values.get(i));
      }
    }
    String key = expression.text("key", "");
    problems.invalid(at.field("key"), key, NameRules.qualifiedName(key));
    if (known.put(key, once) != null) {
      problems.duplicate(at.field("key"), key);
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject storageClass, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    for (String field :
        List.of("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")) {
      errors.addAll(FieldRules.immutable(FieldPath.of(field), storageClass, old));
    }
    return errors;
  }
}
