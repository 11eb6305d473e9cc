package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is wrong with the volumes of a pod: each has a name of its own and one source. */
final class VolumeValidation {
  /** In the order in which they are looked at. */
  private static final List<String> SOURCES =
      List.of(
          "emptyDir",
          "hostPath",
          "gitRepo",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "secret",
          "nfs",
          "iscsi",
          "glusterfs",
          "flocker",
          "persistentVolumeClaim",
          "rbd",
          "cinder",
          "cephfs",
          "quobyte",
          "downwardAPI",
          "fc",
          "flexVolume",
          "configMap",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "storageos",
          "projected",
          "scaleIO",
          "csi",
          "ephemeral",
          "image");

  /** Where upstream's messages name a source otherwise than the API does. */
  private static final Map<String, String> MISNAMED =
      Map.of("cephfs", "cephFS", "downwardAPI", "downwarAPI");

  private static final int LONGEST_INITIATOR = 64;

  private final FieldErrorList problems;
  private final PodValidationOptions options;
  private final String pod;

  private VolumeValidation(FieldErrorList problems, PodValidationOptions options, String pod) {
    this.problems = problems;
    this.options = options;
    this.pod = pod;
  }

  /**
   * Checks the volumes of a pod, and returns those that have nothing wrong with them, by name.
   *
   * @param pod the pod's name, empty if it has none yet
   */
  static Map<String, JsonObject> validate(
      List<JsonObject> volumes,
      String pod,
      FieldPath path,
      PodValidationOptions options,
      FieldErrorList problems) {
    Map<String, JsonObject> good = new LinkedHashMap<>();
    Set<String> created = new HashSet<>();
    for (JsonObject volume : volumes) {
      if (volume.has("ephemeral") && !pod.isEmpty()) {
        created.add(pod + "-" + volume.text("name", ""));
      }
    }
    for (int i = 0; i < volumes.size(); i++) {
      JsonObject volume = volumes.get(i);
      FieldPath at = path.index(i);
      String name = volume.text("name", "");
      int before = problems.size();
      new VolumeValidation(problems, options, pod).source(volume, name, at);
      if (problems.present(volume, "name", at)) {
        problems.invalid(at.field("name"), name, NameRules.dns1123Label(name));
      }
      if (good.containsKey(name)) {
        problems.duplicate(at.field("name"), name);
      }
      if (problems.size() == before) {
        good.put(name, volume);
      }
      String claim = volume.object("persistentVolumeClaim").text("claimName", "");
      if (volume.has("persistentVolumeClaim") && created.contains(claim)) {
        problems.invalid(
            at.field("persistentVolumeClaim").field("claimName"),
            claim,
            "must not reference a PVC that gets created for an ephemeral volume");
      }
    }
    return good;
  }

  static boolean hasNonLocalTokenPath(JsonObject spec) {
    FieldErrorList found = new FieldErrorList();
    for (JsonObject volume : spec.array("volumes").objects()) {
      for (JsonObject source : volume.object("projected").array("sources").objects()) {
        found.notReserved(
            source.object("serviceAccountToken").text("path", ""), FieldPath.of("path"));
      }
    }
    return found.size() > 0;
  }

  private void source(JsonObject volume, String name, FieldPath at) {
    boolean found = false;
    for (String kind : SOURCES) {
      if (!volume.has(kind)) {
        continue;
      }
      JsonObject source = volume.object(kind);
      if (found) {
        problems.forbidden(
            at.field(MISNAMED.getOrDefault(kind, kind)), "may not specify more than 1 volume type");
      } else {
        found = true;
        source(kind, source, name, at);
      }
      if (kind.equals("iscsi")
          && source.has("initiatorName")
          && (name + ":" + source.text("targetPortal", "")).length() > LONGEST_INITIATOR) {
        problems.invalid(
            at.field("name"),
            name,
            "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
                + " iscsi.initiatorName is specified.");
      }
    }
    if (!found) {
      problems.required(at, "must specify a volume type");
    }
  }

  private void source(String kind, JsonObject source, String name, FieldPath at) {
    FieldPath place = at.field(kind);
    switch (kind) {
      case "emptyDir" -> {
        Object limit = source.get("sizeLimit");
        if (limit != null && Quantity.fromTree(limit).signum() < 0) {
          problems.forbidden(
              place.field("sizeLimit"), "SizeLimit field must be a valid resource quantity");
        }
      }
      case "secret" -> {
        problems.present(source, "secretName", place);
        ProjectedVolumeValidation.files(source, place, problems);
      }
      case "configMap" -> {
        problems.present(source, "name", place);
        ProjectedVolumeValidation.files(source, place, problems);
      }
      case "downwardAPI" -> {
        problems.mode(source, "defaultMode", place);
        for (JsonObject file : source.array("items").objects()) {
          ProjectedVolumeValidation.downwardFile(file, place, problems);
        }
      }
      case "projected" -> new ProjectedVolumeValidation(problems, options).validate(source, place);
      case "ephemeral" -> ephemeral(source, name, at);
      case "image" -> {
        if (options.isPod()) {
          problems.present(source, "reference", place);
        }
        problems.requiredOneOf(
            place.field("pullPolicy"),
            source.text("pullPolicy", ""),
            ContainerValidation.PULL_POLICIES);
      }
      default -> VolumeSourceValidation.validate(kind, source, place, problems);
    }
  }

  private void ephemeral(JsonObject source, String name, FieldPath at) {
    FieldPath template = at.field("ephemeral").field("volumeClaimTemplate");
    if (!source.has("volumeClaimTemplate")) {
      problems.required(template, "");
    } else {
      ClaimSpecValidation.template(source.object("volumeClaimTemplate"), template, problems);
    }
    if (!pod.isEmpty() && !name.isEmpty()) {
      String claim = pod + "-" + name;
      for (String problem : NameRules.dns1123Subdomain(claim)) {
        problems.invalid(at.field("name"), name, "PVC name \"%s\": %s".formatted(claim, problem));
      }
    }
  }
}
