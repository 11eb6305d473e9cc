package dev.berth.kinds.devices;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a claim asks for: requests of devices, what they must have in common, and configuration. */
final class DeviceClaims {
  static final int MOST_REQUESTS = 32;
  private static final int MOST_CONSTRAINTS = 32;
  private static final int MOST_ALTERNATIVES = 8;
  private static final List<String> MODES = List.of("All", "ExactCount");
  private static final String NO_REQUEST =
      "must be the name of a request in the claim or the name of a request and a subrequest"
          + " separated by '/'";

  private final FieldErrorList problems;
  private final DeviceChecks checks;

  DeviceClaims(FieldErrorList problems) {
    this.problems = problems;
    this.checks = new DeviceChecks(problems);
  }

  /** A claim's specification with how many devices each request is for. */
  static JsonObject defaults(JsonObject spec) {
    JsonObject devices = spec.object("devices");
    if (!devices.has("requests")) {
      return spec;
    }
    JsonArray requests =
        devices
            .array("requests")
            .mapObjects(request -> {
              JsonObject filled = request;
              if (request.has("exactly")) {
                filled = FieldRules.within(filled, "exactly", DeviceClaims::counted);
              }
              if (request.has("firstAvailable")) {
                filled =
                    filled.with(
                        "firstAvailable",
                        request.array("firstAvailable").mapObjects(DeviceClaims::counted));
              }
              return filled;
            });
    return spec.with("devices", devices.with("requests", requests));
  }

  private static JsonObject counted(JsonObject sent) {
    JsonObject request =
        FieldRules.each(
            sent,
            "tolerations",
            toleration ->
                toleration.text("operator", "").isEmpty()
                    ? toleration.with("operator", "Equal")
                    : toleration);
    String mode = request.text("allocationMode", "");
    JsonObject filled = mode.isEmpty() ? request.with("allocationMode", "ExactCount") : request;
    boolean counts = mode.isEmpty() || mode.equals("ExactCount");
    return counts && request.integer("count").orElse(0) == 0 ? filled.with("count", 1L) : filled;
  }

  void validate(JsonObject spec, FieldPath path) {
    JsonObject devices = spec.object("devices");
    FieldPath at = path.field("devices");
    checks.eachOnce(
        devices.array("requests"),
        MOST_REQUESTS,
        at.field("requests"),
        request -> request.text("name", ""),
        this::request);
    Map<String, Set<String>> names = requestNames(spec);
    checks.each(
        devices.array("constraints"),
        MOST_CONSTRAINTS,
        at.field("constraints"),
        (constraint, place) -> constraint(constraint, place, names));
    checks.each(
        devices.array("config"),
        DeviceChecks.MOST_CONFIGURATIONS,
        at.field("config"),
        (config, place) -> {
          requestReferences(config, place, names);
          checks.configuration(config, place);
        });
  }

  /** The requests of a claim, each with its alternatives. */
  static Map<String, Set<String>> requestNames(JsonObject spec) {
    Map<String, Set<String>> names = new HashMap<>();
    for (JsonObject request : spec.object("devices").array("requests").objects()) {
      names.put(
          request.text("name", ""),
          request.array("firstAvailable").objects().stream()
              .map(alternative -> alternative.text("name", ""))
              .collect(Collectors.toSet()));
    }
    return names;
  }

  private void request(JsonObject request, FieldPath at) {
    checks.label(request.text("name", ""), at.field("name"));
    boolean exactly = request.has("exactly");
    boolean alternatives = !request.array("firstAvailable").isEmpty();
    if (exactly && alternatives) {
      problems.invalid(
          at,
          JsonNull.NULL,
          "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
    } else if (exactly) {
      devices(request.object("exactly"), at.field("exactly"));
    } else if (alternatives) {
      checks.eachOnce(
          request.array("firstAvailable"),
          MOST_ALTERNATIVES,
          at.field("firstAvailable"),
          alternative -> alternative.text("name", ""),
          (alternative, place) -> {
            checks.label(alternative.text("name", ""), place.field("name"));
            devices(alternative, place);
          });
    } else {
      problems.required(at, "exactly one of `exactly` or `firstAvailable` is required");
    }
  }

  private void devices(JsonObject request, FieldPath at) {
    if (problems.present(request, "deviceClassName", at)) {
      String name = request.text("deviceClassName", "");
      problems.invalid(at.field("deviceClassName"), name, NameRules.dns1123Subdomain(name));
    }
    checks.selectors(request.array("selectors"), at.field("selectors"));
    String mode = request.text("allocationMode", "");
    long count = request.integer("count").orElse(0);
    switch (mode) {
      case "All" -> {
        if (count != 0) {
          problems.invalid(
              at.field("count"), count, "must not be specified when allocationMode is 'All'");
        }
      }
      case "ExactCount" -> {
        if (count <= 0) {
          problems.invalid(at.field("count"), count, "must be greater than zero");
        }
      }
      default -> problems.oneOf(at.field("allocationMode"), mode, MODES);
    }
    List<JsonObject> tolerations = request.array("tolerations").objects();
    for (int i = 0; i < tolerations.size(); i++) {
      checks.toleration(tolerations.get(i), at.field("tolerations").index(i));
    }
  }

  private void constraint(JsonObject constraint, FieldPath at, Map<String, Set<String>> names) {
    requestReferences(constraint, at, names);
    String match = constraint.text("matchAttribute");
    String distinct = constraint.text("distinctAttribute");
    if (match != null) {
      checks.fullyQualified(match, at.field("matchAttribute"));
    } else if (distinct != null) {
      checks.fullyQualified(distinct, at.field("distinctAttribute"));
    } else {
      problems.required(
          at,
          "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple"
              + " fields are set");
    }
  }

  /** The requests that a constraint or a configuration is for. */
  void requestReferences(JsonObject holder, FieldPath at, Map<String, Set<String>> names) {
    List<String> requests = holder.array("requests").texts();
    FieldPath place = at.field("requests");
    if (problems.tooMany(place, requests.size(), MOST_REQUESTS)) {
      return;
    }
    for (int i = 0; i < requests.size(); i++) {
      requestReference(requests.get(i), place.index(i), names);
    }
    checks.notTwice(requests, place);
  }

  void requestReference(String name, FieldPath at, Map<String, Set<String>> names) {
    List<String> parts = new ArrayList<>(List.of(name.split("/", -1)));
    if (parts.size() > 2) {
      problems.invalid(at, name, NO_REQUEST);
      return;
    }
    parts.forEach(part -> checks.label(part, at));
    Set<String> alternatives = names.get(parts.getFirst());
    boolean known =
        alternatives != null && (parts.size() == 1 || alternatives.contains(parts.get(1)));
    if (!known) {
      problems.invalid(at, name, NO_REQUEST);
    }
  }
}
