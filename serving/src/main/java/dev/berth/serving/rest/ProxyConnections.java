package dev.berth.serving.rest;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.outgoing.Destination;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.status.Failures;
import dev.berth.serving.connect.Forwarder;
import dev.berth.serving.connect.InsecureTls;
import dev.berth.serving.connect.NodeConnector;
import dev.berth.serving.connect.ProxyRoute;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Passes requests on to nodes, pods and services: {@code …/NAME/proxy/PATH}. */
final class ProxyConnections {
  private static final int MOVED_PERMANENTLY = 301;

  private final Registry registry;
  private final NodeConnector connector;
  private final ServiceEndpoints endpoints;
  private final Resource pods;

  /** Made when it is first needed. */
  private static final class Anybody {
    static final SSLContext TLS = InsecureTls.context(null);
  }

  ProxyConnections(Registry registry, NodeConnector connector) {
    this.registry = registry;
    this.connector = connector;
    this.endpoints = new ServiceEndpoints(registry);
    this.pods = registry.catalog().find(new GroupVersionResource("", "v1", "pods")).orElseThrow();
  }

  void proxy(Call call) {
    Exchange exchange = call.exchange();
    Destination destination = destination(call);
    String path = exchange.path();
    int end = prefixLength(path, call);
    String rest = path.substring(end);
    boolean reads = exchange.method().equals("GET") || exchange.method().equals("HEAD");
    String query = exchange.query().map(raw -> "?" + raw).orElse("");
    if (rest.isEmpty() && reads) {
      Headers headers = Headers.of("Location", path + "/" + query);
      exchange.respond(new Response(MOVED_PERMANENTLY, headers, List.of()));
      return;
    }
    String target = (rest.isEmpty() ? "/" : rest) + query;
    Forwarder.proxy(exchange, new ProxyRoute(destination, path.substring(0, end), target));
  }

  /** Up to the end of {@code proxy}; counted, since names may say the same word. */
  private static int prefixLength(String path, Call call) {
    // api, version, [namespaces, namespace,] resource, name, proxy
    int steps = call.resource().isNamespaced() ? 7 : 5;
    int end = 0;
    for (int step = 0; step < steps; step++) {
      int next = path.indexOf('/', end + 1);
      end = next < 0 ? path.length() : next;
    }
    return end;
  }

  private Destination destination(Call call) {
    String id = call.name().name();
    return switch (call.resource().plural()) {
      case "nodes" -> node(call, ProxyName.parse(id, "node"));
      case "pods" -> pod(call, ProxyName.parse(id, "pod"));
      default -> service(call, id, ProxyName.parse(id, "service"));
    };
  }

  private Destination node(Call call, ProxyName name) {
    JsonObject node = registry.get(call.resource(), ObjectName.of(name.name())).tree();
    Destination kubelet = connector.kubelet(node, true);
    checkAddress(kubelet.host());
    if (name.port().isEmpty() || name.port().equals(Integer.toString(kubelet.port()))) {
      return kubelet;
    }
    return to(kubelet.host(), port(name, "node"), name);
  }

  private Destination pod(Call call, ProxyName name) {
    JsonObject pod = registry.get(pods, new ObjectName(call.namespace(), name.name())).tree();
    String address = pod.object("status").text("podIP", "");
    checkAddress(address);
    return to(address, name.port().isEmpty() ? firstPort(pod) : port(name, "pod"), name);
  }

  private static int firstPort(JsonObject pod) {
    return pod.object("spec").array("containers").objects().stream()
        .flatMap(container -> container.array("ports").objects().stream())
        .mapToInt(port -> (int) port.integer("containerPort").orElse(0))
        .findFirst()
        .orElse(0);
  }

  private Destination service(Call call, String id, ProxyName name) {
    ServiceEndpoints.Endpoint endpoint =
        endpoints.of(new ObjectName(call.namespace(), name.name()), name.port(), id);
    return to(endpoint.address(), endpoint.port(), name);
  }

  private static int port(ProxyName name, String kind) {
    if (!name.port().matches("\\d{1,5}")) {
      throw Failures.badRequest("invalid %s request \"%s\"".formatted(kind, name));
    }
    return Integer.parseInt(name.port());
  }

  private Destination to(String host, int port, ProxyName name) {
    int orDefault = port != 0 ? port : name.isHttps() ? 443 : 80;
    Optional<SSLContext> tls = name.isHttps() ? Optional.of(Anybody.TLS) : Optional.empty();
    return new Destination(host, orDefault, tls).anyName();
  }

  private void checkAddress(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host.isEmpty() ? "0.0.0.0" : host)) {
        if (!connector.mayProxyTo(address)) {
          throw Failures.badRequest("address not allowed");
        }
      }
    } catch (UnknownHostException e) {
      throw Failures.badRequest("lookup %s: no such host".formatted(host));
    }
  }
}
