package dev.berth.serving.rest;

import dev.berth.access.AccessControl;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.registry.Registry;
import dev.berth.serving.connect.NodeConnector;
import java.util.Optional;

/** The endpoints of subresources, each by its name. */
final class SubresourceEndpoints {
  private final PodBinding bindings;
  private final PodEviction evictions;
  private final ScaleEndpoint scales;
  private final NodeConnections connections;
  private final CertificateApproval approvals;

  SubresourceEndpoints(
      Registry registry, AccessControl access, PatchEndpoint patches, NodeConnector connector) {
    this.bindings = new PodBinding(registry);
    this.evictions = new PodEviction(registry);
    this.scales = new ScaleEndpoint(registry, patches);
    this.connections = new NodeConnections(registry, access, connector);
    this.approvals = new CertificateApproval(registry, access);
  }

  /** A part by its path: behind {@code proxy}, the rest of the path is the other server's. */
  static Optional<Subresource> find(Resource resource, String path) {
    return resource.subresource(path.startsWith("proxy/") ? "proxy" : path);
  }

  /** Answers, unless the part is one that is read and written like the whole object. */
  boolean answer(String verb, Call call) {
    if (NodeConnections.answers(call)) {
      connections.answer(call);
      return true;
    }
    switch (call.subresource()) {
      case Subresource.BINDING -> bindings.bind(call);
      case "eviction" -> evictions.evict(call);
      case "scale" -> scales.answer(verb, call);
      default -> {
        if (CertificateApproval.concerns(call)) {
          approvals.check(verb, call);
        }
        return false;
      }
    }
    return true;
  }
}
