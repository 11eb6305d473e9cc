package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What is wrong with a container's probes and with what it does when it starts and stops. */
final class HandlerValidation {
  private static final List<String> PROBE_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> HOOK_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "sleep");
  private static final List<String> SCHEMES = List.of("HTTP", "HTTPS");
  private static final List<String> WINDOWS_SIGNALS = List.of("SIGKILL", "SIGTERM");
  private static final List<String> LINUX_SIGNALS = linuxSignals();

  private final FieldErrorList problems;
  private final OptionalLong gracePeriod;
  private final JsonObject spec;

  private HandlerValidation(JsonObject spec, FieldErrorList problems) {
    this.problems = problems;
    this.spec = spec;
    this.gracePeriod = spec.integer("terminationGracePeriodSeconds");
  }

  /**
   * Checks a container.
   *
   * @param spec the specification of the pod that it is in
   */
  static void validate(
      JsonObject container, JsonObject spec, FieldPath path, FieldErrorList problems) {
    HandlerValidation validation = new HandlerValidation(spec, problems);
    if (container.has("lifecycle")) {
      validation.lifecycle(container.object("lifecycle"), path.field("lifecycle"));
    }
    for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.has(probe)) {
        validation.probe(container.object(probe), probe, path.field(probe));
      }
    }
  }

  private void lifecycle(JsonObject lifecycle, FieldPath at) {
    for (String hook : List.of("postStart", "preStop")) {
      if (lifecycle.has(hook)) {
        handler(lifecycle.object(hook), HOOK_HANDLERS, at.field(hook));
      }
    }
    String signal = lifecycle.text("stopSignal");
    if (signal == null) {
      return;
    }
    FieldPath place = at.field("stopSignal");
    if (!spec.has("os")) {
      problems.forbidden(place, "may not be set for containers with empty `spec.os.name`");
    } else {
      switch (spec.object("os").text("name", "")) {
        case "windows" -> problems.oneOf(place, signal, WINDOWS_SIGNALS);
        case "linux" -> problems.oneOf(place, signal, LINUX_SIGNALS);
        default -> {}
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
    FieldPath gracePath = at.field("terminationGracePeriodSeconds");
    OptionalLong grace = probe.integer("terminationGracePeriodSeconds");
    if (grace.isPresent() && grace.getAsLong() <= 0) {
      problems.invalid(gracePath, grace.getAsLong(), "must be greater than 0");
    }
    if (kind.equals("readinessProbe")) {
      if (grace.isPresent()) {
        problems.invalid(gracePath, grace.getAsLong(), "must not be set for readinessProbes");
      }
    } else if (probe.integer("successThreshold").orElse(0) != 1) {
      problems.invalid(
          at.field("successThreshold"), probe.integer("successThreshold").orElse(0), "must be 1");
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
        problems.oneOf(at.field("scheme"), handler.text("scheme", ""), SCHEMES);
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
        if (gracePeriod.isPresent() && (seconds < 0 || seconds > gracePeriod.getAsLong())) {
          problems.invalid(
              at,
              seconds,
              "must be non-negative and less than terminationGracePeriodSeconds (%d)"
                  .formatted(gracePeriod.getAsLong()));
        }
      }
    }
  }

  private static List<String> linuxSignals() {
    List<String> signals =
        new ArrayList<>(
            List.of(
                "SIGABRT",
                "SIGALRM",
                "SIGBUS",
                "SIGCHLD",
                "SIGCLD",
                "SIGCONT",
                "SIGFPE",
                "SIGHUP",
                "SIGILL",
                "SIGINT",
                "SIGIO",
                "SIGIOT",
                "SIGKILL",
                "SIGPIPE",
                "SIGPOLL",
                "SIGPROF",
                "SIGPWR",
                "SIGQUIT",
                "SIGSEGV",
                "SIGSTKFLT",
                "SIGSTOP",
                "SIGSYS",
                "SIGTERM",
                "SIGTRAP",
                "SIGTSTP",
                "SIGTTIN",
                "SIGTTOU",
                "SIGURG",
                "SIGUSR1",
                "SIGUSR2",
                "SIGVTALRM",
                "SIGWINCH",
                "SIGXCPU",
                "SIGXFSZ",
                "SIGRTMIN",
                "SIGRTMAX"));
    for (int i = 1; i <= 15; i++) {
      signals.add("SIGRTMIN+" + i);
    }
    for (int i = 1; i <= 14; i++) {
      signals.add("SIGRTMAX-" + i);
    }
    return signals.stream().sorted().toList();
  }
}
