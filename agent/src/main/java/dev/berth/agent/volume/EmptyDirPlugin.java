package dev.berth.agent.volume;

import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.node.NodeState;
import dev.berth.agent.runtime.HugePages;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.storage.EmptyDirVolume;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Directories that are empty at first and go with their pod: on disk, or in memory with the size
 * that {@code sizeLimit}, the pod's memory limit or the node's memory allow, whichever is least.
 */
record EmptyDirPlugin(Path root, NodeState node) implements VolumePlugin {
  static final String DIRECTORY = "kubernetes.io~empty-dir";
  static final String MEMORY = "Memory";

  @Override
  public PreparedVolume setUp(PodVolume volume) throws SetUpException, IOException {
    EmptyDirVolume wanted = EmptyDirVolume.read(volume.name(), volume.source());
    String medium = wanted.medium();
    boolean inMemory = medium.equals(MEMORY);
    boolean inHugePages = HugePageMedium.is(medium);
    if (!medium.isEmpty() && !inMemory && !inHugePages) {
      throw new SetUpException("unknown storage medium \"%s\"".formatted(medium));
    }
    PodDirectory pod = PodDirectory.of(root, volume.podUid());
    Path path = pod.volume(DIRECTORY, volume.name());
    PreparedVolume prepared = new PreparedVolume(path.toString(), false);
    Path ready = pod.readyFile(DIRECTORY, volume.name());
    if (Files.exists(ready)
        && Files.isDirectory(path)
        && (medium.isEmpty() || Mounts.isMountPoint(path))) {
      return prepared;
    }
    Directories.make(path, 0777);
    if (inMemory && !Mounts.isMountPoint(path)) {
      Mounts.tmpfs(path, size(volume.pod(), wanted).map(bytes -> "size=" + bytes).orElse(""));
    }
    if (inHugePages && !Mounts.isMountPoint(path)) {
      mountHugePages(path, HugePageMedium.pageSize(medium, volume.pod()));
    }
    volume.fsGroup().always().apply(path, false);
    Directories.make(Optional.ofNullable(ready.getParent()).orElseThrow(), 0750);
    Files.write(ready, new byte[0]);
    return prepared;
  }

  private static void mountHugePages(Path at, long pageSize) throws SetUpException, NativeFailure {
    try {
      Mounts.hugePages(at, pageSize);
    } catch (NativeFailure e) {
      if (e.is(NativeFailure.EINVAL)) {
        throw new SetUpException(
            "this machine has no huge pages of %s".formatted(HugePages.name(pageSize)));
      }
      throw e;
    }
  }

  private Optional<Long> size(JsonObject pod, EmptyDirVolume volume) {
    return Stream.of(
            ProjectedContent.allocatable(node).get(ResourceList.MEMORY),
            memoryLimit(pod),
            volume.sizeLimit())
        .filter(limit -> limit.signum() > 0)
        .min(Quantity::compareTo)
        .map(Quantity::value);
  }

  /** What all containers together may use; zero if one of them has no limit. */
  private static Quantity memoryLimit(JsonObject pod) {
    JsonObject spec = pod.object("spec");
    boolean ofPod = spec.object("resources").object("limits").has(ResourceList.MEMORY);
    boolean ofAll =
        Stream.of("containers", "initContainers")
            .flatMap(list -> spec.array(list).objects().stream())
            .allMatch(c -> c.object("resources").object("limits").has(ResourceList.MEMORY));
    return ofPod || ofAll
        ? EffectiveResources.limits(PodSpecView.read(spec)).get(ResourceList.MEMORY)
        : Quantity.ZERO;
  }
}
