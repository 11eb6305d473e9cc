package dev.berth.admission;

import dev.berth.kinds.resource.Subresource;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;

/**
 * A pod that gets a node gets the node's zone and region as labels, so that it can be told where it
 * runs: when it is bound, or created with a node. What it said itself of these labels gives way.
 */
public final class PodTopologyLabels implements AdmissionPlugin {
  private static final List<String> LABELS = List.of(WellKnownLabels.ZONE, WellKnownLabels.REGION);

  private final ClusterReader cluster;

  public PodTopologyLabels(Registry registry) {
    this.cluster = new ClusterReader(registry);
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    boolean created = request.creates() && request.writesCore("pods");
    if (!created && !isBinding(request)) {
      return request.object();
    }
    PodTree pod = new PodTree(request.object());
    return pod.isBound() ? labelled(request.object(), pod.nodeName()) : request.object();
  }

  private static boolean isBinding(AdmissionRequest request) {
    return request.subresource().equals(Subresource.BINDING)
        && request.resource().groupResource().toString().equals("pods");
  }

  private JsonObject labelled(JsonObject pod, String nodeName) {
    JsonObject node =
        cluster.find(cluster.core("nodes"), ObjectName.of(nodeName)).orElse(JsonObject.EMPTY);
    JsonObject labelled = pod;
    for (String key : LABELS) {
      String value = Metadata.of(node).label(key).orElse("");
      if (!value.isEmpty()) {
        labelled =
            Metadata.update(labelled, m -> m.update("labels", labels -> labels.with(key, value)));
      }
    }
    return labelled;
  }
}
