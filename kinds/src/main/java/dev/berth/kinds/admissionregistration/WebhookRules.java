package dev.berth.kinds.admissionregistration;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.kinds.resource.WebhookClientValidation;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Configurations of webhooks: who is asked about which writes, and what if nobody answers. */
final class WebhookRules implements ResourceRules {
  private static final long TIMEOUT_SECONDS = 10;
  private static final int MOST_SECONDS = 30;
  private static final List<String> POLICIES = List.of("Fail", "Ignore");
  private static final List<String> MATCHES = List.of("Equivalent", "Exact");
  private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
  private static final List<String> REINVOCATIONS = List.of("IfNeeded", "Never");
  private static final List<String> VERSIONS = List.of("v1", "v1beta1");
  private static final int LEAST_SEGMENTS = 3;

  private final boolean mutating;

  WebhookRules(boolean mutating) {
    this.mutating = mutating;
  }

  @Override
  public JsonObject defaults(JsonObject configuration) {
    JsonArray webhooks = configuration.array("webhooks").mapObjects(this::filled);
    return webhooks.isEmpty() ? configuration : configuration.with("webhooks", webhooks);
  }

  private JsonObject filled(JsonObject webhook) {
    JsonObject hook = webhook;
    hook = FieldRules.orDefault(hook, "failurePolicy", "Fail");
    hook = FieldRules.orDefault(hook, "matchPolicy", "Equivalent");
    hook = FieldRules.orDefault(hook, "namespaceSelector", JsonObject.EMPTY);
    hook = FieldRules.orDefault(hook, "objectSelector", JsonObject.EMPTY);
    hook = FieldRules.orDefault(hook, "timeoutSeconds", TIMEOUT_SECONDS);
    hook = mutating ? FieldRules.orDefault(hook, "reinvocationPolicy", "Never") : hook;
    if (hook.object("clientConfig").has("service")) {
      hook =
          FieldRules.within(
              hook,
              "clientConfig",
              c -> FieldRules.within(c, "service", s -> FieldRules.orDefault(s, "port", 443L)));
    }
    JsonArray rules =
        hook.array("rules").mapObjects(rule -> FieldRules.orDefault(rule, "scope", "*"));
    return rules.isEmpty() ? hook : hook.with("rules", rules);
  }

  @Override
  public List<FieldError> validate(JsonObject configuration) {
    FieldErrorList errors = new FieldErrorList();
    Set<String> names = new HashSet<>();
    List<JsonObject> webhooks = configuration.array("webhooks").objects();
    for (int i = 0; i < webhooks.size(); i++) {
      FieldPath at = FieldPath.of("webhooks").index(i);
      JsonObject hook = webhooks.get(i);
      checkWebhook(hook, at, errors);
      checkReviewVersions(
          hook.array("admissionReviewVersions"), at.field("admissionReviewVersions"), errors);
      String name = hook.text("name", "");
      if (!name.isEmpty() && !names.add(name)) {
        errors.duplicate(at.field("name"), name);
      }
    }
    return errors.all();
  }

  private static void checkName(String name, FieldPath at, FieldErrorList errors) {
    if (name.isEmpty()) {
      errors.required(at, "");
      return;
    }
    List<String> problems = NameRules.dns1123Subdomain(name);
    errors.invalid(at, name, problems);
    if (problems.isEmpty() && name.split("\\.", -1).length < LEAST_SEGMENTS) {
      errors.invalid(at, name, "should be a domain with at least three segments separated by dots");
    }
  }

  private void checkWebhook(JsonObject hook, FieldPath at, FieldErrorList errors) {
    checkName(hook.text("name", ""), at.field("name"), errors);
    List<JsonObject> rules = hook.array("rules").objects();
    for (int i = 0; i < rules.size(); i++) {
      ResourceRuleValidation.check(
          rules.get(i), at.field("rules").index(i), ResourceRuleValidation.OPERATIONS, errors);
    }
    errors.oneOf(at.field("failurePolicy"), hook.text("failurePolicy", ""), POLICIES);
    errors.oneOf(at.field("matchPolicy"), hook.text("matchPolicy", ""), MATCHES);
    FieldPath effects = at.field("sideEffects");
    if (hook.has("sideEffects")) {
      errors.oneOf(effects, hook.text("sideEffects", ""), SIDE_EFFECTS);
    } else {
      errors.required(effects, "must specify one of " + String.join(", ", SIDE_EFFECTS));
    }
    long timeout = hook.integer("timeoutSeconds").orElse(TIMEOUT_SECONDS);
    if (timeout < 1 || timeout > MOST_SECONDS) {
      errors.invalid(
          at.field("timeoutSeconds"),
          timeout,
          "the timeout value must be between 1 and 30 seconds");
    }
    for (String selector : List.of("namespaceSelector", "objectSelector")) {
      errors.addAll(
          LabelSelectorForm.validate(hook.object(selector), at.field(selector).toString()));
    }
    if (mutating) {
      errors.oneOf(
          at.field("reinvocationPolicy"), hook.text("reinvocationPolicy", ""), REINVOCATIONS);
    }
    WebhookClientValidation.check(hook.object("clientConfig"), at.field("clientConfig"), errors);
    PolicySpecRules.checkConditions(
        hook.array("matchConditions").objects(), at.field("matchConditions"), false, errors);
  }

  private static void checkReviewVersions(JsonArray versions, FieldPath at, FieldErrorList errors) {
    if (versions.isEmpty()) {
      errors.required(at, "must specify one of " + String.join(", ", VERSIONS));
      return;
    }
    List<String> names = versions.texts();
    for (int i = 0; i < names.size(); i++) {
      if (names.subList(0, i).contains(names.get(i))) {
        errors.invalid(at.index(i), names.get(i), "duplicate version");
      } else {
        errors.invalid(at.index(i), names.get(i), NameRules.dns1035Label(names.get(i)));
      }
    }
    if (names.stream().noneMatch(VERSIONS::contains)) {
      errors.invalid(at, versions, "must include at least one of " + String.join(", ", VERSIONS));
    }
  }
}
