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
   * What came of a specification.
   *
   * @param warnings what the pod does not get of it
   */
  public record Made(SandboxSpec spec, List<SpecWarning> warnings) {}

  /**
   * What the containers of a pod share.
   *
   * @param node as the server shows it; empty if it is not known
   * @param placement which processors and memory its containers may use
   */
  public static Made of(
      PodId id, JsonObject pod, JsonObject node, SpecSettings settings, Placement.OfPod placement)
      throws SpecFailure {
    JsonObject spec = pod.object("spec");
    boolean hostNetwork = spec.flag("hostNetwork", false);
    PodDns dns = PodDns.of(pod, settings);
    ResourceLimits limits = new ResourceLimits(pod, node, settings, placement);
    SandboxSpec made =
        new SandboxSpec(
            id,
            PodHostname.of(pod, settings.clusterDomain()).kernelName(),
            hostNetwork,
            spec.flag("hostPID", false),
            spec.flag("hostIPC", false),
            spec.flag("hostUsers", true),
            spec.flag("shareProcessNamespace", false),
            dns.dns(),
            hostNetwork ? List.of() : hostPorts(spec),
            sysctls(spec),
            limits.ofPod(),
            limits.sandbox(),
            Metadata.of(pod).labels().toStrings(),
            Metadata.of(pod).annotations().toStrings(),
            isPrivileged(spec),
            "");
    return new Made(made, dns.warnings());
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
