package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.StorageClassView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Volumes that are directories.
 *
 * <ol>
 *   <li>The directory is {@code <path>/<namespace>-<claim>-<volume>}, where {@code path} is a
 *       parameter of the class. Sizes are noted and not enforced.
 *   <li>It is of one node: the one that the scheduler selected, so that the class must wait for its
 *       first consumer; pods on other nodes cannot use it.
 *   <li>With the parameter {@code shared: "true"} all nodes are said to see the same files under
 *       the path, as with NFS. Then the volume is of no node, and may be used by many.
 * </ol>
 *
 * <p>Only names are given here. The agent of a node makes the directory when a pod first needs it,
 * and removes it after its volume is deleted.
 */
public final class LocalDirectory {
  /** The provisioner that storage classes name. */
  public static final String PROVISIONER = "berth.dev/local-directory";

  /**
   * On a node, with the value {@code true}: its agent removes directories of volumes that were
   * deleted, when it is told by an annotation ({@link #DELETED_PREFIX}).
   */
  public static final String REMOVED_BY_AGENT = "local-directory.berth.dev/agent";

  /**
   * On a node, with the name of a volume behind it: the volume was deleted, its directory may go.
   */
  public static final String DELETED_PREFIX = "deleted-volume.berth.dev/";

  private static final String DEFAULT_PATH = "/var/lib/berth/volumes";
  private static final String PATH = "path";
  private static final String SHARED = "shared";
  private static final Set<String> PARAMETERS = Set.of(PATH, SHARED);
  private static final Set<String> OF_ONE_NODE = Set.of("ReadWriteOnce", "ReadWriteOncePod");

  /** The longest name of a file on Linux. */
  private static final int LONGEST_NAME = 255;

  private LocalDirectory() {}

  /** The name of the volume that is made for a claim; there is one at most. */
  public static String volumeName(PersistentVolumeClaimView claim) {
    return "pvc-" + claim.uid();
  }

  /** Why no volume can be made for a claim, and what would be right. */
  static Optional<String> problem(PersistentVolumeClaimView claim, StorageClassView storageClass) {
    return ofClass(storageClass).or(() -> ofClaim(claim, storageClass));
  }

  private static Optional<String> ofClass(StorageClassView storageClass) {
    Set<String> unknown = new TreeSet<>(storageClass.parameters().names());
    unknown.removeAll(PARAMETERS);
    if (!unknown.isEmpty()) {
      return Optional.of(
          "unknown parameters %s; there are \"path\" and \"shared\"".formatted(unknown));
    }
    String path = path(storageClass);
    if (!isPlain(path)) {
      return Optional.of(
          "the parameter path is \"%s\"; it should be an absolute path without \"..\", such as %s"
              .formatted(path, DEFAULT_PATH));
    }
    String shared = storageClass.parameter(SHARED, "false");
    if (!shared.equals("true") && !shared.equals("false")) {
      return Optional.of(
          "the parameter shared is \"%s\"; it should be \"true\" or \"false\"".formatted(shared));
    }
    if (!storageClass.waitsForConsumer() && !isShared(storageClass)) {
      return Optional.of(
          ("a directory of one node needs volumeBindingMode WaitForFirstConsumer, so that the node"
                  + " is known; or the parameter shared: \"true\", if all nodes see the same files"
                  + " under %s")
              .formatted(path));
    }
    List<String> options = storageClass.mountOptions();
    return options.isEmpty()
        ? Optional.empty()
        : Optional.of("directories have no mount options, but the class has " + options);
  }

  private static Optional<String> ofClaim(
      PersistentVolumeClaimView claim, StorageClassView storageClass) {
    if (!claim.mode().equals(PersistentVolumeView.FILESYSTEM)) {
      return Optional.of(
          "a directory has volumeMode Filesystem, but the claim asks for " + claim.mode());
    }
    if (!isShared(storageClass) && !OF_ONE_NODE.containsAll(claim.accessModes())) {
      return Optional.of(
          "a directory of one node has access mode ReadWriteOnce or ReadWriteOncePod, but the claim"
              + " asks for "
              + claim.accessModes());
    }
    if (claim.hasSelector()) {
      return Optional.of("claim.spec.selector is not supported for dynamic provisioning");
    }
    if (claim.hasDataSource()) {
      return Optional.of("a new directory is empty, but the claim has a data source");
    }
    return claim.attributesClass().isEmpty()
        ? Optional.empty()
        : Optional.of("directories have no volume attributes classes");
  }

