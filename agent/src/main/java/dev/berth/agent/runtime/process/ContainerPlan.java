package dev.berth.agent.runtime.process;

import dev.berth.agent.image.ImageConfig;
import dev.berth.agent.image.ImportedImage;
import dev.berth.agent.image.PathInRoot;
import dev.berth.agent.nativecalls.MountTable;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Security;
import dev.berth.agent.seccomp.SeccompProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a container's specification and its image come to: who it is, what it runs and where. Fails
 * for what this runtime cannot do, rather than to leave it out.
 *
 * @param startError why its command cannot be started; empty if it is there
 * @param isFiltered whether it has the usual filter of system calls
 * @param filter of a profile of its own
 */
record ContainerPlan(
    Identity identity,
    List<String> command,
    Optional<String> startError,
    Map<String, String> environment,
    String workingDirectory,
    boolean isFiltered,
    Optional<byte[]> filter,
    String stopSignal) {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  static ContainerPlan of(
      ContainerSpec spec, Optional<ImportedImage> image, HostRoot host, String hostname)
      throws RuntimeFailure {
    ImageConfig config = image.map(ImportedImage::config).orElse(ImageConfig.NONE);
    Path etc = image.isPresent() ? PathInRoot.resolve(image.get().root(), "/etc") : Path.of("/etc");
    Identity identity = Identity.of(spec.security(), config.user(), Accounts.read(etc));
    checkMounts(spec);
    GivenDevices.check(spec);
    Map<String, String> environment = environment(spec, config, hostname, identity.home());
    String workingDirectory =
        !spec.workingDirectory().isEmpty()
            ? spec.workingDirectory()
            : config.workingDirectory().isEmpty() ? "/" : config.workingDirectory();
    List<String> command = command(spec, config, image.isPresent());
    return new ContainerPlan(
        identity,
        command,
        new CommandCheck(image.map(ImportedImage::root), host.directories(), spec.mounts())
            .error(command.getFirst(), environment.getOrDefault("PATH", PATH), workingDirectory),
        environment,
        workingDirectory,
        isFiltered(spec.security()),
        filter(spec.security(), identity),
        stopSignal(spec, config));
  }

  private static String stopSignal(ContainerSpec spec, ImageConfig config) {
    if (!spec.stopSignal().isEmpty()) {
      return spec.stopSignal();
    }
    return config.stopSignal().isEmpty() ? "SIGTERM" : config.stopSignal();
  }

  /** The image's own where nothing is said, as in Kubernetes: a command replaces both of them. */
  private static List<String> command(ContainerSpec spec, ImageConfig config, boolean hasImage)
      throws RuntimeFailure {
    List<String> command = new ArrayList<>();
    if (!spec.command().isEmpty()) {
      command.addAll(spec.command());
      command.addAll(spec.arguments());
    } else {
      command.addAll(config.entrypoint());
      command.addAll(spec.arguments().isEmpty() ? config.command() : spec.arguments());
    }
    if (command.isEmpty() || command.getFirst().isEmpty()) {
      throw new RuntimeFailure(
          "CreateContainerError",
          hasImage
              ? "no command specified"
              : "no command specified, and the image %s was not imported to this node: say a command, or import the image"
                  .formatted(spec.image()));
    }
    return command;
  }

  private static Map<String, String> environment(
      ContainerSpec spec, ImageConfig config, String hostname, String home) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PATH", PATH);
    environment.put("HOSTNAME", hostname);
    if (spec.tty()) {
      environment.put("TERM", "xterm");
    }
    environment.putAll(config.environment());
    environment.putAll(spec.environment());
    environment.putIfAbsent("HOME", home);
    return environment;
  }

  private static boolean isFiltered(Security security) {
    return !security.isPrivileged()
        && (security.seccomp().isEmpty() || security.seccomp().equals("RuntimeDefault"));
  }

  /** The filter of a profile on this machine. */
  private static Optional<byte[]> filter(Security security, Identity identity)
      throws RuntimeFailure {
    String profile = security.seccomp();
    if (security.isPrivileged() || profile.equals("Unconfined") || isFiltered(security)) {
      return Optional.empty();
    }
    try {
      return Optional.of(SeccompProfile.compile(Path.of(profile), identity.capabilities()));
    } catch (IOException e) {
      throw new RuntimeFailure(
          "CreateContainerError",
          "cannot load seccomp profile \"%s\": %s".formatted(profile, e.getMessage()),
          e);
    }
  }

  private static void checkMounts(ContainerSpec spec) throws RuntimeFailure {
    for (Mount mount : spec.mounts()) {
      if (!Files.exists(Path.of(mount.hostPath()))) {
        throw new RuntimeFailure(
            "CreateContainerError",
            "failed to mount %s: stat %s: no such file or directory"
                .formatted(mount.containerPath(), mount.hostPath()));
      }
      boolean isBidirectional = mount.propagation().equals("Bidirectional");
      if (isBidirectional && !spec.security().isPrivileged()) {
        throw new RuntimeFailure(
            "CreateContainerConfigError",
            "mount %s: mountPropagation Bidirectional is for privileged containers alone"
                .formatted(mount.containerPath()));
      }
      if (isBidirectional || mount.propagation().equals("HostToContainer")) {
        checkPropagation(mount, isBidirectional);
      }
    }
  }

  /** Nothing passes a mount of the machine that is private. */
  private static void checkPropagation(Mount mount, boolean isBidirectional) throws RuntimeFailure {
    try {
      Path source = Path.of(mount.hostPath()).toRealPath();
      MountTable.Entry at = MountTable.read().of(source);
      if (!at.isShared() && (isBidirectional || !at.isSlave())) {
        throw new RuntimeFailure(
            "CreateContainerError",
            "path \"%s\" is mounted on \"%s\" but it is not a shared %smount"
                .formatted(source, at.point(), isBidirectional ? "" : "or slave "));
      }
    } catch (IOException e) {
      throw new RuntimeFailure(
          "CreateContainerError", "cannot see how " + mount.hostPath() + " is mounted", e);
    }
  }
}
