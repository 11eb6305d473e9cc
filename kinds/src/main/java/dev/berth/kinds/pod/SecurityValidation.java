package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is wrong with whom a pod and its containers run as, and with what they may. */
final class SecurityValidation {
  private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");

  private SecurityValidation() {}

  static void pod(JsonObject spec, FieldPath path, FieldErrorList problems) {
    JsonObject context = spec.object("securityContext");
    FieldPath at = path.field("securityContext");
    for (String field : List.of("runAsUser", "runAsGroup", "fsGroup")) {
      problems.id(context, field, at);
    }
    JsonArray groups = context.array("supplementalGroups");
    for (int i = 0; i < groups.size(); i++) {
      if (groups.get(i) instanceof Long group && (group < 0 || group > Integer.MAX_VALUE)) {
        problems.invalid(
            at.field("supplementalGroups").index(i),
            group,
            "must be between 0 and 2147483647, inclusive");
      }
    }
    profile(context, at, problems);
    if (spec.flag("hostPID", false) && spec.flag("shareProcessNamespace", false)) {
      problems.invalid(
          path.field("shareProcessNamespace"),
          true,
          "ShareProcessNamespace and HostPID cannot both be enabled");
    }
  }

  static void container(JsonObject container, FieldPath path, FieldErrorList problems) {
    JsonObject context = container.object("securityContext");
    FieldPath at = path.field("securityContext");
    for (String field : List.of("runAsUser", "runAsGroup")) {
      problems.id(context, field, at);
    }
    profile(context, at, problems);
    if (!context.flag("allowPrivilegeEscalation", true)) {
      if (context.flag("privileged", false)) {
        problems.invalid(
            at, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
      }
      if (context.object("capabilities").array("add").texts().contains("CAP_SYS_ADMIN")) {
        problems.invalid(
            at,
            context,
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
      }
    }
  }

  private static void profile(JsonObject context, FieldPath at, FieldErrorList problems) {
    for (String kind : List.of("seccompProfile", "appArmorProfile")) {
      if (!context.has(kind)) {
        continue;
      }
      JsonObject profile = context.object(kind);
      FieldPath place = at.field(kind);
      String type = profile.text("type", "");
      String local = profile.text("localhostProfile", "");
      problems.oneOf(place.field("type"), type, PROFILES);
      if (type.equals("Localhost") && local.isEmpty()) {
        problems.required(
            place.field("localhostProfile"),
            kind.equals("seccompProfile")
                ? "must be set when seccomp type is Localhost"
                : "must be set when AppArmor type is Localhost");
      } else if (!type.equals("Localhost") && !local.isEmpty()) {
        problems.invalid(
            place.field("localhostProfile"),
            local,
            kind.equals("seccompProfile")
                ? "can only be set when seccomp type is Localhost"
                : "can only be set when AppArmor type is Localhost");
      }
    }
  }
}
