package dev.berth.admission;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Gives services their cluster addresses and node ports, each to one service only. What is taken is
 * what the services in the store have, and what is set aside for those that are about to be
 * written; so nothing needs to be given back when a service goes. Not a policy that could be turned
 * off.
 *
 * <p>Several servers on one store would have to set aside in the store; this one does it in memory.
 */
public final class ServiceAllocation implements AdmissionPlugin {
  private static final int FIRST_PORT = 30_000;
  private static final int LAST_PORT = 32_767;

  private final ClusterReader cluster;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> addressesSetAside = new HashSet<>();
  private final Set<Long> portsSetAside = new HashSet<>();
  private final RandomGenerator random;
  private final ServiceFamilies families =
      new ServiceFamilies(Set.of(Cidr.Family.IPV4), Cidr.Family.IPV4);

  public ServiceAllocation(Registry registry) {
    this.cluster = new ClusterReader(registry);
    this.random = registry.time().random("service-allocation");
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.deletes() || !request.writesCore("services")) {
      return request.object();
    }
    lock.lock();
    try {
      JsonObject spec = request.object().object("spec");
      Taken taken = taken(request.name());
      return request
          .object()
          .with(
              "spec",
              healthCheck(request, ports(request, addresses(request, spec, taken), taken), taken));
    } finally {
      lock.unlock();
    }
  }

  /** What other services have. */
  private record Taken(Set<String> addresses, Set<Long> ports) {}

  private Taken taken(ObjectName own) {
    Taken taken = new Taken(new HashSet<>(addressesSetAside), new HashSet<>(portsSetAside));
    for (JsonObject service : cluster.list(cluster.core("services"), "")) {
      if (!ObjectName.of(service).equals(own)) {
        JsonObject spec = service.object("spec");
        taken.addresses().addAll(spec.array("clusterIPs").texts());
        taken.addresses().add(spec.text("clusterIP", ""));
        taken.ports().add(spec.integer("healthCheckNodePort").orElse(0));
        for (JsonObject port : spec.array("ports").objects()) {
          taken.ports().add(port.integer("nodePort").orElse(0));
        }
      }
    }
    return taken;
  }

  private JsonObject addresses(AdmissionRequest request, JsonObject wanted, Taken taken) {
    if (wanted.text("type", "").equals("ExternalName")) {
      return wanted;
    }
    JsonObject old = request.old().object("spec");
    JsonObject before = old.text("type", "").equals("ExternalName") ? JsonObject.EMPTY : old;
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = families.decide(ServiceFamilies.normalized(wanted, before), before, problems);
    if (!problems.all().isEmpty()) {
      throw Failures.invalid(
          request.resource().groupKind(), Metadata.of(request.object()).name(), problems.all());
    }
    List<String> addresses = new ArrayList<>(spec.array("clusterIPs").texts());
    if (addresses.contains("None")) {
      return spec;
    }
    Set<String> own = Set.copyOf(before.array("clusterIPs").texts());
    for (String address : addresses) {
      if (!own.contains(address)) {
        checkAddress(request, address, taken);
      }
    }
    if (addresses.isEmpty()) {
      String address =
          ServiceAddresses.choose(taken.addresses(), random)
              .orElseThrow(
                  () -> Failures.internal("failed to allocate a serviceIP: range is full"));
      setAside(request, address);
      addresses.add(address);
    }
    return spec.with("clusterIP", addresses.getFirst())
        .with("clusterIPs", JsonArray.copyOf(addresses));
  }

  private void checkAddress(AdmissionRequest request, String address, Taken taken) {
    if (!ServiceAddresses.contains(address)) {
      throw refused(
          request,
          address,
          "the provided IP (%s) is not in the valid range. The range of valid IPs is %s"
              .formatted(address, ServiceAddresses.RANGE));
    }
    if (taken.addresses().contains(address)) {
      throw refused(request, address, "provided IP is already allocated");
    }
    setAside(request, address);
  }

  private void setAside(AdmissionRequest request, String address) {
    if (!request.dryRun()) {
      addressesSetAside.add(address);
      request.afterwards(_ -> locked(() -> addressesSetAside.remove(address)));
    }
  }

  private static RuntimeException refused(AdmissionRequest request, String address, String why) {
    return invalid(
        request,
        FieldError.invalid(
            "spec.clusterIPs",
            JsonArray.of(address),
            "failed to allocate IP %s: %s".formatted(address, why)));
  }

  private JsonObject ports(AdmissionRequest request, JsonObject spec, Taken taken) {
    String type = spec.text("type", "");
    boolean wanted =
        type.equals("NodePort")
            || (type.equals("LoadBalancer") && spec.flag("allocateLoadBalancerNodePorts", true));
    JsonArray ports = spec.array("ports");
    JsonArray before = request.old().object("spec").array("ports");
    Set<Long> own = new HashSet<>();
    before.objects().forEach(port -> own.add(port.integer("nodePort").orElse(0)));
    Map<String, Long> numbers = new HashMap<>();
    before
        .objects()
        .forEach(port -> numbers.putIfAbsent(portText(port), port.integer("nodePort").orElse(0)));
    if (wanted && ports.size() > LAST_PORT - FIRST_PORT) {
      throw invalid(
          request,
          new FieldError(
              FieldError.Reason.TOO_MANY,
              "spec.ports",
              (long) ports.size(),
              "must have at most %d items".formatted(LAST_PORT - FIRST_PORT)));
    }
    Map<Long, Long> byPort = new HashMap<>();
    List<JsonObject> allocated = new ArrayList<>(ports.objects());
    for (int i = 0; i < ports.size(); i++) {
      JsonObject port = allocated.get(i);
      long number = port.integer("nodePort").orElse(0);
      if (number == 0 && wanted) {
        number = numbers.getOrDefault(portText(port), 0L);
      }
      // One number serves a port over all protocols.
      long service = port.integer("port").orElse(0);
      long shared = byPort.getOrDefault(service, 0L);
      if (number == 0 && wanted) {
        number = shared == 0 ? requested(service, ports) : shared;
      }
      if (number == 0 && wanted) {
        number = free(request, taken);
      } else if (number != 0 && wanted && number != shared && !own.contains(number)) {
        checkPort(request, "spec.ports[" + i + "].nodePort", number, taken);
      }
      if (number != 0 && wanted) {
        byPort.putIfAbsent(service, number);
        taken.ports().add(number);
        if (!own.contains(number)) {
          setAside(request, number);
        }
        allocated.set(i, port.with("nodePort", number));
      }
    }
    return ports.isEmpty() ? spec : spec.with("ports", JsonArray.copyOf(allocated));
  }

  /** The node port that is asked for with the same port over another protocol. */
  private static long requested(long service, JsonArray ports) {
    return ports.objects().stream()
        .filter(port -> port.integer("port").orElse(0) == service)
        .mapToLong(port -> port.integer("nodePort").orElse(0))
        .filter(number -> number != 0)
        .findFirst()
        .orElse(0);
  }

  /** Gives a service a port at which nodes say whether they have pods of it. */
  private JsonObject healthCheck(AdmissionRequest request, JsonObject spec, Taken taken) {
    boolean wanted =
        spec.text("type", "").equals("LoadBalancer")
            && spec.text("externalTrafficPolicy", "").equals("Local");
    if (!wanted) {
      return spec;
    }
    String field = "healthCheckNodePort";
    long before = request.old().object("spec").integer(field).orElse(0);
    long number = spec.integer(field).orElse(0);
    number = number == 0 ? before : number;
    if (number == 0) {
      number = free(request, taken);
    } else if (number != before) {
      checkPort(request, "spec." + field, number, taken);
    }
    if (number != before) {
      taken.ports().add(number);
      setAside(request, number);
    }
    return spec.with(field, number);
  }

  /** What tells the ports of a service apart. */
  private static String portText(JsonObject port) {
    return port.integer("port") + port.text("protocol", "TCP");
  }

  private void setAside(AdmissionRequest request, long port) {
    if (!request.dryRun()) {
      portsSetAside.add(port);
      request.afterwards(_ -> locked(() -> portsSetAside.remove(port)));
    }
  }

  private long free(AdmissionRequest request, Taken taken) {
    int count = LAST_PORT - FIRST_PORT + 1;
    int start = random.nextInt(count);
    for (int i = 0; i < count; i++) {
      long port = FIRST_PORT + (long) ((start + i) % count);
      if (!taken.ports().contains(port)) {
        return port;
      }
    }
    throw Failures.internal(
        "failed to allocate a nodePort for service %s: range is full".formatted(request.name()));
  }

  private static void checkPort(AdmissionRequest request, String field, long number, Taken taken) {
    if (number < FIRST_PORT || number > LAST_PORT) {
      throw invalid(
          request,
          FieldError.invalid(
              field,
              number,
              "provided port is not in the valid range. The range of valid ports is %d-%d"
                  .formatted(FIRST_PORT, LAST_PORT)));
    }
    if (taken.ports().contains(number)) {
      throw invalid(
          request, FieldError.invalid(field, number, "provided port is already allocated"));
    }
  }

  private static RuntimeException invalid(AdmissionRequest request, FieldError error) {
    return Failures.invalid(
        request.resource().groupKind(), Metadata.of(request.object()).name(), List.of(error));
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }
}
