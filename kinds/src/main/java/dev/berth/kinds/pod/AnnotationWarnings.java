package dev.berth.kinds.pod;

import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** Annotations of pods in whose place there are fields today. */
final class AnnotationWarnings {
  private static final String SECCOMP_OF_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_OF_CONTAINER =
      "container.seccomp.security.alpha.kubernetes.io/";
  private static final String USE_SECCOMP_FIELD =
      "%s: non-functional in v1.27+; use the \"seccompProfile\" field instead";

  /** In the order in which they are reported. */
  private static final List<Map.Entry<String, String>> DEPRECATED =
      List.of(
          Map.entry(
              "scheduler.alpha.kubernetes.io/critical-pod",
              "non-functional in v1.16+; use the \"priorityClassName\" field instead"),
          Map.entry(
              "security.alpha.kubernetes.io/sysctls",
              "non-functional in v1.11+; use the \"sysctls\" field instead"),
          Map.entry(
              "security.alpha.kubernetes.io/unsafe-sysctls",
              "non-functional in v1.11+; use the \"sysctls\" field instead"));

  private AnnotationWarnings() {}

  static void deprecated(JsonObject annotations, FieldPath pod, List<String> warnings) {
    for (Map.Entry<String, String> deprecated : DEPRECATED) {
      if (annotations.has(deprecated.getKey())) {
        warnings.add("%s: %s".formatted(place(pod, deprecated.getKey()), deprecated.getValue()));
      }
    }
  }

  static void seccompOfPod(
      JsonObject spec, JsonObject annotations, FieldPath pod, List<String> warnings) {
    if (annotations.has(SECCOMP_OF_POD) && !spec.object("securityContext").has("seccompProfile")) {
      warnings.add(USE_SECCOMP_FIELD.formatted(place(pod, SECCOMP_OF_POD)));
    }
  }

  static void seccomp(
      JsonObject container, JsonObject annotations, FieldPath pod, List<String> warnings) {
    String key = SECCOMP_OF_CONTAINER + container.text("name", "");
    if (annotations.has(key) && !container.object("securityContext").has("seccompProfile")) {
      warnings.add(USE_SECCOMP_FIELD.formatted(place(pod, key)));
    }
  }

  /** Not about one that says the same as the pod's field. */
  static void appArmor(
      JsonObject container,
      JsonObject spec,
      JsonObject annotations,
      FieldPath pod,
      List<String> warnings) {
    String key = PodAnnotationsValidation.APP_ARMOR + container.text("name", "");
    if (!annotations.has(key) || container.object("securityContext").has("appArmorProfile")) {
      return;
    }
    JsonObject profile = PodPreparation.appArmorProfile(annotations.text(key, ""));
    JsonObject ofPod = spec.object("securityContext").object("appArmorProfile");
    if (profile.isEmpty() || !profile.equals(ofPod)) {
      warnings.add(
          "%s: deprecated since v1.30; use the \"appArmorProfile\" field instead"
              .formatted(place(pod, key)));
    }
  }

  private static FieldPath place(FieldPath pod, String key) {
    return pod.field("metadata").field("annotations").key(key);
  }
}
