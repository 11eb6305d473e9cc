package dev.berth.apiserver.aggregation;

import dev.berth.http.outgoing.Destination;
import dev.berth.http.outgoing.OutgoingCall;
import dev.berth.http.outgoing.OutgoingRequest;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.user.User;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.Stored;
import dev.berth.registry.StoredEncoding;
import dev.berth.serving.aggregation.AggregationProxy;
import dev.berth.serving.aggregation.RemoteApi;
import dev.berth.serving.aggregation.RemoteApiConnector;
import dev.berth.serving.aggregation.RemoteOpenApi;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Finds out whether another server answers for its group and version.
 *
 * <ol>
 *   <li>Its service has to exist; one with an address of the cluster has to have the port, and
 *       endpoints that are ready for it.
 *   <li>The server has to answer with the resources that it has.
 * </ol>
 *
 * <p>Blocks, for a few seconds at most.
 */
final class RemoteApiCheck {
  private static final User ASKING = new User("system:kube-aggregator", List.of(User.MASTERS));
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 4 << 20;
  private static final int OK = 200;
  private static final int LAST_OK = 299;

  private final Registry registry;
  private final RemoteApiConnector connector;

  RemoteApiCheck(Registry registry, RemoteApiConnector connector) {
    this.registry = registry;
    this.connector = connector;
  }

  /**
   * What was found.
   *
   * @param resources the APIResourceList that the server answered; empty if it did not
   * @param openApi what its OpenAPI documents say
   */
  record Result(Availability availability, JsonObject resources, RemoteOpenApi openApi) {}

  Result check(RemoteApi api) {
    ObjectName name = api.service();
    Optional<JsonObject> service =
        registry.find(core("services"), name).map(Stored::tree).map(tree -> tree.object("spec"));
    if (service.isEmpty()) {
      return failed(
          "ServiceNotFound",
          "service/%s in \"%s\" is not present".formatted(name.name(), name.namespace()));
    }
    if (service.get().text("type", "ClusterIP").equals("ClusterIP")) {
      Optional<Result> unready = unready(api, service.get());
      if (unready.isPresent()) {
        return unready.get();
      }
    }
    return ask(api);
  }

  private Optional<Result> unready(RemoteApi api, JsonObject service) {
    ObjectName name = api.service();
    Optional<String> portName =
        service.array("ports").objects().stream()
            .filter(port -> port.integer("port").orElse(0) == api.port())
            .findFirst()
            .map(port -> port.text("name", ""));
    if (portName.isEmpty()) {
      return Optional.of(
          failed(
              "ServicePortError",
              "service/%s in \"%s\" is not listening on port %d"
                  .formatted(name.name(), name.namespace(), api.port())));
    }
    List<JsonObject> slices =
        registry
            .list(
                registry.catalog().get("discovery.k8s.io", "v1", "endpointslices"),
                ListOptions.of(Selection.in(name.namespace())))
            .entries()
            .stream()
            .map(StoredEncoding::tree)
            .filter(slice ->
                Metadata.of(slice)
                    .labels()
                    .text("kubernetes.io/service-name", "")
                    .equals(name.name()))
            .toList();
    if (slices.isEmpty()) {
      return Optional.of(
          failed(
              "EndpointsNotFound",
              "cannot find endpointslices for service/%s in \"%s\""
                  .formatted(name.name(), name.namespace())));
    }
    if (slices.stream().noneMatch(slice -> isReady(slice, portName.get()))) {
      return Optional.of(
          failed(
              "MissingEndpoints",
              "endpointslices for service/%s in \"%s\" have no addresses with port name \"%s\""
                  .formatted(name.name(), name.namespace(), portName.get())));
    }
    return Optional.empty();
  }

  private static boolean isReady(JsonObject slice, String portName) {
    return slice.array("endpoints").objects().stream()
            .anyMatch(endpoint -> endpoint.object("conditions").flag("ready", true))
        && slice.array("ports").objects().stream()
            .anyMatch(port -> port.text("name", "").equals(portName) && port.has("port"));
  }

  private Result ask(RemoteApi api) {
    String target = "/apis/" + api.version();
    String url = "https://%s:%d%s".formatted(api.serverName(), api.port(), target);
    try {
      Destination destination = connector.destination(api).connectingWithin(PATIENCE);
      Answer answer = get(destination, target);
      if (answer.status < OK || answer.status > LAST_OK) {
        return failed(
            "FailedDiscoveryCheck",
            "failing or missing response from %s: bad status from %s: %d"
                .formatted(url, url, answer.status));
      }
      return new Result(
          Availability.PASSED,
          JsonReader.object(answer.body, JsonLimits.REQUEST),
          openApi(api, destination));
    } catch (IOException | JsonException e) {
      return failed(
          "FailedDiscoveryCheck",
          "failing or missing response from %s: %s".formatted(url, e.getMessage()));
    }
  }

  /** Who has no documents, or none that can be read, is there all the same. */
  private static RemoteOpenApi openApi(RemoteApi api, Destination destination) {
    return RemoteOpenApi.of(
        api.version(), document(destination, "/openapi/v3"), document(destination, "/openapi/v2"));
  }

  private static JsonObject document(Destination destination, String path) {
    try {
      Answer answer = get(destination, path);
      return answer.status == OK
          ? JsonReader.object(answer.body, JsonLimits.TRUSTED)
          : JsonObject.EMPTY;
    } catch (IOException | JsonException _) {
      return JsonObject.EMPTY;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Answer(int status, byte[] body) {}

  private static Answer get(Destination destination, String target) throws IOException {
    OutgoingRequest request =
        OutgoingRequest.get(
            target,
            AggregationProxy.identity(ASKING)
                .with("Host", destination.authority())
                .with("Accept", "application/json"),
            PATIENCE);
    try (OutgoingCall call = OutgoingCall.begin(destination, request)) {
      return new Answer(call.status(), call.body().readNBytes(MAX_BYTES));
    }
  }

  private static Result failed(String reason, String message) {
    return new Result(Availability.failed(reason, message), JsonObject.EMPTY, RemoteOpenApi.NONE);
  }

  private Resource core(String plural) {
    return registry.catalog().get("", "v1", plural);
  }
}
