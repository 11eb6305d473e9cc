package dev.berth.serving.rest;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds a pod that answers for a service. Only addresses that are a pod's are taken: otherwise,
 * whoever may write endpoints could send this server anywhere.
 */
final class ServiceEndpoints {
  private final Registry registry;
  private final Resource services;
  private final Resource endpoints;
  private final Resource pods;

  /** The pods of a service take turns. */
  private final AtomicInteger turn = new AtomicInteger();

  record Endpoint(String address, int port) {}

  ServiceEndpoints(Registry registry) {
    this.registry = registry;
    this.services = find("services");
    this.endpoints = find("endpoints");
    this.pods = find("pods");
  }

  private Resource find(String plural) {
    return registry.catalog().find(new GroupVersionResource("", "v1", plural)).orElseThrow();
  }

  /**
   * @param port its name or number; empty for the one without a name
   * @param asked how the client named all that
   */
  Endpoint of(ObjectName service, String port, String asked) {
    String portName = port.matches("\\d+") ? nameOf(service, port) : port;
    JsonObject found = registry.get(endpoints, service).tree();
    if (found.array("subsets").isEmpty()) {
      throw unavailable("no endpoints available for service \"%s\"".formatted(service.name()));
    }
    List<Endpoint> all = new ArrayList<>();
    for (JsonObject subset : found.array("subsets").objects()) {
      Optional<JsonObject> match =
          subset.array("ports").objects().stream()
              .filter(each -> each.text("name", "").equals(portName))
              .findFirst();
      if (match.isPresent()) {
        int number = (int) match.get().integer("port").orElse(0);
        for (JsonObject address : subset.array("addresses").objects()) {
          if (isPod(address, service.namespace())) {
            all.add(new Endpoint(address.text("ip", ""), number));
          }
        }
      }
    }
    if (all.isEmpty()) {
      throw unavailable("no endpoints available for service \"%s\"".formatted(asked));
    }
    return all.get(Math.floorMod(turn.getAndIncrement(), all.size()));
  }

  private String nameOf(ObjectName service, String number) {
    return registry.get(services, service).tree().object("spec").array("ports").objects().stream()
        .filter(each -> Long.toString(each.integer("port").orElse(0)).equals(number))
        .findFirst()
        .map(each -> each.text("name", ""))
        .orElseThrow(() ->
            unavailable(
                "no service port %s found for service \"%s\"".formatted(number, service.name())));
  }

  private boolean isPod(JsonObject address, String namespace) {
    JsonObject target = address.object("targetRef");
    if (!target.text("namespace", "").equals(namespace)) {
      return false;
    }
    Optional<Stored> pod = registry.find(pods, new ObjectName(namespace, target.text("name", "")));
    return pod.isPresent()
        && pod.get().tree().object("status").array("podIPs").objects().stream()
            .anyMatch(each -> each.text("ip", "").equals(address.text("ip", "")));
  }

  private static StatusException unavailable(String message) {
    return new StatusException(new Status(503, "ServiceUnavailable", message, null));
  }
}
