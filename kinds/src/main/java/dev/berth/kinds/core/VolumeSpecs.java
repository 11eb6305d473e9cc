package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What the specifications of volumes and of claims on them share. */
final class VolumeSpecs {
  private static final String ONE_POD = "ReadWriteOncePod";
  private static final List<String> MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", ONE_POD);
  private static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");

  private VolumeSpecs() {}

  static void someAccessModes(JsonObject spec, FieldPath at, FieldErrorList problems) {
    if (spec.array("accessModes").isEmpty()) {
      problems.required(at.field("accessModes"), "");
    }
  }

  static void accessModes(JsonObject spec, FieldPath at, FieldErrorList problems) {
    List<String> modes = spec.array("accessModes").texts();
    for (String mode : modes) {
      problems.oneOf(at.field("accessModes"), mode, MODES);
    }
    boolean others = modes.stream().anyMatch(m -> MODES.contains(m) && !m.equals(ONE_POD));
    if (modes.contains(ONE_POD) && others) {
      problems.forbidden(
          at.field("accessModes"), "may not use ReadWriteOncePod with other access modes");
    }
  }

  static void storageClass(JsonObject spec, FieldPath at, FieldErrorList problems) {
    String name = spec.text("storageClassName", "");
    if (!name.isEmpty()) {
      problems.invalid(at.field("storageClassName"), name, NameRules.dns1123Subdomain(name));
    }
  }

  static void volumeMode(JsonObject spec, FieldPath at, FieldErrorList problems) {
    problems.oneOf(at.field("volumeMode"), spec.text("volumeMode", ""), VOLUME_MODES);
  }
}
