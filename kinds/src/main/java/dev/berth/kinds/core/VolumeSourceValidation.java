package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.storage.DriverNames;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is wrong with where a volume is, for the places that clusters without a cloud have. */
final class VolumeSourceValidation {
  private static final List<String> PATH_TYPES =
      List.of(
          "",
          "BlockDevice",
          "CharDevice",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "FileOrCreate",
          "Socket");
  private static final List<String> SECRETS =
      List.of(
          "controllerPublishSecretRef",
          "controllerExpandSecretRef",
          "nodePublishSecretRef",
          "nodeExpandSecretRef");

  private VolumeSourceValidation() {}

  static void validate(String kind, JsonObject spec, FieldPath path, FieldErrorList problems) {
    JsonObject source = spec.object(kind);
    FieldPath at = path.field(kind);
    switch (kind) {
      case "hostPath" -> {
        if (problems.present(source, "path", at)) {
          problems.notBackwards(source.text("path", ""), at.field("path"));
          String type = source.text("type");
          if (type != null) {
            problems.oneOf(at.field("type"), type, PATH_TYPES);
          }
        }
      }
      case "local" -> {
        if (problems.present(source, "path", at)) {
          problems.notBackwards(source.text("path", ""), at.field("path"));
        }
        if (!spec.has("nodeAffinity")) {
          problems.required(path.field("nodeAffinity"), "Local volume requires node affinity");
        }
      }
      case "nfs" -> {
        problems.present(source, "server", at);
        problems.present(source, "path", at);
        String remote = source.text("path", "");
        if (!remote.startsWith("/")) {
          problems.invalid(at.field("path"), remote, "must be an absolute path");
        }
      }
      case "csi" -> csi(source, at, problems);
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
