package dev.berth.kinds.networking;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Ingress classes: who serves an ingress, which never changes, and an object with more about it.
 */
final class IngressClassRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath CONTROLLER = SPEC.field("controller");
  private static final List<String> SCOPES = List.of("Cluster", "Namespace");
  private static final int LONGEST_CONTROLLER = 250;

  @Override
  public JsonObject defaults(JsonObject ingressClass) {
    JsonObject spec = ingressClass.object("spec");
    return spec.has("parameters")
        ? ingressClass.with(
            "spec",
            FieldRules.within(spec, "parameters", p -> FieldRules.orDefault(p, "scope", "Cluster")))
        : ingressClass;
  }

  @Override
  public List<FieldError> validate(JsonObject ingressClass) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = ingressClass.object("spec");
    String controller = spec.text("controller", "");
    if (controller.getBytes(StandardCharsets.UTF_8).length > LONGEST_CONTROLLER) {
      problems.tooLong(CONTROLLER, LONGEST_CONTROLLER);
    }
    domainPrefixed(controller, problems);
    if (spec.has("parameters")) {
      parameters(spec.object("parameters"), SPEC.field("parameters"), problems);
    }
    return problems.all();
  }

  private static void domainPrefixed(String path, FieldErrorList problems) {
    if (path.isEmpty()) {
      problems.required(CONTROLLER, "");
      return;
    }
    int slash = path.indexOf('/');
    if (slash <= 0 || slash == path.length() - 1) {
      problems.invalid(
          CONTROLLER, path, "must be a domain-prefixed path (such as \"acme.io/foo\")");
      return;
    }
    String host = path.substring(0, slash);
    problems.invalid(CONTROLLER, host, NameRules.dns1123Subdomain(host));
    String rest = path.substring(slash + 1);
    if (!rest.matches("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+")) {
      problems.invalid(
          CONTROLLER,
          rest,
          "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
    }
  }

  private static void parameters(JsonObject parameters, FieldPath at, FieldErrorList problems) {
    IngressBackends.reference(parameters, at, problems);
    String scope = parameters.text("scope", "");
    String namespace = parameters.text("namespace");
    switch (scope) {
      case "Namespace" -> {
        if (namespace == null) {
          problems.required(at.field("namespace"), "`parameters.scope` is set to 'Namespace'");
        } else {
          problems.invalid(at.field("namespace"), namespace, NameRules.dns1123Label(namespace));
        }
      }
      case "Cluster" -> {
        if (namespace != null) {
          problems.forbidden(at.field("namespace"), "`parameters.scope` is set to 'Cluster'");
        }
      }
      default -> problems.oneOf(at.field("scope"), scope, SCOPES);
    }
  }

  /** What changed comes first in messages, what is wrong anyhow after it. */
  @Override
  public List<FieldError> validateReplacing(JsonObject ingressClass, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    String controller = ingressClass.object("spec").text("controller", "");
    if (!controller.equals(old.object("spec").text("controller", ""))) {
      problems.invalid(CONTROLLER, controller, "field is immutable");
    }
    problems.addAll(validate(ingressClass));
    return problems.all();
  }
}
