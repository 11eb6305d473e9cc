package dev.berth.agent.volume;

import dev.berth.agent.machine.Filesystem;
import dev.berth.agent.node.NodeState;
import dev.berth.agent.objects.NodeObjects;
import dev.berth.agent.runtime.Mount;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes of this node's pods, in directories below its root ({@link PodDirectory}).
 *
 * <p>All that has to survive this process is on disk and in the kernel's mounts, and is found there
 * by the next; what is held here is a cache. Volumes that no container mounts are not made.
 */
public final class MountedVolumes implements PodVolumes, VolumeReports {
  private static final Logger log = LoggerFactory.getLogger("volumes");

  private static final String IMAGE = "image";
  private static final String CLAIM = "persistentVolumeClaim";
  private static final String EPHEMERAL = "ephemeral";

  /** Those that follow other objects. */
  private static final Set<String> PROJECTED =
      Set.of("configMap", "secret", "projected", "downwardAPI");

  private final Path root;
  private final Time time;
  private final NodeObjects objects;
  private final ClaimPlugin claims;
  private final Map<String, VolumePlugin> plugins;
  private final MeasuredUsage usage;

  /** By pod, then by the volume's name in its specification. */
  private final Map<String, Map<String, PreparedVolume>> prepared = new ConcurrentHashMap<>();

  /**
   * @param root of the agent's state; its {@code pods} holds the volumes
   */
  public MountedVolumes(Path root, Time time, NodeObjects objects, NodeState node) {
    this.root = root.toAbsolutePath();
    this.time = time;
    this.objects = objects;
    this.usage = new MeasuredUsage(time);
    ProjectedContent content = new ProjectedContent(objects.watched(), objects.tokens(), node);
    HostPathPlugin hostPaths = new HostPathPlugin();
    LocalDirectories directories = new LocalDirectories(this.root);
    this.claims = new ClaimPlugin(this.root, objects.volumes(), node, directories, hostPaths);
    this.plugins =
        new TreeMap<>(
            Map.of(
                "emptyDir",
                new EmptyDirPlugin(this.root, node),
                "hostPath",
                hostPaths,
                "configMap",
                projected("kubernetes.io~configmap", false, content::configMap),
                "secret",
                projected("kubernetes.io~secret", true, content::secret),
                "projected",
                projected("kubernetes.io~projected", true, content::projected),
                "downwardAPI",
                projected("kubernetes.io~downward-api", true, content::downward),
                CLAIM,
                claims,
                EPHEMERAL,
                claims));
    // The runtime mounts it, and has pulled it by then.
    plugins.put(IMAGE, volume -> PreparedVolume.ofImage(volume.source().text("reference", "")));
  }

  private VolumePlugin projected(
      String directory, boolean inMemory, ProjectedPlugin.Content content) {
    return new ProjectedPlugin(root, time, directory, inMemory, content);
  }

  @Override
  public void prepare(JsonObject pod) throws VolumeFailure {
    objects.watched().use(pod);
    setUp(pod, volumes(pod));
  }

  @Override
  public void refresh(JsonObject pod) throws VolumeFailure {
    objects.watched().use(pod);
    setUp(pod, volumes(pod).stream().filter(v -> PROJECTED.contains(v.kind())).toList());
  }

  /** The volumes that a container of a pod mounts. */
  private static List<PodVolume> volumes(JsonObject pod) {
    Set<String> used = new HashSet<>();
    for (JsonObject container : Containers.of(pod)) {
      for (String field : List.of("volumeMounts", "volumeDevices")) {
        container.array(field).objects().forEach(use -> used.add(use.text("name", "")));
      }
    }
    return pod.object("spec").array("volumes").objects().stream()
        .filter(volume -> used.contains(volume.text("name", "")))
        .map(volume -> PodVolume.read(pod, volume))
        .toList();
  }

