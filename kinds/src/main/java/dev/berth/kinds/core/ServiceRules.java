package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Services: the ports and addresses by which pods are reached. Admission gives out both. */
final class ServiceRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> TYPES =
      List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
  private static final List<String> AFFINITIES = List.of("ClientIP", "None");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final List<String> POLICIES = List.of("Cluster", "Local");
  private static final long AFFINITY_SECONDS = 10_800;

  @Override
  public JsonObject defaults(JsonObject service) {
    return FieldRules.within(
        service,
        "spec",
        spec -> {
          JsonObject filled = FieldRules.orDefault(spec, "type", "ClusterIP");
          filled = FieldRules.orDefault(filled, "sessionAffinity", "None");
          filled = byAffinity(filled);
          filled = byType(filled);
          JsonArray ports = filled.array("ports").mapObjects(ServiceRules::filledPort);
          return ports.isEmpty() ? filled : filled.with("ports", ports);
        });
  }

  private static JsonObject filledPort(JsonObject port) {
    JsonObject filled = FieldRules.orDefault(port, "protocol", "TCP");
    Object number = filled.get("port");
    return number == null ? filled : FieldRules.orDefault(filled, "targetPort", number);
  }

  private static JsonObject byAffinity(JsonObject spec) {
    return switch (spec.text("sessionAffinity", "")) {
      case "None" -> spec.without("sessionAffinityConfig");
      case "ClientIP" ->
          FieldRules.within(
              spec,
              "sessionAffinityConfig",
              config ->
                  FieldRules.within(
                      config,
                      "clientIP",
                      ip -> FieldRules.orDefault(ip, "timeoutSeconds", AFFINITY_SECONDS)));
      default -> spec;
    };
  }

  private static JsonObject byType(JsonObject spec) {
    String type = spec.text("type", "");
    JsonObject filled =
        type.equals("ExternalName")
            ? spec
            : FieldRules.orDefault(spec, "internalTrafficPolicy", "Cluster");
    boolean outside = type.equals("NodePort") || type.equals("LoadBalancer");
    filled = outside ? FieldRules.orDefault(filled, "externalTrafficPolicy", "Cluster") : filled;
    return type.equals("LoadBalancer")
        ? FieldRules.orDefault(filled, "allocateLoadBalancerNodePorts", true)
        : filled;
  }

  @Override
  public List<FieldError> validate(JsonObject service) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = service.object("spec");
    String type = spec.text("type", "");
    boolean headless = spec.text("clusterIP", "").equals("None");
    if (spec.array("ports").isEmpty() && !headless && !type.equals("ExternalName")) {
      problems.required(SPEC.field("ports"), "");
    }
    switch (type) {
      case "LoadBalancer", "NodePort" -> {
        if (headless) {
          problems.invalid(
              SPEC.field("clusterIPs").index(0),
              "None",
              "may not be set to 'None' for %s services".formatted(type));
        }
      }
      case "ExternalName" -> {
        String name = spec.text("externalName", "").replaceFirst("\\.$", "");
        if (name.isEmpty()) {
          problems.required(SPEC.field("externalName"), "");
        } else {
          problems.invalid(SPEC.field("externalName"), name, NameRules.dns1123Subdomain(name));
        }
      }
      default -> {}
    }
    ports(spec, type, problems);
    labels(spec.object("selector"), problems);
    problems.oneOf(SPEC.field("sessionAffinity"), spec.text("sessionAffinity", ""), AFFINITIES);
    List<String> external = spec.array("externalIPs").texts();
    for (int i = 0; i < external.size(); i++) {
      problems.address(external.get(i), SPEC.field("externalIPs").index(i));
    }
    problems.oneOf(SPEC.field("type"), type, TYPES);
    for (String policy : List.of("internalTrafficPolicy", "externalTrafficPolicy")) {
      if (spec.has(policy)) {
        problems.oneOf(SPEC.field(policy), spec.text(policy, ""), POLICIES);
      }
    }
    return problems.all();
  }

  private static void labels(JsonObject selector, FieldErrorList problems) {
    for (String key : selector.names()) {
      String value = selector.text(key, "");
      problems.invalid(SPEC.field("selector"), key, NameRules.qualifiedName(key));
      problems.invalid(SPEC.field("selector"), value, NameRules.labelValue(value));
    }
  }

  private static void ports(JsonObject spec, String type, FieldErrorList problems) {
    List<JsonObject> ports = spec.array("ports").objects();
    Set<String> names = new HashSet<>();
    Set<String> numbers = new HashSet<>();
    for (int i = 0; i < ports.size(); i++) {
      JsonObject port = ports.get(i);
      FieldPath at = SPEC.field("ports").index(i);
      String name = port.text("name", "");
      if (!name.isEmpty()) {
        problems.invalid(at.field("name"), name, NameRules.dns1123Label(name));
        if (!names.add(name)) {
          problems.duplicate(at.field("name"), name);
        }
      } else if (ports.size() > 1) {
        problems.required(at.field("name"), "");
      }
      long number = port.integer("port").orElse(0);
      if (number < 1 || number > 65535) {
        problems.invalid(at.field("port"), number, "must be between 1 and 65535, inclusive");
      }
      problems.oneOf(at.field("protocol"), port.text("protocol", ""), PROTOCOLS);
      if (port.has("targetPort")) {
        problems.port(port, "targetPort", at);
      }
      if (!numbers.add(port.text("protocol", "") + number)) {
        problems.duplicate(
            at, JsonObject.of("port", number).with("protocol", port.text("protocol", "")));
      }
      boolean outside = type.equals("NodePort") || type.equals("LoadBalancer");
      if (port.integer("nodePort").orElse(0) != 0 && !outside) {
        problems.forbidden(
            at.field("nodePort"), "may not be used when `type` is '%s'".formatted(type));
      }
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject service, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject spec = service.object("spec");
    JsonObject before = old.object("spec");
    String was = before.text("clusterIP", "");
    String external = "ExternalName";
    boolean keeps =
        !spec.text("type", "").equals(external) && !before.text("type", "").equals(external);
    if (keeps && !was.isEmpty() && !was.equals(spec.text("clusterIP", ""))) {
      errors.add(
          FieldError.invalid(
              "spec.clusterIPs[0]",
              JsonArray.of(spec.text("clusterIP", "")),
              "may not change once set"));
    }
    return errors;
  }
}
