package dev.berth.kinds.admissionregistration;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Configurations of webhooks: who is asked about which writes, and what if nobody answers. */
final class WebhookRules implements ResourceRules {
  private static final long TIMEOUT_SECONDS = 10;
  private static final int MOST_SECONDS = 30;
  private static final List<String> POLICIES = List.of("Fail", "Ignore");
  private static final List<String> MATCHES = List.of("Exact", "Equivalent");
  private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
  private static final List<String> OPERATIONS =
      List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
  private static final List<String> SCOPES = List.of("*", "Cluster", "Namespaced");
  private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");

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
    List<FieldError> errors = new ArrayList<>();
    Set<String> names = new HashSet<>();
    List<JsonObject> webhooks = configuration.array("webhooks").objects();
    for (int i = 0; i < webhooks.size(); i++) {
      FieldPath at = FieldPath.of("webhooks").index(i);
      JsonObject hook = webhooks.get(i);
      String name = hook.text("name", "");
      name(name, at.field("name"), errors);
      if (!name.isEmpty() && !names.add(name)) {
        errors.add(FieldError.duplicate(at.field("name").toString(), name));
      }
      webhook(hook, at, errors);
    }
    return errors;
  }

  private static void name(String name, FieldPath at, List<FieldError> errors) {
    if (name.isEmpty()) {
      errors.add(FieldError.required(at.toString(), ""));
      return;
    }
    List<String> problems = NameRules.dns1123Subdomain(name);
    problems.forEach(p -> errors.add(FieldError.invalid(at.toString(), name, p)));
    if (problems.isEmpty() && name.split("\\.", -1).length < 3) {
      errors.add(
          FieldError.invalid(
              at.toString(),
              name,
              "should be a domain with at least three segments separated by dots"));
    }
  }

  private void webhook(JsonObject hook, FieldPath at, List<FieldError> errors) {
    JsonArray versions = hook.array("admissionReviewVersions");
    FieldPath reviews = at.field("admissionReviewVersions");
    if (versions.isEmpty()) {
      errors.add(
          FieldError.required(
              reviews.toString(),
              "must specify one of " + String.join(", ", List.of("v1", "v1beta1"))));
    } else if (versions.texts().stream().noneMatch(VERSIONS::contains)) {
      errors.add(
          FieldError.invalid(
              reviews.toString(), versions, "must include at least one of v1, v1beta1"));
    }
    errors.addAll(
        FieldRules.oneOf(at.field("failurePolicy"), hook.text("failurePolicy", ""), POLICIES));
    errors.addAll(FieldRules.oneOf(at.field("matchPolicy"), hook.text("matchPolicy", ""), MATCHES));
    String effects = hook.text("sideEffects", "");
    if (effects.isEmpty()) {
      errors.add(
          FieldError.required(
              at.field("sideEffects").toString(),
              "must specify one of " + String.join(", ", SIDE_EFFECTS)));
    } else {
      errors.addAll(FieldRules.oneOf(at.field("sideEffects"), effects, SIDE_EFFECTS));
    }
    long timeout = hook.integer("timeoutSeconds").orElse(TIMEOUT_SECONDS);
    if (timeout < 1 || timeout > MOST_SECONDS) {
      errors.add(
          FieldError.invalid(
              at.field("timeoutSeconds").toString(),
              timeout,
              "the timeout value must be between 1 and 30 seconds"));
    }
    for (String selector : List.of("namespaceSelector", "objectSelector")) {
      errors.addAll(
          LabelSelectorForm.validate(hook.object(selector), at.field(selector).toString()));
    }
    client(hook.object("clientConfig"), at.field("clientConfig"), errors);
    List<JsonObject> rules = hook.array("rules").objects();
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), at.field("rules").index(i), errors);
    }
  }

  private static void client(JsonObject client, FieldPath at, List<FieldError> errors) {
    if (client.has("url") == client.has("service")) {
      errors.add(FieldError.required(at.toString(), "exactly one of url or service is required"));
      return;
    }
    String url = client.text("url", "");
    if (client.has("url") && !url.startsWith("https://")) {
      errors.add(
          FieldError.invalid(
              at.field("url").toString(),
              url,
              "'https' is the only allowed URL scheme; desired format: https://host[/path]"));
    }
    if (client.has("service")) {
      for (String field : List.of("name", "namespace")) {
        if (client.object("service").text(field, "").isEmpty()) {
          errors.add(
              FieldError.required(
                  at.field("service").field(field).toString(),
                  "service " + field + " is required"));
        }
      }
    }
  }

  private static void rule(JsonObject rule, FieldPath at, List<FieldError> errors) {
    for (String field : List.of("apiGroups", "apiVersions", "resources")) {
      List<String> values = rule.array(field).texts();
      if (values.isEmpty()) {
        errors.add(FieldError.required(at.field(field).toString(), ""));
      } else if (values.size() > 1 && values.contains("*")) {
        errors.add(
            FieldError.invalid(
                at.field(field).toString(),
                rule.array(field),
                "if '*' is present, must not specify other "
                    + (field.equals("apiGroups")
                        ? "API groups"
                        : field.equals("apiVersions") ? "API versions" : "resources")));
      }
    }
    List<String> operations = rule.array("operations").texts();
    if (operations.isEmpty()) {
      errors.add(FieldError.required(at.field("operations").toString(), ""));
    }
    for (int i = 0; i < operations.size(); i++) {
      errors.addAll(
          FieldRules.oneOf(at.field("operations").index(i), operations.get(i), OPERATIONS));
    }
    errors.addAll(FieldRules.oneOf(at.field("scope"), rule.text("scope", "*"), SCOPES));
  }
}
