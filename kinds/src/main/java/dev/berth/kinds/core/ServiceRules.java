package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Services: the ports and addresses by which pods are reached. Admission gives out both. */
final class ServiceRules implements ResourceRules {
  private static final long AFFINITY_SECONDS = 10_800;

  @Override
  public JsonObject defaults(JsonObject service) {
    JsonObject filled =
        FieldRules.within(
            service,
            "spec",
            spec -> {
              JsonObject all = filledText(spec, "type", "ClusterIP");
              all = filledText(all, "sessionAffinity", "None");
              all = byType(byAffinity(all));
              JsonArray ports = all.array("ports").mapObjects(ServiceRules::filledPort);
              return ports.isEmpty() ? all : all.with("ports", ports);
            });
    return ServiceTraits.isLoadBalancer(filled.object("spec"))
        ? LoadBalancerStatus.defaults(filled)
        : filled;
  }

  /** The object with a text; clients that write all fields leave it empty to leave it out. */
  private static JsonObject filledText(JsonObject object, String field, String value) {
    return object.text(field, "").isEmpty() ? object.with(field, value) : object;
  }

  private static JsonObject filledPort(JsonObject port) {
    JsonObject filled = filledText(port, "protocol", "TCP");
    Object target = filled.get("targetPort");
    boolean unset = target == null || target.equals(0L) || target.equals("");
    Object number = filled.get("port");
    return unset && number != null ? filled.with("targetPort", number) : filled;
  }

  private static JsonObject byAffinity(JsonObject spec) {
    return switch (spec.text("sessionAffinity", "")) {
      case "None" -> spec.without("sessionAffinityConfig");
      case "ClientIP" ->
          spec.object("sessionAffinityConfig").object("clientIP").has("timeoutSeconds")
              ? spec
              : spec.with(
                  "sessionAffinityConfig",
                  JsonObject.of("clientIP", JsonObject.of("timeoutSeconds", AFFINITY_SECONDS)));
      default -> spec;
    };
  }

  private static JsonObject byType(JsonObject spec) {
    JsonObject filled = spec;
    if (ServiceTraits.isReachedFromOutside(spec)) {
      filled = filledText(filled, "externalTrafficPolicy", "Cluster");
    }
    if (ServiceTraits.hasKnownType(spec) && !ServiceTraits.isExternalName(spec)) {
      filled = FieldRules.orDefault(filled, "internalTrafficPolicy", "Cluster");
    }
    return ServiceTraits.isLoadBalancer(spec)
        ? FieldRules.orDefault(filled, "allocateLoadBalancerNodePorts", true)
        : filled;
  }

  /**
   * Who changes the type of a service, and writes back the rest as it was read, means the rest to
   * follow: what the new type cannot have goes, unless it was changed, too.
   */
  @Override
  public JsonObject prepareForUpdate(JsonObject service, JsonObject old, Instant now) {
    JsonObject spec = service.object("spec");
    JsonObject before = old.object("spec");
    JsonObject kept = spec;
    if (!ServiceTraits.isExternalName(before) && ServiceTraits.isExternalName(spec)) {
      if (isSameOrLeftOut("clusterIPs", spec, before)
          && isSameOrLeftOut("clusterIP", spec, before)) {
        kept = kept.without("clusterIP").without("clusterIPs");
      }
      kept = withoutSame("ipFamilies", kept, before);
      kept = withoutSame("ipFamilyPolicy", kept, before);
    }
    if (ServiceTraits.hasNodePorts(before)
        && !ServiceTraits.hasNodePorts(spec)
        && nodePorts(before).containsAll(nodePorts(spec))
        && spec.has("ports")) {
      kept = kept.with("ports", spec.array("ports").mapObjects(port -> port.without("nodePort")));
    }
    if (ServiceTraits.hasHealthCheck(before) && !ServiceTraits.hasHealthCheck(spec)) {
      kept = withoutSame("healthCheckNodePort", kept, before);
    }
    boolean balanced = ServiceTraits.isLoadBalancer(spec);
    if (ServiceTraits.isLoadBalancer(before) && !balanced) {
      kept = withoutSame("allocateLoadBalancerNodePorts", kept, before);
      kept = withoutSame("loadBalancerClass", kept, before);
    }
    if (ServiceTraits.isReachedFromOutside(before) && !ServiceTraits.isReachedFromOutside(spec)) {
      kept = withoutSame("externalTrafficPolicy", kept, before);
    }
    JsonObject changed = service.with("spec", kept);
    return balanced || !changed.object("status").has("loadBalancer")
        ? changed
        : FieldRules.within(
            changed, "status", status -> status.with("loadBalancer", JsonObject.EMPTY));
  }

  private static boolean isSame(String field, JsonObject spec, JsonObject before) {
    return Objects.equals(spec.get(field), before.get(field));
  }

  /** Whether it is as it was, or the client does not know or want the field. */
  private static boolean isSameOrLeftOut(String field, JsonObject spec, JsonObject before) {
    return !spec.has(field) || isSame(field, spec, before);
  }

  private static JsonObject withoutSame(String field, JsonObject spec, JsonObject before) {
    return isSame(field, spec, before) ? spec.without(field) : spec;
  }

  private static Set<Long> nodePorts(JsonObject spec) {
    Set<Long> ports = new HashSet<>();
    for (JsonObject port : spec.array("ports").objects()) {
      port.integer("nodePort").ifPresent(ports::add);
    }
    ports.remove(0L);
    return ports;
  }

  @Override
  public List<FieldError> validate(JsonObject service) {
    return validateReplacing(service, JsonObject.EMPTY);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject service, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    new ServiceValidation(problems).validate(service, old);
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject service, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = service.object("spec");
    JsonObject before = old.object("spec");
    ServiceAddressValidation.validateUpdate(spec, before, problems);
    boolean balanced = ServiceTraits.isLoadBalancer(before) && ServiceTraits.isLoadBalancer(spec);
    if (balanced && !isSame("loadBalancerClass", spec, before)) {
      Object now = spec.get("loadBalancerClass");
      problems.invalid(
          ServiceValidation.SPEC.field("loadBalancerClass"),
          now == null ? JsonNull.NULL : now,
          "may not change once set");
    }
    boolean checked = ServiceTraits.hasHealthCheck(before) && ServiceTraits.hasHealthCheck(spec);
    if (checked && !isSame("healthCheckNodePort", spec, before)) {
      problems.forbidden(ServiceValidation.SPEC.field("healthCheckNodePort"), "field is immutable");
    }
    return problems.all();
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject service, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    LoadBalancerStatus.validate(service, old, problems);
    return problems.all();
  }
}
