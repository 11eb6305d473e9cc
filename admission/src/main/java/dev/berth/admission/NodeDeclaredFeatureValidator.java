package dev.berth.admission;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.DeclaredFeatures;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;

/** A pod on a node is changed only in ways of which its node says that it knows them. */
public final class NodeDeclaredFeatureValidator implements AdmissionPlugin {
  private final ClusterReader cluster;

  public NodeDeclaredFeatureValidator(Registry registry) {
    this.cluster = new ClusterReader(registry);
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (!changesPod(request)) {
      return;
    }
    PodTree pod = new PodTree(request.object());
    String nodeName = pod.nodeName();
    List<String> needed = DeclaredFeatures.toUpdate(new PodTree(request.old()), pod);
    if (nodeName.isEmpty() || needed.isEmpty()) {
      return;
    }
    JsonObject node =
        cluster
            .find(cluster.core("nodes"), ObjectName.of(nodeName))
            .orElseThrow(
                () -> ClusterReader.forbidden(request, "node \"" + nodeName + "\" not found"));
    List<String> missing = DeclaredFeatures.missing(needed, NodeView.declaredFeatures(node));
    if (!missing.isEmpty()) {
      throw ClusterReader.forbidden(
          request,
          "pod update requires features %s which are not available on node \"%s\""
              .formatted(String.join(", ", missing), nodeName));
    }
  }

  /** A generation counts changes of the specification: what keeps it needs nothing of the node. */
  private static boolean changesPod(AdmissionRequest request) {
    return request.operation() == AdmissionRequest.Operation.UPDATE
        && request.resource().groupResource().toString().equals("pods")
        && (request.subresource().isEmpty() || request.subresource().equals("resize"))
        && Metadata.of(request.object()).generation() != Metadata.of(request.old()).generation();
  }
}