  private static boolean isPlain(String path) {
    return path.startsWith("/")
        && path.indexOf('\0') < 0
        && !List.of(path.split("/")).contains("..");
  }

  /** The message of the event about a claim for which no volume can be made. */
  public static String message(StorageClassView storageClass, String problem) {
    return "Failed to provision volume with StorageClass \"%s\": %s"
        .formatted(storageClass.name(), problem);
  }

  /** Whether all nodes see the same directory. */
  public static boolean isShared(StorageClassView storageClass) {
    return storageClass.parameter(SHARED, "").equals("true");
  }

  private static String path(StorageClassView storageClass) {
    return storageClass.parameter(PATH, DEFAULT_PATH);
  }

  /**
   * The volume that is made for a claim.
   *
   * @param hostname what the label of its node says; without meaning if the directory is shared
   */
  public static JsonObject volume(
      PersistentVolumeClaimView claim, StorageClassView storageClass, String hostname) {
    String name = volumeName(claim);
    JsonObject annotations =
        new JsonObject.Builder()
            .put(WellKnownAnnotations.PROVISIONED_BY, PROVISIONER)
            .put(WellKnownAnnotations.BOUND_BY_CONTROLLER, "yes")
            .build();
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", name)
            .put("annotations", annotations)
            .put("finalizers", JsonArray.of(Protection.OF_VOLUMES))
            .build();
    JsonObject.Builder spec =
        new JsonObject.Builder()
            .put("capacity", JsonObject.of("storage", claim.requestAsWritten()))
            .put("accessModes", JsonArray.copyOf(claim.accessModes()))
            .put("volumeMode", PersistentVolumeView.FILESYSTEM)
            .put("persistentVolumeReclaimPolicy", storageClass.reclaimPolicy())
            .put("storageClassName", storageClass.name())
            .put("claimRef", VolumeBinding.reference(claim));
    String directory = directory(claim, storageClass);
    if (isShared(storageClass)) {
      spec.put(
          "hostPath",
          new JsonObject.Builder().put(PATH, directory).put("type", "DirectoryOrCreate").build());
    } else {
      spec.put("local", JsonObject.of(PATH, directory)).put("nodeAffinity", only(hostname));
    }
    return new JsonObject.Builder()
        .put("apiVersion", "v1")
        .put("kind", "PersistentVolume")
        .put("metadata", metadata)
        .put("spec", spec.build())
        .build();
  }

  private static JsonObject only(String hostname) {
    JsonObject expression =
        new JsonObject.Builder()
            .put("key", WellKnownLabels.HOSTNAME)
            .put("operator", "In")
            .put("values", JsonArray.of(hostname))
            .build();
    JsonObject term = JsonObject.of("matchExpressions", JsonArray.of(expression));
    return JsonObject.of("required", JsonObject.of("nodeSelectorTerms", JsonArray.of(term)));
  }

  /** The name of the volume makes it unique, so the rest may be cut off. */
  private static String directory(PersistentVolumeClaimView claim, StorageClassView storageClass) {
    String owner = claim.name().namespace() + "-" + claim.name().name();
    String volume = "-" + volumeName(claim);
    int room = LONGEST_NAME - volume.getBytes(StandardCharsets.UTF_8).length;
    String path = path(storageClass);
    String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    return base + "/" + owner.substring(0, Math.min(owner.length(), room)) + volume;
  }

  /** The class that a new cluster begins with. */
  public static JsonObject defaultClass() {
    return new JsonObject.Builder()
        .put("apiVersion", "storage.k8s.io/v1")
        .put("kind", "StorageClass")
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("name", "local-directory")
                .put(
                    "annotations",
                    JsonObject.of(WellKnownAnnotations.DEFAULT_STORAGE_CLASS, "true"))
                .build())
        .put("provisioner", PROVISIONER)
        .put("reclaimPolicy", "Delete")
        .put("volumeBindingMode", "WaitForFirstConsumer")
        .build();
  }
}
