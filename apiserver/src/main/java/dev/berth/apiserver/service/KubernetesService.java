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
import dev.berth.store.StoreException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the service {@code kubernetes}, by which pods find the API, and where it leads to:
 * Endpoints and an EndpointSlice of the same name. Every ten seconds what is missing is made and
 * what leads elsewhere is set right; the service itself is left as it is.
 */
public final class KubernetesService {
  private static final Logger LOG = LoggerFactory.getLogger("kubernetes-service");
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

  private volatile LivingServers servers = LivingServers.ALONE;

  private volatile Consumer<List<String>> aliveListener = _ -> {};

  private record Endpoint(String address, int port) {}

  /** Who else serves the API, each at the same port. */
  public void among(LivingServers others) {
    servers = others;
  }

  /** Has somebody told which servers are alive, each time that this one says that it is. */
  public void whenAlive(Consumer<List<String>> listener) {
    aliveListener = listener;
  }

  /**
   * The server ends: nobody is to be led to it from now on. The last one is left where it was, as
   * pods wait there for it to come back.
   *
   * @return whether there are others to lead to
   */
  public synchronized boolean withdraw() {
    Optional<Endpoint> ending = endpoint;
    endpoint = Optional.empty();
    try {
      if (ending.isEmpty()) {
        return false;
      }
      List<String> others = servers.remove(ending.get().address());
      if (!others.isEmpty()) {
        keepEndpoints(ending.get(), others);
      }
      return !others.isEmpty();
    } catch (StoreException | StatusException e) {
      // Then it is forgotten by itself.
      LOG.atWarn().addKeyValue("reason", e.getMessage()).log("cannot withdraw the endpoint");
      return false;
    }
  }

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
  public synchronized void sync() {
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
          try {
            sync();
          } catch (StoreException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("cannot look after it now");
          }
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
    List<String> living = servers.renew(place.address());
    if (!living.isEmpty()) {
      aliveListener.accept(living);
      keepEndpoints(place, living);
    }
  }

  /**
   * @param living all servers; those of this one's family are in the slice
   */
  private void keepEndpoints(Endpoint place, List<String> living) {
    JsonArray ports =
        JsonArray.of(
            new JsonObject.Builder()
                .put("name", "https")
                .put("port", (long) place.port())
                .put("protocol", "TCP")
                .build());
    JsonObject subset =
        new JsonObject.Builder()
            .put(
                "addresses",
                JsonArray.copyOf(
                    living.stream().map(address -> JsonObject.of("ip", address)).toList()))
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
    List<JsonObject> ready =
        living.stream()
            .filter(address -> IpAddressView.familyOf(address).equals(family))
            .map(address ->
                new JsonObject.Builder()
                    .put("addresses", JsonArray.of(address))
                    .put("conditions", JsonObject.of("ready", true))
                    .build())
            .toList();
    keep(
        slices,
        named(JsonObject.of(SERVICE_NAME, NAME.name()))
            .with("addressType", family)
            .with("endpoints", JsonArray.copyOf(ready))
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
