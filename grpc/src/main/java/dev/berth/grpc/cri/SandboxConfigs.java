package dev.berth.grpc.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.grpc.criapi.Cri;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the containers of a pod share, as CRI says it. */
final class SandboxConfigs {
  private SandboxConfigs() {}

  /**
   * A sandbox to make.
   *
   * @param attempt how many the pod had before
   * @param users which of the machine its own users and groups are; of no length for those of the
   *     machine
   * @param logs the directory of all pods' logs
   */
  static Cri.PodSandboxConfig of(SandboxSpec spec, int attempt, Cri.IDMapping users, Path logs) {
    Cri.PodSandboxConfig.Builder config =
        Cri.PodSandboxConfig.newBuilder()
            .setMetadata(
                Cri.PodSandboxMetadata.newBuilder()
                    .setName(spec.pod().name())
                    .setNamespace(spec.pod().namespace())
                    .setUid(spec.pod().uid())
                    .setAttempt(attempt))
            .setLogDirectory(logs.resolve(spec.pod().logDirectory()).toString())
            .setLinux(linux(spec, users));
    if (!spec.hostNetwork()) {
      config.setHostname(spec.hostname());
    }
    SandboxSpec.Dns dns = spec.dns();
    if (!dns.servers().isEmpty() || !dns.searches().isEmpty() || !dns.options().isEmpty()) {
      config.setDnsConfig(
          Cri.DNSConfig.newBuilder()
              .addAllServers(dns.servers())
              .addAllSearches(dns.searches())
              .addAllOptions(dns.options()));
    }
    for (SandboxSpec.HostPort port : spec.ports()) {
      config.addPortMappings(
          Cri.PortMapping.newBuilder()
              .setProtocol(Cri.Protocol.valueOf(port.protocol().toUpperCase(Locale.ROOT)))
              .setHostIp(port.hostAddress())
              .setHostPort(port.hostPort())
              .setContainerPort(port.containerPort()));
    }
    String kept = Base64.getEncoder().encodeToString(config.build().toByteArray());
    return config
        .putAllLabels(spec.labels())
        .putAllLabels(CriNames.labels(spec.pod()))
        .putAllAnnotations(spec.annotations())
        .putAnnotations(CriNames.CONFIG, kept)
        .build();
  }

  private static Cri.LinuxPodSandboxConfig linux(SandboxSpec spec, Cri.IDMapping users) {
    Limits overhead = spec.size().overhead().orElse(null);
    return Cri.LinuxPodSandboxConfig.newBuilder()
        .setCgroupParent("/" + CriNames.cgroup(spec))
        .putAllSysctls(spec.sysctls())
        .setResources(ContainerConfigs.resources(spec.size().containers()))
        .setOverhead(
            overhead == null
                ? Cri.LinuxContainerResources.getDefaultInstance()
                : ContainerConfigs.resources(overhead))
        .setSecurityContext(
            Cri.LinuxSandboxSecurityContext.newBuilder()
                .setPrivileged(spec.isPrivileged())
                .setSeccomp(ContainerConfigs.profile("RuntimeDefault"))
                .setNamespaceOptions(namespaces(spec, users)))
        .build();
  }

  private static Cri.NamespaceOption namespaces(SandboxSpec spec, Cri.IDMapping users) {
    return Cri.NamespaceOption.newBuilder()
        .setNetwork(spec.hostNetwork() ? Cri.NamespaceMode.NODE : Cri.NamespaceMode.POD)
        .setIpc(spec.hostIpc() ? Cri.NamespaceMode.NODE : Cri.NamespaceMode.POD)
        .setPid(
            spec.hostPid()
                ? Cri.NamespaceMode.NODE
                : spec.sharesProcesses() ? Cri.NamespaceMode.POD : Cri.NamespaceMode.CONTAINER)
        .setUsernsOptions(
            users.getLength() == 0
                ? Cri.UserNamespace.newBuilder().setMode(Cri.NamespaceMode.NODE)
                : Cri.UserNamespace.newBuilder()
                    .setMode(Cri.NamespaceMode.POD)
                    .addUids(users)
                    .addGids(users))
        .build();
  }

  /** The configuration of a sandbox that an agent made; empty for somebody else's. */
  static Optional<Cri.PodSandboxConfig> kept(
      Map<String, String> labels, Map<String, String> annotations) {
    String text = annotations.getOrDefault(CriNames.CONFIG, "");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Cri.PodSandboxConfig.parseFrom(Base64.getDecoder().decode(text)).toBuilder()
              .putAllLabels(labels)
              .putAllAnnotations(annotations)
              .build());
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
