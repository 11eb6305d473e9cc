package dev.berth.admission;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.util.ArrayList;
import java.util.List;

/** A pod on a node is not resized to more than the node could ever give it. */
public final class PodResizeValidator implements AdmissionPlugin {
  private static final String OS = "kubernetes.io/os";

  private final ClusterReader cluster;

  public PodResizeValidator(Registry registry) {
    this.cluster = new ClusterReader(registry);
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (!request.subresource().equals("resize")
        || !request.resource().groupResource().toString().equals("pods")) {
      return;
    }
    JsonObject pod = request.object();
    String nodeName = pod.object("spec").text("nodeName", "");
    if (nodeName.isEmpty()
        || Metadata.of(pod).generation() == Metadata.of(request.old()).generation()) {
      return;
    }
    JsonObject node =
        cluster
            .find(cluster.core("nodes"), ObjectName.of(nodeName))
            .orElseThrow(
                () -> ClusterReader.forbidden(request, "node \"" + nodeName + "\" not found"));
    String os = Metadata.of(node).label(OS).orElse("linux");
    if (!os.equals("linux")) {
      throw refused(
          request,
          "UnsupportedPlatform",
          "pod resize is only supported on linux nodes, node \"%s\" is \"%s\""
              .formatted(nodeName, os));
    }
    List<String> lacking = lacking(pod, node);
    if (!lacking.isEmpty()) {
      throw refused(
          request,
          "NodeCapacity",
          "node didn't have enough allocatable resources: " + String.join("; ", lacking));
    }
  }

  private static List<String> lacking(JsonObject pod, JsonObject node) {
    ResourceList requests = EffectiveResources.requests(PodSpecView.read(pod.object("spec")));
    ResourceList allocatable = ResourceList.read(node.object("status").object("allocatable"));
    List<String> lacking = new ArrayList<>();
    Quantity cpu = requests.get(ResourceList.CPU);
    Quantity memory = requests.get(ResourceList.MEMORY);
    if (cpu.compareTo(allocatable.get(ResourceList.CPU)) > 0) {
      lacking.add(
          "cpu, requested: %d, allocatable: %d"
              .formatted(cpu.milliValue(), allocatable.get(ResourceList.CPU).milliValue()));
    }
    if (memory.compareTo(allocatable.get(ResourceList.MEMORY)) > 0) {
      lacking.add(
          "memory, requested: %d, allocatable: %d"
              .formatted(memory.value(), allocatable.get(ResourceList.MEMORY).value()));
    }
    return lacking;
  }

  /** The cause is for whoever resizes pods by a program. */
  private static StatusException refused(AdmissionRequest request, String cause, String why) {
    Status status = ClusterReader.forbidden(request, why).status();
    Status.Details details =
        new Status.Details(
            request.name().name(),
            "",
            request.resource().plural(),
            "",
            List.of(new Status.Cause(cause, "", "")),
            0);
    return new StatusException(
        new Status(status.code(), status.reason(), status.message(), details));
  }
}
