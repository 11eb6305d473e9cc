package dev.berth.agent.volume;

import dev.berth.agent.node.NodeState;
import dev.berth.agent.objects.ObjectsUnavailable;
import dev.berth.agent.objects.VolumeObjects;
import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.CsiDriverView;
import dev.berth.model.storage.NodeVolumeStatus;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.attachment.AttachableVolume;
import dev.berth.policy.persistentvolume.LocalDirectory;
import dev.berth.policy.persistentvolume.Protection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Volumes of claims, those that are made for one pod too: directories of this machine, by a
 * PersistentVolume that is {@code local} or {@code hostPath}. Those of the built-in provisioner are
 * made when a pod first needs them.
 *
 * <p>Volumes of CSI drivers are reported as in use, as those who attach them expect it, but there
 * is no driver on this node that could mount them, which is said once they are attached.
 */
final class ClaimPlugin implements VolumePlugin {
  /** In a pod's directory, what the pod has of this is empty: it says that the pod uses it. */
  static final String LOCAL = "kubernetes.io~local-volume";

  private static final String GID = "pv.beta.kubernetes.io/gid";

  private final Path root;
  private final VolumeObjects objects;
  private final NodeState node;
  private final LocalDirectories directories;
  private final HostPathPlugin hostPaths;

  /** Volumes that have to be attached, by the uid of the pod that uses them. */
  private final Map<String, Set<String>> attachable = new ConcurrentHashMap<>();

  /** Groups that volumes are for, likewise. */
  private final Map<String, Set<Long>> groups = new ConcurrentHashMap<>();

  ClaimPlugin(
      Path root,
      VolumeObjects objects,
      NodeState node,
      LocalDirectories directories,
      HostPathPlugin hostPaths) {
    this.root = root;
    this.objects = objects;
    this.node = node;
    this.directories = directories;
    this.hostPaths = hostPaths;
  }

  @Override
  public PreparedVolume setUp(PodVolume volume) throws SetUpException, IOException {
    ObjectName name = claimName(volume);
    PersistentVolumeView bound;
    try {
      PersistentVolumeClaimView claim = claim(volume, name);
      bound = volume(claim);
      checkMode(volume, bound);
    } catch (ObjectsUnavailable | SetUpException e) {
      throw SetUpException.whole(
          ("Unable to attach or mount volumes: unmounted volumes=[%s], unattached volumes=[], failed"
                  + " to process volumes=[%s]: error processing PVC %s: %s")
              .formatted(volume.name(), volume.name(), name, e.getMessage()));
    }
    noteGroup(volume.podUid(), bound);
    return mount(volume, bound, volume.source().flag("readOnly", false));
  }

  static ObjectName claimName(PodVolume volume) {
    String pod = Metadata.of(volume.pod()).name();
    return new ObjectName(
        volume.namespace(),
        volume.kind().equals("ephemeral")
            ? pod + "-" + volume.name()
            : volume.source().text("claimName", ""));
  }

  private PersistentVolumeClaimView claim(PodVolume volume, ObjectName name)
      throws ObjectsUnavailable, SetUpException {
    Optional<JsonObject> found = objects.claim(name);
    if (found.isEmpty()) {
      throw new SetUpException(
          "failed to fetch PVC from API server: persistentvolumeclaims \"%s\" not found"
              .formatted(name.name()));
    }
    PersistentVolumeClaimView claim = PersistentVolumeClaimView.read(found.get());
    if (claim.terminating()
        && !Metadata.of(claim.tree()).finalizers().contains(Protection.OF_CLAIMS)) {
      throw new SetUpException("PVC is being deleted");
    }
    if (!claim.phase().equals(PersistentVolumeClaimView.BOUND)) {
      throw new SetUpException("PVC is not bound");
    }
    if (claim.volume().isEmpty()) {
      throw new SetUpException("PVC has empty pvc.Spec.VolumeName");
    }
    if (volume.kind().equals("ephemeral") && !claim.owner().equals(volume.podUid())) {
      throw new SetUpException(
          "PVC %s was not created for pod %s (pod is not owner)"
              .formatted(name, ObjectName.of(volume.pod())));
    }
    return claim;
  }

  private PersistentVolumeView volume(PersistentVolumeClaimView claim)
      throws ObjectsUnavailable, SetUpException {
    Optional<JsonObject> found = objects.volume(claim.volume());
    if (found.isEmpty()) {
      throw new SetUpException(
          "failed to fetch PV %s from API server: persistentvolumes \"%s\" not found"
              .formatted(claim.volume(), claim.volume()));
    }
    PersistentVolumeView volume = PersistentVolumeView.read(found.get());
    if (volume.claim() == null) {
      throw new SetUpException(
          ("found PV object %s but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to"
                  + " the claim")
              .formatted(volume.name()));
    }
    if (!volume.claimUid().equals(claim.uid())) {
      throw new SetUpException(
          "found PV object %s but its pv.Spec.ClaimRef.UID %s does not point to claim.UID %s"
              .formatted(volume.name(), volume.claimUid(), claim.uid()));
    }
    return volume;
  }

  private static void checkMode(PodVolume volume, PersistentVolumeView bound)
      throws SetUpException {
    if (!bound.mode().equals(PersistentVolumeView.FILESYSTEM)) {
      throw new SetUpException(
          "volume %s has volumeMode %s, but this node mounts volumes of mode Filesystem only"
              .formatted(volume.name(), bound.mode()));
    }
  }

