package dev.berth.agent.pod;

import dev.berth.agent.environment.ContainerEnvironment;
import dev.berth.agent.environment.EnvironmentFailure;
import dev.berth.agent.image.ImageAccess;
import dev.berth.agent.objects.PodObjects;
import dev.berth.agent.podspec.ContainerSpecs;
import dev.berth.agent.podspec.RecursiveReadOnly;
import dev.berth.agent.podspec.SpecFailure;
import dev.berth.agent.podspec.SpecFiles;
import dev.berth.agent.podspec.SpecSettings;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.volume.PodVolumes;
import dev.berth.agent.volume.VolumeFailure;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.image.ImageReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Starts a container: finds its image, resolves its environment, and has it run. Blocks. */
final class StartCall {
  static final String CONFIG_ERROR = "CreateContainerConfigError";

  private final ContainerRuntime runtime;
  private final PodVolumes volumes;
  private final ContainerEnvironment environment;
  private final PodObjects objects;
  private final ImageAccess access;
  private final LogLinks links;
  private final SpecSettings settings;

  /**
   * What to make it of.
   *
   * @param objects where secrets are read
   * @param access says which pods may use an image that is here
   */
  record Parts(
      ContainerRuntime runtime,
      PodVolumes volumes,
      ContainerEnvironment environment,
      PodObjects objects,
      ImageAccess access,
      SpecSettings settings) {}

  StartCall(Parts parts) {
    runtime = parts.runtime();
    volumes = parts.volumes();
    environment = parts.environment();
    objects = parts.objects();
    access = parts.access();
    settings = parts.settings();
    links = LogLinks.ofMachine();
  }

  /**
   * A container to start.
   *
   * @param addresses the pod's own
   * @param hostAddresses the node's
   * @param node as the server shows it; empty if it is not known
   * @param devices what it is given to use its devices
   * @param placement which processors and memory it may use
   * @param pulledImages those of its images that were just pulled
   */
  record Request(
      PodId id,
      JsonObject pod,
      JsonObject container,
      int attempt,
      List<String> addresses,
      List<String> hostAddresses,
      JsonObject node,
      DeviceGrant devices,
      Placement.OfPod placement,
      Set<String> pulledImages) {}

  /** What came of it. */
  sealed interface Result {
    record Started(ContainerStatus container) implements Result {}

    /** An image has to be pulled first: its own, or one that a volume is made from. */
    record NeedsImage(String image) implements Result {}

    /**
     * It does not run.
     *
     * @param reason as the status of a container that waits says it
     * @param image which cannot be had, if that is why
     */
    record Failed(String reason, String message, String image) implements Result {}
  }

  /** Removes what was made for the containers of a pod that has ended. */
  void forget(String podUid) throws IOException {
    SpecFiles.remove(settings, podUid);
  }

  Result run(Request request) {
    JsonObject container = request.container;
    String wanted = container.text("image", "");
    try {
      for (WantedImage image : WantedImage.of(request.pod, container)) {
        wanted = image.name();
        if (!request.pulledImages.contains(wanted) && needsPull(request, image)) {
          return new Result.NeedsImage(wanted);
        }
      }
      // What the specification says wins.
      Map<String, String> variables = new LinkedHashMap<>(request.devices.environment());
      variables.putAll(
          environment.resolve(
              new ContainerEnvironment.Request(
                  request.pod,
                  container,
                  request.addresses,
                  request.hostAddresses,
                  request.node.object("status").object("allocatable"),
                  volume -> path(request.pod, volume))));
      List<Mount> mounts = new ArrayList<>();
      request.devices.mounts().forEach(mount -> mounts.add(mount(mount)));
      mounts.addAll(
          RecursiveReadOnly.resolved(
              container,
              volumes.mounts(request.pod, container, variables),
              RecursiveReadOnly.isSupported(request.pod, runtime.handlers())));
      ContainerSpecs.Request spec =
          new ContainerSpecs.Request(
              request.id,
              request.pod,
              container,
              request.attempt,
              variables,
              mounts,
              volumes.groups(request.pod),
              request.addresses,
              request.node,
              request.devices,
              request.placement);
      ContainerStatus started = runtime.start(ContainerSpecs.of(spec, settings));
      links.add(request.id, started);
      return new Result.Started(started);
    } catch (RuntimeFailure e) {
      return new Result.Failed(e.reason(), String.valueOf(e.getMessage()), wanted);
    } catch (EnvironmentFailure | VolumeFailure | SpecFailure e) {
      return new Result.Failed(CONFIG_ERROR, String.valueOf(e.getMessage()), wanted);
    }
  }

  private boolean needsPull(Request request, WantedImage wanted) throws RuntimeFailure {
    String image = wanted.name();
    String policy = wanted.pullPolicy();
    if (runtime.pullsImages()
        && ImageReference.parse(image) instanceof ImageReference.Result.Invalid(String problem)) {
      throw new RuntimeFailure(
          "InvalidImageName",
          "Failed to apply default image tag \"%s\": couldn't parse image name \"%s\": %s"
              .formatted(image, image, problem));
    }
    if (policy.equals("Always") && runtime.pullsImages()) {
      return true;
    }
    Optional<Image> found = runtime.findImage(image);
    // Nobody learns that an image is here which they may not use.
    boolean isHere =
        found.isPresent()
            && (!runtime.pullsImages()
                || access.mayUse(
                    new ImageAccess.Wanted(request.id, request.pod, image, objects), found.get()));
    if (!isHere && policy.equals("Never")) {
      throw new RuntimeFailure(
          "ErrImageNeverPull",
          "Container image \"%s\" is not present with pull policy of Never".formatted(image));
    }
    if (!isHere && !runtime.pullsImages() && wanted.isVolume()) {
      throw new RuntimeFailure(
          "ErrImagePull",
          "the image \"%1$s\" was not imported to this node, which pulls none: import it by 'berth image import %1$s FILE.tar'"
              .formatted(image));
    }
    return !isHere && runtime.pullsImages();
  }

  private static Mount mount(DeviceGrant.Mount mount) {
    return new Mount(mount.hostPath(), mount.containerPath(), mount.isReadOnly(), true, "None");
  }

  /** Where a volume is on this machine: where a container would mount it from. */
  private Path path(JsonObject pod, String volume) throws EnvironmentFailure {
    JsonObject mount =
        new JsonObject.Builder().put("name", volume).put("mountPath", "/volume").build();
    try {
      return volumes
          .mounts(pod, JsonObject.of("volumeMounts", JsonArray.of(mount)), Map.of())
          .stream()
          .map(found -> Path.of(found.hostPath()))
          .findFirst()
          .orElseThrow(() ->
              new EnvironmentFailure(
                  "cannot find the volume \"%s\" referenced by FileKeyRef".formatted(volume)));
    } catch (VolumeFailure e) {
      throw new EnvironmentFailure(
          "failed to get host path for volume \"%s\": %s".formatted(volume, e.getMessage()));
    }
  }
}
