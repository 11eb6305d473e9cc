package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.EndpointAddresses;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is wrong with a service. */
final class ServiceValidation {
  static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");
  private static final String TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";
  private static final String TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
  private static final String SOURCE_RANGES =
      "service.beta.kubernetes.io/load-balancer-source-ranges";
  private static final List<String> AFFINITIES = List.of("ClientIP", "None");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final List<String> POLICIES = List.of("Cluster", "Local");
  private static final List<String> DISTRIBUTIONS =
      List.of("PreferClose", "PreferSameZone", "PreferSameNode");
  private static final long LONGEST_AFFINITY_SECONDS = 86_400;

  private final FieldErrorList problems;

  ServiceValidation(FieldErrorList problems) {
    this.problems = problems;
  }

  /**
   * @param old what the service was; empty if it is new
   */
  void validate(JsonObject service, JsonObject old) {
    JsonObject spec = service.object("spec");
    JsonObject before = old.object("spec");
    topology(Metadata.of(service).annotations());
    boolean headless = ServiceTraits.isHeadless(spec);
    if (spec.array("ports").isEmpty() && !headless && !ServiceTraits.isExternalName(spec)) {
      problems.required(SPEC.field("ports"), "");
    }
    if (headless && ServiceTraits.hasNodePorts(spec)) {
      problems.invalid(
          SPEC.field("clusterIPs").index(0),
          "None",
          "may not be set to 'None' for %s services".formatted(spec.text("type", "")));
    }
    if (ServiceTraits.isExternalName(spec)) {
      externalName(spec);
    }
    ports(spec.array("ports").objects());
    selector(spec.object("selector"));
    affinity(spec);
    ServiceAddressValidation.validate(spec, before, problems);
    externalAddresses(spec.array("externalIPs").texts(), before);
    problems.oneOf(SPEC.field("type"), spec.text("type", ""), ServiceTraits.TYPES);
    numbers(spec);
    sourceRanges(service, old);
    loadBalancer(spec);
    traffic(spec);
  }

  private void topology(JsonObject annotations) {
    String mode = annotations.text(TOPOLOGY_MODE);
    String hints = annotations.text(TOPOLOGY_HINTS);
    if (mode != null && hints != null && !mode.equals(hints)) {
      problems.invalid(
          ANNOTATIONS.key(TOPOLOGY_MODE),
          mode,
          "must match annotations[%s] when both are specified".formatted(TOPOLOGY_HINTS));
    }
  }

  private void externalName(JsonObject spec) {
    for (String field : List.of("clusterIPs", "ipFamilies")) {
      if (!spec.array(field).isEmpty()) {
        problems.forbidden(SPEC.field(field), "may not be set for ExternalName services");
      }
    }
    if (spec.has("ipFamilyPolicy")) {
      problems.forbidden(SPEC.field("ipFamilyPolicy"), "may not be set for ExternalName services");
    }
    String name = spec.text("externalName", "").replaceFirst("\\.$", "");
    if (name.isEmpty()) {
      problems.required(SPEC.field("externalName"), "");
    } else {
      problems.invalid(SPEC.field("externalName"), name, NameRules.dns1123Subdomain(name));
    }
  }

