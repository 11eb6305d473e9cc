package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
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
      return request.object().with("spec", ports(request, address(request, spec, taken), taken));
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
        for (JsonObject port : spec.array("ports").objects()) {
          taken.ports().add(port.integer("nodePort").orElse(0));
        }
      }
    }
    return taken;
  }

  private JsonObject address(AdmissionRequest request, JsonObject wanted, Taken taken) {
    JsonObject before = request.old().object("spec");
    if (wanted.text("type", "").equals("ExternalName")) {
      return wanted
          .without("clusterIP")
          .without("clusterIPs")
          .without("ipFamilies")
          .without("ipFamilyPolicy");
    }
    String address = wanted.text("clusterIP", "");
    if (address.isEmpty() && !wanted.array("clusterIPs").isEmpty()) {
      address = wanted.array("clusterIPs").texts().getFirst();
    }
    // Who replaces a service by what it once sent does not take its address away.
    address = address.isEmpty() ? before.text("clusterIP", "") : address;
    if (address.isEmpty()) {
      address =
          ServiceAddresses.choose(taken.addresses(), random)
              .orElseThrow(
                  () -> Failures.internal("failed to allocate a serviceIP: range is full"));
      setAside(request, address);
    } else if (!address.equals("None") && !address.equals(before.text("clusterIP", ""))) {
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
    JsonObject spec = wanted.with("clusterIP", address).with("clusterIPs", JsonArray.of(address));
    spec = spec.has("ipFamilies") ? spec : spec.with("ipFamilies", JsonArray.of("IPv4"));
    return spec.has("ipFamilyPolicy") ? spec : spec.with("ipFamilyPolicy", "SingleStack");
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
    boolean had = type.equals("ClusterIP") || type.equals("ExternalName");
    List<JsonObject> allocated = new ArrayList<>(ports.objects());
    for (int i = 0; i < ports.size(); i++) {
      JsonObject port = allocated.get(i);
      long number = port.integer("nodePort").orElse(0);
      if (number == 0 && wanted) {
        number = numbers.getOrDefault(portText(port), 0L);
      }
      if (had && own.contains(number)) {
        // The service was of a type that has node ports, and is not any more.
        allocated.set(i, port.without("nodePort"));
        continue;
      }
      if (number == 0 && wanted) {
        number = free(request, taken);
      } else if (number != 0 && !own.contains(number)) {
        checkPort(request, "spec.ports[" + i + "].nodePort", number, taken);
      }
      if (number != 0) {
        taken.ports().add(number);
        if (!own.contains(number)) {
          setAside(request, number);
        }
        allocated.set(i, port.with("nodePort", number));
      }
    }
    return ports.isEmpty() ? spec : spec.with("ports", JsonArray.copyOf(allocated));
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
