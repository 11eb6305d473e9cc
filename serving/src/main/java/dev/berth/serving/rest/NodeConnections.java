package dev.berth.serving.rest;

import dev.berth.access.AccessControl;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.Failures;
import dev.berth.serving.connect.NodeConnector;
import java.util.Set;

/** Requests that nodes, pods and services answer: logs, exec, attach, port-forward, proxy. */
final class NodeConnections {
  private static final Set<String> OF_PODS = Set.of("log", "exec", "attach", "portforward");
  private static final String PROXY = "proxy";

  private final Registry registry;
  private final PodConnections pods;
  private final ProxyConnections proxies;

  NodeConnections(Registry registry, AccessControl access, NodeConnector connector) {
    this.registry = registry;
    this.pods = new PodConnections(registry, access, connector);
    this.proxies = new ProxyConnections(registry, connector);
  }

  /** Whether a request about a part of an object is one of these. */
  static boolean answers(Call call) {
    String plural = call.resource().plural();
    String part = part(call);
    return call.resource().kind().group().isEmpty()
        && ((plural.equals("pods") && OF_PODS.contains(part))
            || (part.equals(PROXY) && Set.of("pods", "nodes", "services").contains(plural)));
  }

  /** The first step of the path; what follows {@code proxy} is the other server's. */
  private static String part(Call call) {
    String path = call.subresource();
    int slash = path.indexOf('/');
    return slash < 0 ? path : path.substring(0, slash);
  }

  void answer(Call call) {
    if (!part(call).equals("log")) {
      if (call.query().has("dryRun")) {
        throw Failures.badRequest("dryRun is not supported");
      }
      registry.admitConnection(
          call.resource(), call.name(), ConnectionOptions.tree(call, part(call)), options(call));
    }
    switch (part(call)) {
      case "log" -> pods.log(call);
      case "exec", "attach" -> pods.command(call);
      case "portforward" -> pods.forward(call);
      default -> proxies.proxy(call);
    }
  }

  private static WriteOptions options(Call call) {
    return new WriteOptions(false, part(call), "", call.user(), call.notices());
  }
}
