package dev.berth.serving.connect;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds an address that answers for a service, for webhooks and aggregated servers. Addresses of
 * EndpointSlices are dialled, not the service's own, which a server that is no node cannot reach.
 * The endpoints of a service take turns. For any thread.
 */
public final class ServiceResolver {
  private final Registry registry;
  private final AtomicInteger turn = new AtomicInteger();

  public ServiceResolver(Registry registry) {
    this.registry = registry;
  }

  /** Where to connect. */
  public record Endpoint(String host, int port) {}

  /**
   * An address that answers for a service.
   *
   * @param port a port of the service
   * @throws IOException if nobody answers for it, with the reason
   */
  public Endpoint resolve(ObjectName service, int port) throws IOException {
    JsonObject spec =
        registry
            .find(core("services"), service)
            .map(found -> found.tree().object("spec"))
            .orElseThrow(
                () -> new IOException("service \"%s\" not found".formatted(service.name())));
    if (spec.text("type", "").equals("ExternalName")) {
      return new Endpoint(spec.text("externalName", ""), port);
    }
    String portName =
        spec.array("ports").objects().stream()
            .filter(each -> each.integer("port").orElse(0) == port)
            .findFirst()
            .map(each -> each.text("name", ""))
            .orElseThrow(() ->
                new IOException(
                    "no service port %d found for service \"%s\"".formatted(port, service.name())));
    List<Endpoint> endpoints = endpoints(service, portName);
    if (endpoints.isEmpty()) {
      throw new IOException("no endpoints available for service \"%s\"".formatted(service.name()));
    }
    return endpoints.get(Math.floorMod(turn.getAndIncrement(), endpoints.size()));
  }

  private List<Endpoint> endpoints(ObjectName service, String portName) {
    List<Endpoint> found = new ArrayList<>();
    Resource slices = registry.catalog().get("discovery.k8s.io", "v1", "endpointslices");
    registry.list(slices, ListOptions.of(Selection.in(service.namespace()))).entries().stream()
        .map(StoredEncoding::tree)
        .filter(slice -> isOf(service, slice))
        .forEach(slice -> {
          for (JsonObject port : slice.array("ports").objects()) {
            if (port.text("name", "").equals(portName)) {
              addReady(slice, (int) port.integer("port").orElse(0), found);
            }
          }
        });
    return found;
  }

  private static boolean isOf(ObjectName service, JsonObject slice) {
    return Metadata.of(slice)
        .labels()
        .text("kubernetes.io/service-name", "")
        .equals(service.name());
  }

  private static void addReady(JsonObject slice, int port, List<Endpoint> found) {
    for (JsonObject endpoint : slice.array("endpoints").objects()) {
      if (endpoint.object("conditions").flag("ready", true)) {
        endpoint.array("addresses").texts().stream()
            .limit(1)
            .forEach(address -> found.add(new Endpoint(address, port)));
      }
    }
  }

  private Resource core(String plural) {
    return registry.catalog().get("", "v1", plural);
  }
}
