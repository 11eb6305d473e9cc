package dev.berth.kinds.core;

import dev.berth.kinds.pod.VolumeSourceValidation;
import dev.berth.kinds.resource.DriverNames;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is wrong with where a persistent volume is: as in pods, but for secrets and namespaces. */
final class PersistentSourceValidation {
  /** Where a volume can be, in the order in which upstream looks. */
  private static final List<String> SOURCES =
      List.of(
          "hostPath",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "glusterfs",
          "flocker",
          "nfs",
          "rbd",
          "quobyte",
          "cephfs",
          "iscsi",
          "cinder",
          "fc",
          "flexVolume",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "scaleIO",
          "local",
          "storageos",
          "csi");

  private static final List<String> SECRETS =
      List.of(
          "controllerPublishSecretRef",
          "controllerExpandSecretRef",
          "nodePublishSecretRef",
          "nodeExpandSecretRef");

  private PersistentSourceValidation() {}

  /** A volume is at one place. */
  static void validate(String volume, JsonObject spec, FieldPath path, FieldErrorList problems) {
    boolean found = false;
    for (String source : SOURCES) {
      if (!spec.has(source)) {
        continue;
      }
      if (found && !source.equals("flexVolume")) {
        problems.forbidden(
            path.field(source.equals("cephfs") ? "cephFS" : source),
            "may not specify more than 1 volume type");
      } else {
        validate(volume, source, spec, path, problems);
      }
      found = true;
    }
    if (!found) {
      problems.required(path, "must specify a volume type");
    }
    String directory = spec.object("hostPath").text("path", "");
    boolean recycled = spec.text("persistentVolumeReclaimPolicy", "").equals("Recycle");
    if (recycled && directory.matches("/+(\\./*)*")) {
      problems.forbidden(
          path.field("persistentVolumeReclaimPolicy"),
          "may not be 'recycle' for a hostPath mount of '/'");
    }
  }

  private static void validate(
      String volume, String kind, JsonObject spec, FieldPath path, FieldErrorList problems) {
    JsonObject source = spec.object(kind);
    FieldPath at = path.field(kind);
    switch (kind) {
      case "local" -> {
        if (problems.present(source, "path", at)) {
          problems.notBackwards(source.text("path", ""), at.field("path"));
        }
        if (!spec.has("nodeAffinity")) {
          problems.required(path.field("nodeAffinity"), "Local volume requires node affinity");
        }
      }
      case "csi" -> csi(source, at, problems);
      default -> {
        VolumeSourceValidation.ofVolume(volume, kind, source, at, problems);
        namespaces(kind, source, at, problems);
      }
    }
  }

  /** A pod's sources are in its own namespace; a volume's say where. */
  private static void namespaces(
      String kind, JsonObject source, FieldPath at, FieldErrorList problems) {
    switch (kind) {
      case "glusterfs" -> {
        String namespace = source.text("endpointsNamespace");
        FieldPath place = at.field("endpointsNamespace");
        if (namespace != null && namespace.isEmpty()) {
          problems.invalid(
              place,
              namespace,
              "if the endpointnamespace is set, it must be a valid namespace name");
        } else if (namespace != null) {
          problems.invalid(place, namespace, NameRules.dns1123Label(namespace));
        }
      }
      case "cinder", "storageos" -> {
        if (source.has("secretRef")) {
          problems.present(source.object("secretRef"), "namespace", at.field("secretRef"));
        }
      }
      case "azureFile" -> {
        if (source.has("secretNamespace")) {
          problems.present(source, "secretNamespace", at);
        }
      }
      default -> {}
    }
  }

  private static void csi(JsonObject source, FieldPath at, FieldErrorList problems) {
    DriverNames.validate(source.text("driver", ""), at.field("driver"), problems);
    problems.present(source, "volumeHandle", at);
    for (String field : SECRETS) {
      if (source.has(field)) {
        JsonObject secret = source.object(field);
        FieldPath place = at.field(field);
        if (problems.present(secret, "name", place)) {
          String name = secret.text("name", "");
          problems.invalid(place.field("name"), name, NameRules.dns1123Subdomain(name));
        }
        if (problems.present(secret, "namespace", place)) {
          String namespace = secret.text("namespace", "");
          problems.invalid(place.field("namespace"), namespace, NameRules.dns1123Label(namespace));
        }
      }
    }
  }
}
