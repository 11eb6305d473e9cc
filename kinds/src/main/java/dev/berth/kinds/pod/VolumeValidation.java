package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the volumes of a pod: each has a name of its own and one source. */
final class VolumeValidation {
  private static final List<String> HOST_PATH_TYPES =
      List.of(
          "",
          "BlockDevice",
          "CharDevice",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "FileOrCreate",
          "Socket");
  private static final int LEAST_TOKEN_SECONDS = 600;

  private final FieldErrorList problems;

  private VolumeValidation(FieldErrorList problems) {
    this.problems = problems;
  }

  /** Checks the volumes of a pod, and returns their names. */
  static Set<String> validate(JsonObject spec, FieldPath path, FieldErrorList problems) {
    VolumeValidation validation = new VolumeValidation(problems);
    Set<String> names = new HashSet<>();
    List<JsonObject> volumes = spec.array("volumes").objects();
    for (int i = 0; i < volumes.size(); i++) {
      FieldPath at = path.field("volumes").index(i);
      JsonObject volume = volumes.get(i);
      String name = volume.text("name", "");
      if (problems.present(volume, "name", at)) {
        problems.invalid(at.field("name"), name, NameRules.dns1123Label(name));
      }
      if (!names.add(name)) {
        problems.duplicate(at.field("name"), name);
      }
      validation.sources(volume, at);
    }
    return names;
  }

  private void sources(JsonObject volume, FieldPath at) {
    boolean found = false;
    for (String kind : volume.names()) {
      if (kind.equals("name")) {
        continue;
      }
      if (found) {
        problems.forbidden(at.field(kind), "may not specify more than 1 volume type");
      } else {
        found = true;
        source(volume.object(kind), kind, at.field(kind));
      }
    }
    if (!found) {
      problems.required(at, "must specify a volume type");
    }
  }

  private void source(JsonObject source, String kind, FieldPath at) {
    switch (kind) {
      case "emptyDir" -> {
        Object limit = source.get("sizeLimit");
        if (limit != null && Quantity.fromTree(limit).signum() < 0) {
          problems.forbidden(
              at.field("sizeLimit"), "SizeLimit field must be a valid resource quantity");
        }
      }
      case "hostPath" -> {
        if (problems.present(source, "path", at)) {
          problems.notBackwards(source.text("path", ""), at.field("path"));
        }
        problems.oneOf(at.field("type"), source.text("type", ""), HOST_PATH_TYPES);
      }
      case "secret" -> {
        problems.present(source, "secretName", at);
        files(source, at);
      }
      case "configMap" -> {
        problems.present(source, "name", at);
        files(source, at);
      }
      case "persistentVolumeClaim" -> problems.present(source, "claimName", at);
      case "nfs" -> {
        problems.present(source, "server", at);
        problems.present(source, "path", at);
      }
      case "csi" -> problems.present(source, "driver", at);
      case "downwardAPI" -> {
        problems.mode(source, "defaultMode", at);
        downward(source, at);
      }
      case "projected" -> projected(source, at);
      default -> {}
    }
  }

  private void files(JsonObject source, FieldPath at) {
    problems.mode(source, "defaultMode", at);
    List<JsonObject> items = source.array("items").objects();
    for (int i = 0; i < items.size(); i++) {
      FieldPath item = at.field("items").index(i);
      problems.present(items.get(i), "key", item);
      if (problems.present(items.get(i), "path", item)) {
        problems.descending(items.get(i).text("path", ""), item.field("path"));
      }
      problems.mode(items.get(i), "mode", item);
    }
  }

  private void downward(JsonObject source, FieldPath at) {
    List<JsonObject> items = source.array("items").objects();
    for (int i = 0; i < items.size(); i++) {
      FieldPath item = at.field("items").index(i);
      if (problems.present(items.get(i), "path", item)) {
        problems.descending(items.get(i).text("path", ""), item.field("path"));
      }
      boolean field = items.get(i).has("fieldRef");
      boolean resource = items.get(i).has("resourceFieldRef");
      if (field && resource) {
        problems.invalid(
            item, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      } else if (!field && !resource) {
        problems.required(item, "one of fieldRef and resourceFieldRef is required");
      }
    }
  }

  private void projected(JsonObject source, FieldPath at) {
    problems.mode(source, "defaultMode", at);
    List<JsonObject> sources = source.array("sources").objects();
    for (int i = 0; i < sources.size(); i++) {
      FieldPath place = at.field("sources").index(i);
      boolean found = false;
      for (String kind : sources.get(i).names()) {
        if (found) {
          problems.forbidden(place.field(kind), "may not specify more than 1 volume type");
          continue;
        }
        found = true;
        JsonObject part = sources.get(i).object(kind);
        switch (kind) {
          case "secret", "configMap" -> {
            problems.present(part, "name", place.field(kind));
            files(part, place.field(kind));
          }
          case "downwardAPI" -> downward(part, place.field(kind));
          case "serviceAccountToken" -> token(part, place.field(kind));
          default -> {}
        }
      }
    }
  }

  private void token(JsonObject token, FieldPath at) {
    problems.present(token, "path", at);
    long seconds = token.integer("expirationSeconds").orElse(LEAST_TOKEN_SECONDS);
    if (seconds < LEAST_TOKEN_SECONDS) {
      problems.invalid(
          at.field("expirationSeconds"),
          seconds,
          "may not specify a duration less than 10 minutes");
    }
  }
}
