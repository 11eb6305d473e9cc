package dev.berth.grpc.cri;

import com.google.protobuf.ByteString;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.Security;
import dev.berth.grpc.criapi.Cri;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A container as CRI says it. */
final class ContainerConfigs {
  private static final long USUAL_PERIOD_MICROS =
      TimeUnit.NANOSECONDS.toMicros(CpuQuota.USUAL_PERIOD.toNanos());
  private static final List<String> MASKED =
      List.of(
          "/proc/asound",
          "/proc/acpi",
          "/proc/interrupts",
          "/proc/kcore",
          "/proc/keys",
          "/proc/latency_stats",
          "/proc/timer_list",
          "/proc/timer_stats",
          "/proc/sched_debug",
          "/proc/scsi",
          "/sys/firmware",
          "/sys/devices/virtual/powercap");
  private static final List<String> READ_ONLY =
      List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

  private ContainerConfigs() {}

  /**
   * What a container is created in.
   *
   * @param image as the runtime knows it
   * @param mountedImages the ids of the images that it mounts, by the names in the specification
   * @param target the id of the container whose processes it is among; empty for none
   */
  record Place(
      Cri.PodSandboxConfig sandbox,
      Cri.Image image,
      Map<String, String> mountedImages,
      String target,
      CgroupFeatures machine) {}

  static Cri.ContainerConfig of(ContainerSpec spec, Place place) {
    Cri.ContainerConfig.Builder config =
        Cri.ContainerConfig.newBuilder()
            .setMetadata(
                Cri.ContainerMetadata.newBuilder().setName(spec.name()).setAttempt(spec.attempt()))
            .setImage(
                Cri.ImageSpec.newBuilder()
                    .setImage(place.image.getId())
                    .setUserSpecifiedImage(spec.image()))
            .addAllCommand(spec.command())
            .addAllArgs(spec.arguments())
            .setWorkingDir(spec.workingDirectory())
            .putAllLabels(CriNames.labels(spec.pod()))
            .putLabels(CriNames.CONTAINER_NAME, spec.name())
            .putAnnotations(CriNames.RESTARTS, "" + spec.attempt())
            .putAnnotations(CriNames.TTY, "" + spec.tty())
            .putAnnotations(CriNames.IMAGE, spec.image())
            .putAnnotations(CriNames.MOUNTED_IMAGES, String.join(",", place.mountedImages.values()))
            .setLogPath(logPath(spec))
            .setStdin(spec.stdin())
            .setStdinOnce(spec.stdinOnce())
            .setTty(spec.tty())
            .setLinux(
                Cri.LinuxContainerConfig.newBuilder()
                    .setResources(resources(spec.limits(), place.machine))
                    .setSecurityContext(security(spec.security(), place)));
    spec.environment()
        .forEach((name, value) ->
            config.addEnvs(
                Cri.KeyValue.newBuilder().setKey(name).setValue(ByteString.copyFromUtf8(value))));
    spec.mounts()
        .forEach(mount -> config.addMounts(mount(mount, place.mountedImages, place.sandbox)));
    spec.devices()
        .forEach(device ->
            config.addDevices(
                Cri.Device.newBuilder()
                    .setHostPath(device.hostPath())
                    .setContainerPath(device.containerPath())
                    .setPermissions(device.permissions())));
    spec.cdiDevices()
        .forEach(name -> config.addCDIDevices(Cri.CDIDevice.newBuilder().setName(name)));
    if (!spec.stopSignal().isEmpty()) {
      config.setStopSignal(
          Cri.Signal.valueOf(spec.stopSignal().replace("+", "PLUS").replace("-", "MINUS")));
    }
    return config.build();
  }

  static String logPath(ContainerSpec spec) {
    return spec.name() + "/" + spec.attempt() + ".log";
  }

  /** A mount, owned in the container as on the machine, whichever users the pod has. */
  static Cri.Mount mount(
      Mount mount, Map<String, String> mountedImages, Cri.PodSandboxConfig sandbox) {
    Cri.Mount.Builder from =
        mount.isImage()
            ? Cri.Mount.newBuilder()
                .setImage(
                    Cri.ImageSpec.newBuilder()
                        .setImage(mountedImages.getOrDefault(mount.image(), ""))
                        .setUserSpecifiedImage(mount.image()))
                .setImageSubPath(mount.imageSubPath())
            : Cri.Mount.newBuilder().setHostPath(mount.hostPath());
    Cri.UserNamespace users =
        sandbox.getLinux().getSecurityContext().getNamespaceOptions().getUsernsOptions();
    return from.setContainerPath(mount.containerPath())
        .addAllUidMappings(users.getUidsList())
        .addAllGidMappings(users.getGidsList())
        .setReadonly(mount.isReadOnly())
        .setRecursiveReadOnly(mount.isReadOnly() && mount.isRecursivelyReadOnly())
        .setPropagation(
            switch (mount.propagation()) {
              case "HostToContainer" -> Cri.MountPropagation.PROPAGATION_HOST_TO_CONTAINER;
              case "Bidirectional" -> Cri.MountPropagation.PROPAGATION_BIDIRECTIONAL;
              default -> Cri.MountPropagation.PROPAGATION_PRIVATE;
            })
        .build();
  }

