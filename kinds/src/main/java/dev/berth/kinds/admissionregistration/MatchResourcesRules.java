package dev.berth.kinds.admissionregistration;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which requests a policy or a binding is about, and the parameters that a binding names. */
final class MatchResourcesRules {
  private static final List<String> MATCHES = List.of("Equivalent", "Exact");
  private static final List<String> RULES = List.of("resourceRules", "excludeResourceRules");

  private MatchResourcesRules() {}

  static JsonObject defaults(JsonObject match) {
    JsonObject filled = FieldRules.orDefault(match, "matchPolicy", "Equivalent");
    filled = FieldRules.orDefault(filled, "namespaceSelector", JsonObject.EMPTY);
    filled = FieldRules.orDefault(filled, "objectSelector", JsonObject.EMPTY);
    for (String field : RULES) {
      JsonArray rules =
          filled.array(field).mapObjects(rule -> FieldRules.orDefault(rule, "scope", "*"));
      filled = rules.isEmpty() ? filled : filled.with(field, rules);
    }
    return filled;
  }

  static void check(JsonObject match, FieldPath at, FieldErrorList errors) {
    errors.oneOf(at.field("matchPolicy"), match.text("matchPolicy", ""), MATCHES);
    for (String selector : List.of("namespaceSelector", "objectSelector")) {
      errors.addAll(
          LabelSelectorForm.validate(match.object(selector), at.field(selector).toString()));
    }
    for (String field : RULES) {
      List<JsonObject> rules = match.array(field).objects();
      for (int i = 0; i < rules.size(); i++) {
        FieldPath rule = at.field(field).index(i);
        checkNames(
            rules.get(i).array("resourceNames").texts(), rule.field("resourceNames"), errors);
        ResourceRuleValidation.check(rules.get(i), rule, ResourceRuleValidation.OPERATIONS, errors);
      }
    }
  }

  private static void checkNames(List<String> names, FieldPath at, FieldErrorList errors) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < names.size(); i++) {
      errors.invalid(at.index(i), names.get(i), NameRules.pathSegment(names.get(i)));
      if (!seen.add(names.get(i))) {
        errors.duplicate(at.index(i), names.get(i));
      }
    }
  }

  static void checkParamRef(JsonObject ref, FieldPath at, FieldErrorList errors) {
    String name = ref.text("name", "");
    boolean selects = ref.has("selector");
    String exclusive = "name and selector are mutually exclusive";
    if (!name.isEmpty()) {
      errors.invalid(at.field("name"), name, NameRules.pathSegment(name));
      if (selects) {
        errors.forbidden(at.field("name"), exclusive);
      }
    }
    if (selects) {
      errors.addAll(
          LabelSelectorForm.validate(ref.object("selector"), at.field("selector").toString()));
      if (!name.isEmpty()) {
        errors.forbidden(at.field("selector"), exclusive);
      }
    }
    if (name.isEmpty() && !selects) {
      errors.required(at, "one of name or selector must be specified");
    }
    FieldPath action = at.field("parameterNotFoundAction");
    if (ref.text("parameterNotFoundAction", "").isEmpty()) {
      errors.required(action, "");
    } else {
      errors.oneOf(action, ref.text("parameterNotFoundAction", ""), List.of("Deny", "Allow"));
    }
  }
}
