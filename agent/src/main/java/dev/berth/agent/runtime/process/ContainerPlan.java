package dev.berth.agent.runtime.process;

import dev.berth.agent.image.ImageConfig;
import dev.berth.agent.image.ImportedImage;
import dev.berth.agent.image.PathInRoot;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Security;
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
 */
record ContainerPlan(
    Identity identity,
    List<String> command,
    Map<String, String> environment,
    String workingDirectory,
    boolean isFiltered,
    String stopSignal) {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  static ContainerPlan of(
      ContainerSpec spec, Optional<ImportedImage> image, HostRoot host, String hostname)
      throws RuntimeFailure {
    ImageConfig config = image.map(ImportedImage::config).orElse(ImageConfig.NONE);
    Path etc = image.isPresent() ? PathInRoot.resolve(image.get().root(), "/etc") : Path.of("/etc");
    Identity identity = Identity.of(spec.security(), config.user(), Accounts.read(etc));
    checkMounts(spec.mounts());
    GivenDevices.check(spec);
    Map<String, String> environment = environment(spec, config, hostname, identity.home());
    String workingDirectory =
        !spec.workingDirectory().isEmpty()
            ? spec.workingDirectory()
            : config.workingDirectory().isEmpty() ? "/" : config.workingDirectory();
    List<String> command = command(spec, config, image.isPresent());
    new CommandCheck(image.map(ImportedImage::root), host.directories(), spec.mounts())
        .check(command.getFirst(), environment.getOrDefault("PATH", PATH), workingDirectory);
    return new ContainerPlan(
        identity,
        command,
        environment,
        workingDirectory,
        isFiltered(spec.security()),
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

  private static boolean isFiltered(Security security) throws RuntimeFailure {
    if (security.isPrivileged() || security.seccomp().equals("Unconfined")) {
      return false;
    }
    if (security.seccomp().isEmpty() || security.seccomp().equals("RuntimeDefault")) {
      return true;
    }
    throw new RuntimeFailure(
        "CreateContainerError",
        "seccomp profile %s: this runtime has the profiles RuntimeDefault and Unconfined alone"
            .formatted(security.seccomp()));
  }

  private static void checkMounts(List<Mount> mounts) throws RuntimeFailure {
    for (Mount mount : mounts) {
      if (mount.propagation().equals("Bidirectional")) {
        throw new RuntimeFailure(
            "CreateContainerError",
            "mount %s: this runtime has no propagation Bidirectional"
                .formatted(mount.containerPath()));
      }
      if (!Files.exists(Path.of(mount.hostPath()))) {
        throw new RuntimeFailure(
            "CreateContainerError",
            "failed to mount %s: stat %s: no such file or directory"
                .formatted(mount.containerPath(), mount.hostPath()));
      }
    }
  }
}