  /** What all containers of a pod may use together. */
  static Cri.LinuxContainerResources resources(Limits limits) {
    return basics(limits).build();
  }

  private static Cri.LinuxContainerResources.Builder basics(Limits limits) {
    return Cri.LinuxContainerResources.newBuilder()
        .setCpuShares(limits.cpuShares())
        .setCpuPeriod(limits.cpuQuota().map(CpuQuota::periodMicros).orElse(USUAL_PERIOD_MICROS))
        .setCpuQuota(limits.cpuQuota().map(CpuQuota::micros).orElse(-1L))
        .setMemoryLimitInBytes(limits.memoryBytes().orElse(0))
        .setOomScoreAdj(limits.oomScore())
        .setCpusetCpus(limits.cpus())
        .setCpusetMems(limits.mems());
  }

  /**
   * What a container may use. With cgroups of version 2 there are fields that CRI has no words for:
   * also a container without a limit of its memory has one of its swap.
   */
  static Cri.LinuxContainerResources resources(Limits limits, CgroupFeatures machine) {
    Cri.LinuxContainerResources.Builder resources = basics(limits);
    machine
        .pageSizes()
        .forEach(size ->
            resources.addHugepageLimits(
                Cri.HugepageLimit.newBuilder()
                    .setPageSize(size)
                    .setLimit(limits.hugePages().getOrDefault(size, 0L))));
    if (machine.isVersion2() && limits.isKilledAsAWhole()) {
      resources.putUnified("memory.oom.group", "1");
    }
    if (machine.limitsSwap() && limits.swapBytes().isPresent()) {
      long swap = limits.swapBytes().getAsLong();
      if (machine.isVersion2()) {
        resources.putUnified("memory.swap.max", "" + swap);
      } else if (limits.memoryBytes().isPresent()) {
        resources.setMemorySwapLimitInBytes(limits.memoryBytes().getAsLong() + swap);
      }
    }
    return resources.build();
  }

  private static Cri.LinuxContainerSecurityContext security(Security security, Place place) {
    Cri.NamespaceOption.Builder namespaces =
        place.sandbox.getLinux().getSecurityContext().getNamespaceOptions().toBuilder();
    if (!place.target.isEmpty()) {
      namespaces.setPid(Cri.NamespaceMode.TARGET).setTargetId(place.target);
    }
    Cri.LinuxContainerSecurityContext.Builder context =
        Cri.LinuxContainerSecurityContext.newBuilder()
            .setPrivileged(security.isPrivileged())
            .setReadonlyRootfs(security.hasReadOnlyRoot())
            .setNoNewPrivs(!security.mayGainPrivileges())
            .setNamespaceOptions(namespaces)
            .addAllSupplementalGroups(security.groups())
            .setSupplementalGroupsPolicy(
                security.ignoresImageGroups()
                    ? Cri.SupplementalGroupsPolicy.Strict
                    : Cri.SupplementalGroupsPolicy.Merge)
            .setCapabilities(
                Cri.Capability.newBuilder()
                    .addAllAddCapabilities(security.capabilities().stream().sorted().toList())
                    .addAllDropCapabilities(
                        security.droppedCapabilities().stream().sorted().toList()))
            .setSeccomp(profile(security.seccomp()));
    if (!security.appArmor().isEmpty()) {
      context.setApparmor(profile(security.appArmor()));
    }
    if (!security.unmaskedProc()) {
      context.addAllMaskedPaths(MASKED).addAllReadonlyPaths(READ_ONLY);
    }
    if (security.user().isPresent()) {
      context.setRunAsUser(number(security.user().getAsLong()));
    } else if (place.image.hasUid()) {
      context.setRunAsUser(place.image.getUid());
    } else {
      context.setRunAsUsername(place.image.getUsername());
    }
    security.group().ifPresent(group -> context.setRunAsGroup(number(group)));
    return context.build();
  }

  private static Cri.Int64Value number(long value) {
    return Cri.Int64Value.newBuilder().setValue(value).build();
  }

  static Cri.SecurityProfile profile(String name) {
    return switch (name) {
      case "RuntimeDefault" -> profile(Cri.SecurityProfile.ProfileType.RuntimeDefault, "");
      case "Unconfined" -> profile(Cri.SecurityProfile.ProfileType.Unconfined, "");
      default -> profile(Cri.SecurityProfile.ProfileType.Localhost, name);
    };
  }

  private static Cri.SecurityProfile profile(
      Cri.SecurityProfile.ProfileType type, String reference) {
    return Cri.SecurityProfile.newBuilder().setProfileType(type).setLocalhostRef(reference).build();
  }
}
