package dev.berth.kinds.pod;

import static dev.berth.kinds.resource.FieldRules.each;
import static dev.berth.kinds.resource.FieldRules.ifEmpty;
import static dev.berth.kinds.resource.FieldRules.orDefault;
import static dev.berth.kinds.resource.FieldRules.present;

import dev.berth.model.tree.JsonObject;

/** What is filled in where a volume of a pod leaves it out. */
public final class VolumeDefaults {
  private static final long FILE_MODE = 0644;
  private static final long TOKEN_SECONDS = 3600;

  private VolumeDefaults() {}

  static JsonObject of(JsonObject volume) {
    boolean empty = volume.names().stream().allMatch(name -> name.equals("name"));
    JsonObject filled = empty ? volume.with("emptyDir", JsonObject.EMPTY) : volume;
    filled = present(filled, "secret", VolumeDefaults::mode);
    filled = present(filled, "configMap", VolumeDefaults::mode);
    filled = present(filled, "downwardAPI", source -> mode(downward(source)));
    filled = present(filled, "projected", VolumeDefaults::projected);
    filled = source(filled);
    filled =
        present(
            filled,
            "image",
            image ->
                ifEmpty(image, "pullPolicy", ImageName.pullPolicy(image.text("reference", ""))));
    return present(
        filled,
        "ephemeral",
        ephemeral ->
            present(
                ephemeral,
                "volumeClaimTemplate",
                template -> present(template, "spec", VolumeDefaults::claim)));
  }

  private static JsonObject source(JsonObject volume) {
    JsonObject filled = present(volume, "hostPath", path -> orDefault(path, "type", ""));
    filled = present(filled, "iscsi", iscsi -> ifEmpty(iscsi, "iscsiInterface", "default"));
    filled = present(filled, "rbd", VolumeDefaults::rbd);
    filled = present(filled, "azureDisk", VolumeDefaults::azureDisk);
    return present(
        filled,
        "scaleIO",
        source -> ifEmpty(ifEmpty(source, "storageMode", "ThinProvisioned"), "fsType", "xfs"));
  }

  /** The specification of a persistent volume. */
  public static JsonObject persistent(JsonObject spec) {
    JsonObject filled = orDefault(inline(spec), "volumeMode", "Filesystem");
    return ifEmpty(filled, "persistentVolumeReclaimPolicy", "Retain");
  }

  /** The same in another object, where it is not asked how the volume is used. */
  public static JsonObject inline(JsonObject spec) {
    return source(present(spec, "capacity", PodSpecDefaults::rounded));
  }

  /** The specification of a claim, wherever it stands. */
  public static JsonObject claim(JsonObject spec) {
    JsonObject filled = orDefault(spec, "volumeMode", "Filesystem");
    return present(
        filled,
        "resources",
        resources ->
            present(
                present(resources, "limits", PodSpecDefaults::rounded),
                "requests",
                PodSpecDefaults::rounded));
  }

  private static JsonObject mode(JsonObject source) {
    return orDefault(source, "defaultMode", FILE_MODE);
  }

  private static JsonObject downward(JsonObject source) {
    return each(
        source, "items", item -> present(item, "fieldRef", PodSpecDefaults::fieldReference));
  }

  private static JsonObject projected(JsonObject volume) {
    return each(
        mode(volume),
        "sources",
        source ->
            present(
                present(source, "downwardAPI", VolumeDefaults::downward),
                "serviceAccountToken",
                token -> orDefault(token, "expirationSeconds", TOKEN_SECONDS)));
  }

  private static JsonObject rbd(JsonObject source) {
    JsonObject filled = ifEmpty(source, "pool", "rbd");
    filled = ifEmpty(filled, "user", "admin");
    return ifEmpty(filled, "keyring", "/etc/ceph/keyring");
  }

  private static JsonObject azureDisk(JsonObject source) {
    JsonObject filled = orDefault(source, "cachingMode", "ReadWrite");
    filled = orDefault(filled, "fsType", "ext4");
    filled = orDefault(filled, "readOnly", false);
    return orDefault(filled, "kind", "Shared");
  }
}
