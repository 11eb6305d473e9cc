package dev.berth.apiserver.service;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.network.IpAddressView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.service.ServiceNetwork;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps the service {@code kubernetes}, by which pods find the API, and where it leads to:
 * Endpoints and an EndpointSlice of the same name. Every ten seconds what is missing is made and
 * what leads elsewhere is set right; the service itself is left as it is.
 */
public final class KubernetesService {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final long HTTPS = 443;
  private static final ObjectName NAME = new ObjectName("default", "kubernetes");
  private static final String SERVICE_NAME = "kubernetes.io/service-name";

  private final Registry registry;
  private final Resource services;
  private final Resource endpoints;
  private final Resource slices;
  private final String address;
  private final int port;

  /** Where others reach the server, once that is known. */
  private volatile Optional<Endpoint> endpoint = Optional.empty();

  private record Endpoint(String address, int port) {}

  /**
   * @param port where the server listens
   */
  public KubernetesService(Registry registry, ServiceNetwork network, int port) {
    this.registry = registry;
    this.services = registry.catalog().get("", "v1", "services");
    this.endpoints = registry.catalog().get("", "v1", "endpoints");
    this.slices = registry.catalog().get("discovery.k8s.io", "v1", "endpointslices");
    this.address = network.apiAddresses().getFirst();
    this.port = port;
  }

  /** Pods reach the server at this address from now on. */
  public void publish(InetAddress reachable, int reachablePort) {
    endpoint = Optional.of(new Endpoint(reachable.getHostAddress(), reachablePort));
    sync();
  }

  /** Makes what is missing, and sets right what is wrong. */
  public void sync() {
    createOnce(services, service());
    endpoint.ifPresent(this::keepEndpoints);
  }

  /** Does so from now on, until it is closed. */
  public AutoCloseable keep(Time time) {
    Loop loop = time.start("kubernetes-service");
    again(loop);
    return loop;
  }

  private void again(Loop loop) {
    loop.after(
        INTERVAL,
        () -> {
          sync();
          again(loop);
        });
  }

  private JsonObject service() {
    JsonObject labels =
        new JsonObject.Builder()
            .put("component", "apiserver")
            .put("provider", "kubernetes")
            .build();
    JsonObject https =
        new JsonObject.Builder()
            .put("name", "https")
            .put("port", HTTPS)
            .put("protocol", "TCP")
            .put("targetPort", (long) port)
            .build();
    return named(labels)
        .with(
            "spec",
            new JsonObject.Builder()
                .put("clusterIP", address)
                .put("ipFamilyPolicy", "SingleStack")
                .put("ports", JsonArray.of(https))
                .put("sessionAffinity", "None")
                .put("type", "ClusterIP")
                .build());
  }

  private void keepEndpoints(Endpoint place) {
    JsonArray ports =
        JsonArray.of(
            new JsonObject.Builder()
                .put("name", "https")
                .put("port", (long) place.port())
                .put("protocol", "TCP")
                .build());
    JsonObject subset =
        new JsonObject.Builder()
            .put("addresses", JsonArray.of(JsonObject.of("ip", place.address())))
            .put("ports", ports)
            .build();
    // Nobody is to make slices of these endpoints: there is one already.
    keep(
        endpoints,
        named(JsonObject.of(WellKnownLabels.ENDPOINT_SLICE_SKIP_MIRROR, "true"))
            .with("subsets", JsonArray.of(subset)));
    String family = IpAddressView.familyOf(place.address());
    registry
        .find(slices, NAME)
        .map(Stored::tree)
        .filter(slice -> !slice.text("addressType", "").equals(family))
        .ifPresent(slice -> registry.delete(slices, NAME, exactly(slice)));
    JsonObject ready =
        new JsonObject.Builder()
            .put("addresses", JsonArray.of(place.address()))
            .put("conditions", JsonObject.of("ready", true))
            .build();
    keep(
        slices,
        named(JsonObject.of(SERVICE_NAME, NAME.name()))
            .with("addressType", family)
            .with("endpoints", JsonArray.of(ready))
            .with("ports", ports));
  }

  private static JsonObject named(JsonObject labels) {
    return JsonObject.of("metadata", JsonObject.of("name", NAME.name()).with("labels", labels));
  }

  /** Makes an object be what it should be; labels that others gave it stay. */
  private void keep(Resource resource, JsonObject wanted) {
    createOnce(resource, wanted);
    registry.modify(
        resource,
        NAME,
        WriteOptions.DEFAULT,
        old -> {
          JsonObject kept = old;
          for (String field : wanted.names()) {
            Object value = wanted.get(field);
            if (!field.equals("metadata") && value != null) {
              kept = kept.with(field, value);
            }
          }
          JsonObject labels = Metadata.of(wanted).labels();
          return Metadata.update(
              kept, metadata -> metadata.update("labels", others -> labels.withMissing(others)));
        });
  }

  private static DeletionOptions exactly(JsonObject object) {
    return new DeletionOptions(
        null, Metadata.of(object).uid(), "", null, false, DeletionOptions.DEFAULT.user());
  }

  private void createOnce(Resource resource, JsonObject wanted) {
    if (registry.find(resource, NAME).isEmpty()) {
      try {
        registry.create(resource, NAME.namespace(), wanted, WriteOptions.DEFAULT);
      } catch (StatusException e) {
        if (!e.status().reason().equals("AlreadyExists")) {
          throw e;
        }
      }
    }
  }
}