  private void ports(List<JsonObject> ports) {
    Set<String> names = new HashSet<>();
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
      problems.portNumber(port.integer("port").orElse(0), at.field("port"));
      problems.oneOf(at.field("protocol"), port.text("protocol", ""), PROTOCOLS);
      if (port.has("targetPort")) {
        problems.port(port, "targetPort", at);
      } else {
        problems.portNumber(0, at.field("targetPort"));
      }
      String protocol = port.text("appProtocol");
      if (protocol != null) {
        problems.invalid(at.field("appProtocol"), protocol, NameRules.qualifiedName(protocol));
      }
    }
  }

  private void selector(JsonObject selector) {
    for (String key : selector.names()) {
      String value = selector.text(key, "");
      problems.invalid(SPEC.field("selector"), key, NameRules.qualifiedName(key));
      problems.invalid(SPEC.field("selector"), value, NameRules.labelValue(value));
    }
  }

  private void affinity(JsonObject spec) {
    problems.oneOf(SPEC.field("sessionAffinity"), spec.text("sessionAffinity", ""), AFFINITIES);
    if (!spec.text("sessionAffinity", "").equals("ClientIP")) {
      return;
    }
    long seconds =
        spec.object("sessionAffinityConfig").object("clientIP").integer("timeoutSeconds").orElse(0);
    if (seconds <= 0 || seconds > LONGEST_AFFINITY_SECONDS) {
      problems.invalid(
          SPEC.field("sessionAffinityConfig").field("clientIP").field("timeoutSeconds"),
          seconds,
          "must be greater than 0 and less than " + LONGEST_AFFINITY_SECONDS);
    }
  }

  private void externalAddresses(List<String> addresses, JsonObject before) {
    Set<String> known = Set.copyOf(before.array("externalIPs").texts());
    for (int i = 0; i < addresses.size(); i++) {
      String address = addresses.get(i);
      List<String> wrong = known.contains(address) ? List.of() : AddressRules.address(address);
      problems.invalid(
          SPEC.field("externalIPs").index(i),
          address,
          wrong.isEmpty() ? EndpointAddresses.problems(address) : wrong);
    }
  }

  /** Ports by their numbers: of the service, and of nodes. */
  private void numbers(JsonObject spec) {
    List<JsonObject> ports = spec.array("ports").objects();
    if (spec.text("type", "").equals("ClusterIP")) {
      for (int i = 0; i < ports.size(); i++) {
        if (ports.get(i).integer("nodePort").orElse(0) != 0) {
          problems.forbidden(
              SPEC.field("ports").index(i).field("nodePort"),
              "may not be used when `type` is 'ClusterIP'");
        }
      }
    }
    Set<String> ofNodes = new HashSet<>();
    Set<String> own = new HashSet<>();
    for (int i = 0; i < ports.size(); i++) {
      String protocol = ports.get(i).text("protocol", "");
      long node = ports.get(i).integer("nodePort").orElse(0);
      if (node != 0 && !ofNodes.add(protocol + node)) {
        problems.duplicate(SPEC.field("ports").index(i).field("nodePort"), node);
      }
    }
    for (int i = 0; i < ports.size(); i++) {
      String protocol = ports.get(i).text("protocol", "");
      long number = ports.get(i).integer("port").orElse(0);
      if (!own.add(protocol + number)) {
        problems.duplicate(SPEC.field("ports").index(i), shown(protocol, number));
      }
    }
  }

  /** A port as upstream shows it: all fields of its own type, most of them empty. */
  private static JsonObject shown(String protocol, long number) {
    return new JsonObject.Builder()
        .put("Name", "")
        .put("Protocol", protocol)
        .put("AppProtocol", JsonNull.NULL)
        .put("Port", number)
        .put("TargetPort", 0L)
        .put("NodePort", 0L)
        .build();
  }

  private void sourceRanges(JsonObject service, JsonObject old) {
    JsonObject spec = service.object("spec");
    boolean balanced = ServiceTraits.isLoadBalancer(spec);
    List<String> ranges = spec.array("loadBalancerSourceRanges").texts();
    String annotated = Metadata.of(service).annotations().text(SOURCE_RANGES);
    String wrongType = "may only be used when `type` is 'LoadBalancer'";
    if (!ranges.isEmpty()) {
      FieldPath at = SPEC.field("LoadBalancerSourceRanges");
      if (!balanced) {
        problems.forbidden(at, wrongType);
      }
      Set<String> known =
          old.object("spec").array("loadBalancerSourceRanges").texts().stream()
              .map(String::strip)
              .collect(Collectors.toSet());
      for (int i = 0; i < ranges.size(); i++) {
        String range = ranges.get(i).strip();
        if (!known.contains(range)) {
          problems.invalid(at.index(i), range, AddressRules.range(range));
        }
      }
    } else if (annotated != null) {
      FieldPath at = ANNOTATIONS.key(SOURCE_RANGES);
      if (!balanced) {
        problems.forbidden(at, wrongType);
      }
      boolean changed = !annotated.equals(Metadata.of(old).annotations().text(SOURCE_RANGES));
      if (changed && !annotated.isBlank()) {
        for (String range : annotated.strip().split(",", -1)) {
          problems.invalid(at, range.strip(), AddressRules.range(range.strip()));
        }
      }
    }
  }

  private void loadBalancer(JsonObject spec) {
    boolean balanced = ServiceTraits.isLoadBalancer(spec);
    if (spec.has("allocateLoadBalancerNodePorts") && !balanced) {
      problems.forbidden(
          SPEC.field("allocateLoadBalancerNodePorts"),
          "may only be used when `type` is 'LoadBalancer'");
    }
    String name = spec.text("loadBalancerClass");
    if (name != null && !balanced) {
      problems.forbidden(
          SPEC.field("loadBalancerClass"), "may only be used when `type` is 'LoadBalancer'");
    } else if (name != null) {
      problems.invalid(SPEC.field("loadBalancerClass"), name, NameRules.qualifiedName(name));
    }
  }

  private void traffic(JsonObject spec) {
    String external = spec.text("externalTrafficPolicy", "");
    FieldPath at = SPEC.field("externalTrafficPolicy");
    if (!ServiceTraits.isReachedFromOutside(spec)) {
      if (!external.isEmpty()) {
        problems.invalid(at, external, "may only be set for externally-accessible services");
      }
    } else {
      problems.oneOf(at, external, POLICIES);
    }
    FieldPath checkAt = SPEC.field("healthCheckNodePort");
    long check = spec.integer("healthCheckNodePort").orElse(0);
    if (!ServiceTraits.hasHealthCheck(spec)) {
      if (check != 0) {
        problems.invalid(
            checkAt,
            check,
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
      }
    } else if (check != 0) {
      problems.portNumber(check, checkAt);
    }
    String internal = spec.text("internalTrafficPolicy");
    if (internal != null) {
      problems.oneOf(SPEC.field("internalTrafficPolicy"), internal, POLICIES);
    }
    String distribution = spec.text("trafficDistribution");
    if (distribution != null) {
      problems.oneOf(SPEC.field("trafficDistribution"), distribution, DISTRIBUTIONS);
    }
  }
}
