package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is wrong with where a container finds the pod's volumes: as directories and as devices. */
final class MountValidation {
  private static final List<String> PROPAGATION =
      List.of("Bidirectional", "HostToContainer", "None");
  private static final List<String> RECURSIVE = List.of("Disabled", "Enabled", "IfPossible");

  private final JsonObject container;
  private final Map<String, JsonObject> volumes;
  private final FieldErrorList problems;

  private MountValidation(
      JsonObject container, Map<String, JsonObject> volumes, FieldErrorList problems) {
    this.container = container;
    this.volumes = volumes;
    this.problems = problems;
  }

  static void validate(
      JsonObject container,
      Map<String, JsonObject> volumes,
      FieldPath path,
      FieldErrorList problems) {
    MountValidation validation = new MountValidation(container, volumes, problems);
    validation.mounts(path.field("volumeMounts"));
    validation.devices(path.field("volumeDevices"));
  }

  /** Where each volume is found; where one is found twice, the last. */
  private Map<String, String> paths(String list, String field) {
    Map<String, String> paths = new HashMap<>();
    for (JsonObject entry : container.array(list).objects()) {
      paths.put(entry.text("name", ""), entry.text(field, ""));
    }
    return paths;
  }

  private void mounts(FieldPath path) {
    Map<String, String> devices = paths("volumeDevices", "devicePath");
    Set<String> seen = new HashSet<>();
    List<JsonObject> mounts = container.array("volumeMounts").objects();
    for (int i = 0; i < mounts.size(); i++) {
      JsonObject mount = mounts.get(i);
      FieldPath at = path.index(i);
      String name = mount.text("name", "");
      problems.present(mount, "name", at);
      if (!volumes.containsKey(name)) {
        problems.notFound(at.field("name"), name, "");
      }
      String mountPath = mount.text("mountPath", "");
      problems.present(mount, "mountPath", at);
      if (!seen.add(mountPath)) {
        problems.invalid(at.field("mountPath"), mountPath, "must be unique");
      }
      if (devices.containsKey(name)) {
        problems.invalid(at.field("name"), name, "must not already exist in volumeDevices");
      }
      if (devices.containsValue(mountPath)) {
        problems.invalid(
            at.field("mountPath"), mountPath, "must not already exist as a path in volumeDevices");
      }
      // From here on upstream does not say which mount is wrong.
      String subPath = mount.text("subPath", "");
      problems.descending(subPath, path.field("subPath"));
      String expression = mount.text("subPathExpr", "");
      if (!expression.isEmpty() && !subPath.isEmpty()) {
        problems.invalid(
            at.field("subPathExpr"), expression, "subPathExpr and subPath are mutually exclusive");
      }
      problems.descending(expression, path.field("subPathExpr"));
      propagation(mount.text("mountPropagation"), path.field("mountPropagation"));
      recursive(mount, path.field("recursiveReadOnly"));
    }
  }

  private void propagation(@Nullable String mode, FieldPath at) {
    if (mode == null) {
      return;
    }
    problems.oneOf(at, mode, PROPAGATION);
    if (mode.equals("Bidirectional")
        && !container.object("securityContext").flag("privileged", false)) {
      problems.forbidden(
          at, "Bidirectional mount propagation is available only to privileged containers");
    }
  }

  private void recursive(JsonObject mount, FieldPath at) {
    String mode = mount.text("recursiveReadOnly");
    if (mode == null) {
      return;
    }
    problems.oneOf(at, mode, RECURSIVE);
    if (mode.equals("Enabled") || mode.equals("IfPossible")) {
      if (!mount.flag("readOnly", false)) {
        problems.forbidden(at, "may only be specified when readOnly is true");
      }
      if (!mount.text("mountPropagation", "None").equals("None")) {
        problems.forbidden(
            at, "may only be specified when mountPropagation is None or not specified");
      }
    }
  }

  private void devices(FieldPath path) {
    Map<String, String> mounts = paths("volumeMounts", "mountPath");
    Set<String> names = new HashSet<>();
    Set<String> paths = new HashSet<>();
    List<JsonObject> devices = container.array("volumeDevices").objects();
    for (int i = 0; i < devices.size(); i++) {
      JsonObject device = devices.get(i);
      FieldPath at = path.index(i);
      String name = device.text("name", "");
      String devicePath = device.text("devicePath", "");
      problems.present(device, "name", at);
      if (names.contains(name)) {
        problems.invalid(at.field("name"), name, "must be unique");
      }
      JsonObject volume = volumes.get(name);
      if (volume == null) {
        problems.notFound(at.field("name"), name, "");
      } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
        problems.invalid(
            at.field("name"),
            name,
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
      problems.present(device, "devicePath", at);
      if (paths.contains(devicePath)) {
        problems.invalid(at.field("devicePath"), devicePath, "must be unique");
      }
      if (List.of(devicePath.split("/", -1)).contains("..")) {
        problems.invalid(at.field("devicePath"), devicePath, "can not contain backsteps ('..')");
      } else {
        paths.add(devicePath);
      }
      if (mounts.containsKey(name)) {
        problems.invalid(at.field("name"), name, "must not already exist in volumeMounts");
      }
      if (mounts.containsValue(devicePath)) {
        problems.invalid(
            at.field("devicePath"), devicePath, "must not already exist as a path in volumeMounts");
      }
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
  }
}