  /** All are tried, so that as much as possible is there when the first that failed can be made. */
  private void setUp(JsonObject pod, List<PodVolume> volumes) throws VolumeFailure {
    Map<String, PreparedVolume> ofPod =
        prepared.computeIfAbsent(Metadata.of(pod).uid(), _ -> new ConcurrentHashMap<>());
    VolumeFailure first = null;
    for (PodVolume volume : volumes) {
      if (isClaim(volume) && ofPod.containsKey(volume.name())) {
        continue;
      }
      try {
        ofPod.put(volume.name(), setUp(volume));
      } catch (VolumeFailure e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static boolean isClaim(PodVolume volume) {
    return volume.kind().equals(CLAIM) || volume.kind().equals(EPHEMERAL);
  }

  private PreparedVolume setUp(PodVolume volume) throws VolumeFailure {
    String name = volume.name();
    VolumePlugin plugin = plugins.get(volume.kind());
    if (plugin == null) {
      throw new VolumeFailure(
          name,
          SetUpException.eventMessage(
              name,
              "this node cannot mount volumes of kind %s; it mounts %s"
                  .formatted(volume.kind(), String.join(", ", plugins.keySet()))));
    }
    try {
      return plugin.setUp(volume);
    } catch (SetUpException e) {
      throw new VolumeFailure(name, e.eventMessage(name), e);
    } catch (IOException | RuntimeException e) {
      throw new VolumeFailure(name, SetUpException.eventMessage(name, e.getMessage()), e);
    }
  }

  @Override
  public List<Mount> mounts(JsonObject pod, JsonObject container, Map<String, String> environment)
      throws VolumeFailure {
    Map<String, PreparedVolume> ofPod = prepared.get(Metadata.of(pod).uid());
    if (ofPod == null) {
      prepare(pod);
      ofPod = prepared.getOrDefault(Metadata.of(pod).uid(), Map.of());
    }
    for (JsonObject device : container.array("volumeDevices").objects()) {
      String name = device.text("name", "");
      throw new VolumeFailure(
          name, "volume \"" + name + "\" is a device; this node gives containers no block devices");
    }
    List<Mount> mounts = new ArrayList<>();
    List<JsonObject> wanted = container.array("volumeMounts").objects();
    for (int i = 0; i < wanted.size(); i++) {
      JsonObject mount = wanted.get(i);
      String name = mount.text("name", "");
      PreparedVolume volume = ofPod.get(name);
      if (volume == null) {
        throw new VolumeFailure(
            name,
            "cannot find volume \"%s\" to mount into container \"%s\""
                .formatted(name, container.text("name", "")));
      }
      try {
        mounts.add(
            volume.isImage()
                ? ContainerMount.ofImage(mount, ContainerMount.subPath(mount, environment), volume)
                : ContainerMount.of(mount, place(pod, container, i, volume, environment), volume));
      } catch (SetUpException e) {
        throw new VolumeFailure(name, String.valueOf(e.getMessage()), e);
      }
    }
    return List.copyOf(mounts);
  }

  /** Where on the machine is what a container mounts: a volume, or a part of it. */
  private String place(
      JsonObject pod,
      JsonObject container,
      int index,
      PreparedVolume volume,
      Map<String, String> environment)
      throws SetUpException {
    JsonObject mount = container.array("volumeMounts").objects().get(index);
    String subPath = ContainerMount.subPath(mount, environment);
    if (subPath.isEmpty()) {
      return volume.path();
    }
    String name = mount.text("name", "");
    String containerName = container.text("name", "");
    try {
      Path at = PodDirectory.of(root, Metadata.of(pod).uid()).subPath(name, containerName, index);
      SubPaths.mount(volume.path(), subPath, at);
      return at.toString();
    } catch (IOException e) {
      // What exactly was found where is the machine's business, and not the pod's.
      log.warn(
          "pod {}: subPath of volume {} for container {}: {}",
          ObjectName.of(pod),
          name,
          containerName,
          e.getMessage());
      throw new SetUpException(
          "failed to prepare subPath for volumeMount \"%s\" of container \"%s\""
              .formatted(name, containerName),
          e);
    }
  }

  @Override
  public List<Long> groups(JsonObject pod) {
    Set<Long> groups = new LinkedHashSet<>();
    PodVolume.fsGroup(pod).group().ifPresent(groups::add);
    groups.addAll(claims.groups(Metadata.of(pod).uid()));
    return List.copyOf(groups);
  }

  @Override
  public void release(String podUid) throws VolumeFailure {
    try {
      PodDirectory pod = PodDirectory.of(root, podUid);
      pod.removeVolumes();
      usage.forget(pod.directory());
    } catch (IOException e) {
      throw new VolumeFailure(
          "",
          "UnmountVolume.TearDown failed for the volumes of pod " + podUid + ": " + e.getMessage(),
          e);
    }
    prepared.remove(podUid);
    claims.release(podUid);
    objects.release(podUid);
  }

  @Override
  public List<String> leftovers() {
    try {
      return PodDirectory.withVolumes(root);
    } catch (IOException e) {
      log.warn("cannot list {}: {}", root, e.getMessage());
      return List.of();
    }
  }

  @Override
  public List<String> volumesInUse() {
    return claims.inUse();
  }

  @Override
  public List<VolumeStats> stats(JsonObject pod) {
    Map<String, PreparedVolume> ofPod = prepared.getOrDefault(Metadata.of(pod).uid(), Map.of());
    List<VolumeStats> all = new ArrayList<>();
    for (PodVolume volume : volumes(pod)) {
      PreparedVolume there = ofPod.get(volume.name());
      if (there != null && !there.isImage() && !volume.kind().equals("hostPath")) {
        stats(volume, there).ifPresent(all::add);
      }
    }
    return List.copyOf(all);
  }

  private Optional<VolumeStats> stats(PodVolume volume, PreparedVolume there) {
    boolean isClaim = isClaim(volume);
    Path path = Path.of(there.path());
    try {
      Filesystem space = Filesystem.of(path);
      boolean isOwnFileSystem = isClaim || Mounts.isMountPoint(path);
      MeasuredUsage.Measurement measured =
          isOwnFileSystem ? usage.ofFilesystem(space) : usage.of(path);
      return Optional.of(
          new VolumeStats(
              volume.name(),
              isClaim ? Optional.of(ClaimPlugin.claimName(volume)) : Optional.empty(),
              !isOwnFileSystem,
              measured.at(),
              measured.usage(),
              space));
    } catch (IOException e) {
      log.debug("cannot measure volume {}: {}", volume.name(), e.getMessage());
      return Optional.empty();
    }
  }
}
