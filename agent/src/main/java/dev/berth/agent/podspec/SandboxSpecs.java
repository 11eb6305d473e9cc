package dev.berth.agent.podspec;

import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.SandboxSpec.HostPort;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.NodeAdmission;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes what the containers of a pod share from the pod's specification. May block. */
public final class SandboxSpecs {
  private SandboxSpecs() {}

  /**
   * What the containers of a pod share.
   *
   * @param node as the server shows it; empty if it is not known
   * @param placement which processors and memory its containers may use
   */
  public static SandboxSpec of(
      PodId id, JsonObject pod, JsonObject node, SpecSettings settings, Placement.OfPod placement)
      throws SpecFailure {
    JsonObject spec = pod.object("spec");
    if (!spec.flag("hostUsers", true)) {
      throw new SpecFailure("spec.hostUsers: user namespaces are not supported by this node");
    }
    boolean hostNetwork = spec.flag("hostNetwork", false);
    return new SandboxSpec(
        id,
        PodHostname.of(pod, settings.clusterDomain()).kernelName(),
        hostNetwork,
        spec.flag("hostPID", false),
        spec.flag("hostIPC", false),
        spec.flag("shareProcessNamespace", false),
        PodDns.of(pod, settings),
        hostNetwork ? List.of() : hostPorts(spec),
        sysctls(spec),
        new ResourceLimits(pod, node, settings, placement).ofPod(),
        Metadata.of(pod).labels().toStrings(),
        Metadata.of(pod).annotations().toStrings(),
        isPrivileged(spec),
        "");
  }

  private static boolean isPrivileged(JsonObject spec) {
    return Stream.of("containers", "initContainers")
        .flatMap(list -> spec.array(list).objects().stream())
        .anyMatch(container -> container.object("securityContext").flag("privileged", false));
  }

  private static List<HostPort> hostPorts(JsonObject spec) {
    return NodeAdmission.hostPorts(PodSpecView.read(spec))
        .map(port ->
            new HostPort(
                port.protocol(), port.hostIp(), (int) port.hostPort(), (int) port.containerPort()))
        .toList();
  }

  private static Map<String, String> sysctls(JsonObject spec) {
    return spec.object("securityContext").array("sysctls").objects().stream()
        .collect(
            Collectors.toMap(
                sysctl -> sysctl.text("name", ""),
                sysctl -> sysctl.text("value", ""),
                (_, later) -> later));
  }
}