  private void noteGroup(String podUid, PersistentVolumeView volume) {
    Metadata.of(volume.tree())
        .annotation(GID)
        .filter(gid -> gid.matches("[0-9]{1,10}"))
        .ifPresent(gid ->
            groups
                .computeIfAbsent(podUid, _ -> ConcurrentHashMap.newKeySet())
                .add(Long.parseLong(gid)));
  }

  private PreparedVolume mount(PodVolume volume, PersistentVolumeView bound, boolean isReadOnly)
      throws SetUpException, IOException {
    JsonObject spec = bound.tree().object("spec");
    checkAffinity(bound.name(), spec);
    if (spec.has("local")) {
      return local(volume, bound, spec.object("local").text("path", ""), isReadOnly);
    }
    if (spec.has("hostPath")) {
      JsonObject source = spec.object("hostPath");
      return hostPaths.setUp(source.text("path", ""), source.text("type", ""), isReadOnly);
    }
    if (bound.csi() != null) {
      throw csi(volume, bound, bound.csi());
    }
    throw failed(
        "FindPluginBySpec failed",
        bound.name(),
        "this node mounts persistent volumes of kind local and hostPath only");
  }

  private void checkAffinity(String name, JsonObject spec) throws SetUpException {
    JsonObject required = spec.object("nodeAffinity").object("required");
    if (required.isEmpty()) {
      return;
    }
    Optional<NodeView> self = node.node().map(NodeView::read);
    if (self.isEmpty()) {
      throw failed("NodeAffinity check failed", name, "this node has not been read yet");
    }
    if (!NodeSelection.matches(NodeSelector.read(required), self.get())) {
      throw failed("NodeAffinity check failed", name, "no matching NodeSelectorTerms");
    }
  }

  private PreparedVolume local(
      PodVolume volume, PersistentVolumeView bound, String path, boolean isReadOnly)
      throws SetUpException, IOException {
    if (!path.startsWith("/") || List.of(path.split("/", -1)).contains("..")) {
      throw failed(
          "SetUp failed",
          bound.name(),
          "invalid path: %s must be absolute and not contain '..'".formatted(path));
    }
    PodDirectory pod = PodDirectory.of(root, volume.podUid());
    // Before anything else: from now on the directory is in use.
    Directories.make(pod.volume(LOCAL, bound.name()), 0750);
    if (bound.provisionedBy().equals(LocalDirectory.PROVISIONER)) {
      directories.make(bound.name(), Path.of(path));
    }
    Optional<FileStat> stat = HostPathPlugin.stat(path);
    if (stat.isEmpty()) {
      throw failed(
          "NewMounter initialization failed",
          bound.name(),
          "path \"%s\" does not exist".formatted(path));
    }
    if (!stat.get().isDirectory()) {
      throw failed(
          "NewMounter initialization failed", bound.name(), "only directories are supported");
    }
    if (!isReadOnly) {
      changeGroup(volume, pod, bound.name(), Path.of(path));
    }
    return new PreparedVolume(path, isReadOnly);
  }

  /** Once for each pod, and not under another that uses the volume. */
  private void changeGroup(PodVolume volume, PodDirectory pod, String name, Path path)
      throws IOException {
    Path ready = pod.readyFile(LOCAL, name);
    if (Files.exists(ready)) {
      return;
    }
    List<String> users = PodDirectory.users(root, LOCAL, name);
    if (users.equals(List.of(volume.podUid()))) {
      volume.fsGroup().apply(path.toRealPath(), false);
    }
    Directories.make(Optional.ofNullable(ready.getParent()).orElseThrow(), 0750);
    Files.write(ready, new byte[0]);
  }

  private SetUpException csi(
      PodVolume volume, PersistentVolumeView bound, PersistentVolumeView.CsiSource source) {
    String name = bound.name();
    try {
      boolean attaches =
          objects.driver(source.driver()).map(CsiDriverView::read).stream()
              .allMatch(CsiDriverView::attachRequired);
      if (attaches) {
        String unique =
            new AttachableVolume(name, source.driver(), source.volumeHandle(), false).uniqueName();
        attachable.computeIfAbsent(volume.podUid(), _ -> ConcurrentHashMap.newKeySet()).add(unique);
        boolean isAttached =
            node.node()
                .map(self -> NodeVolumeStatus.read(self).attached().contains(unique))
                .orElse(false);
        if (!isAttached) {
          return SetUpException.whole(
              "Volume not attached according to node status for volume \"%s\" ".formatted(name));
        }
      }
    } catch (ObjectsUnavailable e) {
      return failed("WaitForAttach failed", name, String.valueOf(e.getMessage()));
    }
    return failed(
        "MountDevice failed",
        name,
        "driver name %s not found in the list of registered CSI drivers"
            .formatted(source.driver()));
  }

  private static SetUpException failed(String step, String volume, String why) {
    return SetUpException.whole(
        "MountVolume.%s for volume \"%s\" : %s".formatted(step, volume, why));
  }

  /** The groups that the volumes of a pod are for, by what their PersistentVolumes say. */
  Set<Long> groups(String podUid) {
    return new TreeSet<>(groups.getOrDefault(podUid, Set.of()));
  }

  /** The volumes that pods use and that have to be attached, as the node's status names them. */
  List<String> inUse() {
    Set<String> all = new TreeSet<>();
    attachable.values().forEach(all::addAll);
    return List.copyOf(all);
  }

  void release(String podUid) {
    attachable.remove(podUid);
    groups.remove(podUid);
  }
}
