package dev.berth.admission.service;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which ports of a service get which node ports, as upstream decides it:
 *
 * <ol>
 *   <li>A port of a new service shares its node port with the same port over another protocol.
 *   <li>Who replaces a service by what it once sent does not take its node ports away: ports keep
 *       them by their names.
 *   <li>A load balancer that wants no node ports still gets those that are named.
 * </ol>
 */
final class NodePortAssignment {
  private static final String NODE_PORT = "nodePort";
  private static final String HEALTH_CHECK = "healthCheckNodePort";

  private final AdmissionRequest request;
  private final NodePorts.Operation ports;
  private final int most;

  NodePortAssignment(AdmissionRequest request, NodePorts nodePorts) {
    this.request = request;
    this.ports = nodePorts.begin(request);
    this.most = nodePorts.size();
  }

  /** A specification with its node ports. */
  JsonObject assign(JsonObject spec) {
    JsonObject before = request.old().object("spec");
    JsonObject assigned = spec;
    if (mayHaveNodePorts(spec)) {
      checkCount(spec);
      assigned =
          request.creates() ? create(spec) : update(withKnown(spec, before), nodePorts(before));
    }
    return healthCheck(assigned, before);
  }

  private static boolean mayHaveNodePorts(JsonObject spec) {
    String type = spec.text("type", "");
    return type.equals("NodePort") || type.equals("LoadBalancer");
  }

  /** Whether all ports of a service are to have node ports. */
  private static boolean needsNodePorts(JsonObject spec) {
    String type = spec.text("type", "");
    return type.equals("NodePort")
        || (type.equals("LoadBalancer") && spec.flag("allocateLoadBalancerNodePorts", true));
  }

  /** Refuses at once what could never be given out. */
  private void checkCount(JsonObject spec) {
    int count = spec.array("ports").size();
    if (count >= most) {
      throw invalid(
          new FieldError(
              FieldError.Reason.TOO_MANY,
              "spec.ports",
              (long) count,
              "must have at most %d items".formatted(most - 1)));
    }
  }

  private JsonObject create(JsonObject spec) {
    List<JsonObject> all = new ArrayList<>(spec.array("ports").objects());
    Map<Long, Long> requested = new HashMap<>();
    for (JsonObject port : all) {
      if (nodePort(port) != 0) {
        requested.putIfAbsent(number(port), nodePort(port));
      }
    }
    Map<Long, Long> shared = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      JsonObject port = all.get(i);
      long own = nodePort(port);
      if (own == 0 && !needsNodePorts(spec)) {
        continue;
      }
      Long given = shared.get(number(port));
      if (given == null) {
        given = requested.get(number(port));
        if (given == null) {
          given = next();
        } else {
          take(i, given);
        }
        shared.put(number(port), given);
        all.set(i, port.with(NODE_PORT, given));
      } else if (own == 0) {
        all.set(i, port.with(NODE_PORT, given));
      } else if (own != given) {
        take(i, own);
      }
    }
    return withPorts(spec, all);
  }

  /** The node ports that a replaced service had, where they are missing and not used otherwise. */
  private static JsonObject withKnown(JsonObject spec, JsonObject before) {
    if (!needsNodePorts(spec) || !needsNodePorts(before)) {
      return spec;
    }
    Set<Long> used = nodePorts(before);
    used.retainAll(nodePorts(spec));
    Map<String, Long> known = new HashMap<>();
    before
        .array("ports")
        .objects()
        .forEach(port -> known.put(port.text("name", ""), nodePort(port)));
    return withPorts(
        spec,
        spec.array("ports").objects().stream()
            .map(port -> {
              long old = known.getOrDefault(port.text("name", ""), 0L);
              return nodePort(port) != 0 || old == 0 || used.contains(old)
                  ? port
                  : port.with(NODE_PORT, old);
            })
            .toList());
  }

  private JsonObject update(JsonObject spec, Set<Long> own) {
    List<JsonObject> all = new ArrayList<>(spec.array("ports").objects());
    Set<Long> taken = new HashSet<>(own);
    Set<String> met = new HashSet<>();
    for (int i = 0; i < all.size(); i++) {
      long wanted = nodePort(all.get(i));
      if (wanted != 0) {
        if (taken.add(wanted)) {
          take(i, wanted);
        }
      } else if (needsNodePorts(spec)) {
        all.set(i, all.get(i).with(NODE_PORT, next()));
      }
      refuseTwice(all.get(i), met);
    }
    return withPorts(spec, all);
  }

  /** Upstream finds this before it validates, so that it is no field's error. */
  private static void refuseTwice(JsonObject port, Set<String> met) {
    String pair = "{%s %d}".formatted(port.text("protocol", ""), nodePort(port));
    if (nodePort(port) != 0 && !met.add(pair)) {
      throw Failures.unknown("duplicate nodePort: " + pair);
    }
  }

  /** Gives a service a port at which nodes say whether they have pods of it. */
  private JsonObject healthCheck(JsonObject spec, JsonObject before) {
    if (!needsHealthCheck(spec)) {
      return spec;
    }
    long number = spec.integer(HEALTH_CHECK).orElse(0);
    if (needsHealthCheck(before)) {
      long old = before.integer(HEALTH_CHECK).orElse(0);
      return number == 0 && old != 0 ? spec.with(HEALTH_CHECK, old) : spec;
    }
    if (number == 0) {
      return spec.with(
          HEALTH_CHECK,
          (long)
              ports
                  .next()
                  .orElseThrow(() ->
                      Failures.internal(
                          "failed to allocate a HealthCheck NodePort 0: range is full")));
    }
    ports
        .take(number)
        .ifPresent(why -> {
          throw Failures.internal(
              "failed to allocate requested HealthCheck NodePort %d: %s".formatted(number, why));
        });
    return spec;
  }

  private static boolean needsHealthCheck(JsonObject spec) {
    return spec.text("type", "").equals("LoadBalancer")
        && spec.text("externalTrafficPolicy", "").equals("Local");
  }

  private long next() {
    return ports
        .next()
        .orElseThrow(() -> Failures.internal("failed to allocate a nodePort: range is full"));
  }

  private void take(int index, long port) {
    Optional<String> refusal = ports.take(port);
    if (refusal.isPresent()) {
      throw invalid(
          FieldError.invalid("spec.ports[%d].nodePort".formatted(index), port, refusal.get()));
    }
  }

  private RuntimeException invalid(FieldError error) {
    return Failures.invalid(
        request.resource().groupKind(), Metadata.of(request.object()).name(), List.of(error));
  }

  private static long number(JsonObject port) {
    return port.integer("port").orElse(0);
  }

  private static long nodePort(JsonObject port) {
    return port.integer(NODE_PORT).orElse(0);
  }

  private static Set<Long> nodePorts(JsonObject spec) {
    Set<Long> numbers = new HashSet<>();
    spec.array("ports").objects().forEach(port -> numbers.add(nodePort(port)));
    numbers.remove(0L);
    return numbers;
  }

  private static JsonObject withPorts(JsonObject spec, List<JsonObject> ports) {
    return ports.isEmpty() ? spec : spec.with("ports", JsonArray.copyOf(ports));
  }
}
