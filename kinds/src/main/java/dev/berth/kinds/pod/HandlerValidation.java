package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is wrong with a container's probes and with what it does when it starts and stops. */
final class HandlerValidation {
  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final List<String> PROBE_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> HOOK_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "sleep");
  private static final List<String> SCHEMES = List.of("HTTP", "HTTPS");

  private final FieldErrorList problems;

  private HandlerValidation(FieldErrorList problems) {
    this.problems = problems;
  }

  static void validate(JsonObject container, FieldPath path, FieldErrorList problems) {
    HandlerValidation validation = new HandlerValidation(problems);
    for (String probe : PROBES) {
      if (container.has(probe)) {
        validation.probe(container.object(probe), probe, path.field(probe));
      }
    }
    JsonObject lifecycle = container.object("lifecycle");
    for (String hook : List.of("postStart", "preStop")) {
      if (lifecycle.has(hook)) {
        validation.handler(
            lifecycle.object(hook), HOOK_HANDLERS, path.field("lifecycle").field(hook));
      }
    }
  }

  private void probe(JsonObject probe, String kind, FieldPath at) {
    handler(probe, PROBE_HANDLERS, at);
    for (String field :
        List.of(
            "initialDelaySeconds",
            "timeoutSeconds",
            "periodSeconds",
            "successThreshold",
            "failureThreshold")) {
      problems.notNegative(probe, field, at);
    }
    long successes = probe.integer("successThreshold").orElse(1);
    if (!kind.equals("readinessProbe") && successes != 1) {
      problems.invalid(at.field("successThreshold"), successes, "must be 1");
    }
    if (probe.has("terminationGracePeriodSeconds")) {
      long grace = probe.integer("terminationGracePeriodSeconds").orElse(0);
      if (kind.equals("readinessProbe")) {
        problems.invalid(
            at.field("terminationGracePeriodSeconds"),
            grace,
            "must not be set for readinessProbes");
      } else if (grace <= 0) {
        problems.invalid(
            at.field("terminationGracePeriodSeconds"), grace, "must be greater than 0");
      }
    }
  }

  private void handler(JsonObject object, List<String> kinds, FieldPath at) {
    boolean found = false;
    for (String kind : kinds) {
      if (object.has(kind)) {
        if (found) {
          problems.forbidden(at.field(kind), "may not specify more than 1 handler type");
        } else {
          found = true;
          handler(object.object(kind), kind, at.field(kind));
        }
      }
    }
    if (!found) {
      problems.required(at, "must specify a handler type");
    }
  }

  private void handler(JsonObject handler, String kind, FieldPath at) {
    switch (kind) {
      case "exec" -> {
        if (handler.array("command").isEmpty()) {
          problems.required(at.field("command"), "");
        }
      }
      case "httpGet" -> {
        problems.present(handler, "path", at);
        problems.port(handler, "port", at);
        problems.oneOf(at.field("scheme"), handler.text("scheme", "HTTP"), SCHEMES);
        for (JsonObject header : handler.array("httpHeaders").objects()) {
          String name = header.text("name", "");
          if (!name.matches("[-A-Za-z0-9]+")) {
            problems.invalid(
                at.field("httpHeaders"),
                name,
                "a valid HTTP header must consist of alphanumeric characters or '-' (e.g."
                    + " 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')");
          }
        }
      }
      case "tcpSocket", "grpc" -> problems.port(handler, "port", at);
      default -> {
        long seconds = handler.integer("seconds").orElse(0);
        if (seconds < 0) {
          problems.invalid(
              at.field("seconds"),
              seconds,
              "must be non-negative and less than terminationGracePeriodSeconds");
        }
      }
    }
  }
}
