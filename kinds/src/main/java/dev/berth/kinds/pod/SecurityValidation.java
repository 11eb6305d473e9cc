package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with whom a pod and its containers run as, and with what they may. */
final class SecurityValidation {
  private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");
  private static final List<String> CHANGE_POLICIES = List.of("Always", "OnRootMismatch");
  private static final List<String> GROUPS_POLICIES = List.of("Merge", "Strict");
  private static final List<String> SELINUX_POLICIES = List.of("MountOption", "Recursive");
  private static final List<String> PROC_MOUNTS = List.of("Default", "Unmasked");
  private static final int LONGEST_PROFILE = 4095;
  private static final int LONGEST_SYSCTL = 253;
  private static final String SYSCTL =
      "([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final Set<String> IPC_SYSCTLS =
      Set.of(
          "kernel.sem",
          "kernel.shm",
          "kernel.shmall",
          "kernel.shmmax",
          "kernel.shmmni",
          "kernel.shm_rmid_forced",
          "kernel.msg",
          "kernel.msgmax",
          "kernel.msgmnb",
          "kernel.msgmni");

  private SecurityValidation() {}

  static void pod(
      JsonObject spec, FieldPath path, PodValidationOptions options, FieldErrorList problems) {
    JsonObject context = spec.object("securityContext");
    FieldPath at = path.field("securityContext");
    for (String field : List.of("fsGroup", "runAsUser", "runAsGroup")) {
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
    if (spec.flag("hostPID", false) && spec.flag("shareProcessNamespace", false)) {
      problems.invalid(
          at.field("shareProcessNamespace"),
          true,
          "ShareProcessNamespace and HostPID cannot both be enabled");
    }
    sysctls(spec, at.field("sysctls"), options, problems);
    optional(context, "fsGroupChangePolicy", CHANGE_POLICIES, at, problems);
    seccomp(context, at, problems);
    WindowsValidation.options(context, at, problems);
    appArmor(context, at, problems);
    optional(context, "supplementalGroupsPolicy", GROUPS_POLICIES, at, problems);
    optional(
        context,
        "seLinuxChangePolicy",
        options.anySeLinuxChangePolicy() ? SELINUX_POLICIES : List.of("Recursive"),
        at,
        problems);
  }

  private static void optional(
      JsonObject context,
      String field,
      List<String> allowed,
      FieldPath at,
      FieldErrorList problems) {
    String value = context.text(field);
    if (value != null) {
      problems.oneOf(at.field(field), value, allowed);
    }
  }

  private static void sysctls(
      JsonObject spec, FieldPath path, PodValidationOptions options, FieldErrorList problems) {
    Set<String> seen = new HashSet<>();
    List<JsonObject> sysctls = spec.object("securityContext").array("sysctls").objects();
    for (int i = 0; i < sysctls.size(); i++) {
      FieldPath at = path.index(i).field("name");
      String name = sysctls.get(i).text("name", "");
      if (name.isEmpty()) {
        problems.required(at, "");
      } else if (name.length() > LONGEST_SYSCTL || !name.matches(SYSCTL)) {
        problems.invalid(
            at,
            name,
            "must have at most %d characters and match regex ^%s$"
                .formatted(LONGEST_SYSCTL, SYSCTL));
      } else if (seen.contains(name)) {
        problems.duplicate(at, name);
      }
      String shared = options.hostSysctls() ? "" : sharedNamespace(spec, name);
      if (!shared.isEmpty()) {
        problems.invalid(at, name, "may not be specified when '" + shared + "' is true");
      }
      seen.add(name);
    }
  }

  static boolean setsHostSysctl(JsonObject spec) {
    return spec.object("securityContext").array("sysctls").objects().stream()
        .anyMatch(sysctl -> !sharedNamespace(spec, sysctl.text("name", "")).isEmpty());
  }

  /** The field that shares the namespace of a sysctl with the host; empty if none does. */
  private static String sharedNamespace(JsonObject spec, String sysctl) {
    // Of the two separators the first that appears is the one.
    String name = sysctl.matches("[^./]*/.*") ? swapped(sysctl) : sysctl;
    if (spec.flag("hostNetwork", false) && name.startsWith("net.")) {
      return "hostNetwork";
    }
    boolean ipc = IPC_SYSCTLS.contains(name) || name.startsWith("fs.mqueue.");
    return spec.flag("hostIPC", false) && ipc ? "hostIPC" : "";
  }

  private static String swapped(String sysctl) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < sysctl.length(); i++) {
      char c = sysctl.charAt(i);
      text.append(c == '/' ? '.' : c == '.' ? '/' : c);
    }
    return text.toString();
  }

  static void container(
      JsonObject container, boolean hostUsers, FieldPath path, FieldErrorList problems) {
    JsonObject context = container.object("securityContext");
    FieldPath at = path.field("securityContext");
    for (String field : List.of("runAsUser", "runAsGroup")) {
      problems.id(context, field, at);
    }
    optional(context, "procMount", PROC_MOUNTS, at, problems);
    if (hostUsers && context.text("procMount", "").equals("Unmasked")) {
      problems.invalid(
          at.field("procMount"), "Unmasked", "`hostUsers` must be false to use `Unmasked`");
    }
    seccomp(context, at, problems);
    if (!context.flag("allowPrivilegeEscalation", true)) {
      JsonObject shown = InternalForm.of("SecurityContext", context);
      if (context.flag("privileged", false)) {
        problems.invalid(
            at, shown, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
      }
      if (context.object("capabilities").array("add").texts().contains("CAP_SYS_ADMIN")) {
        problems.invalid(
            at,
            shown,
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
      }
    }
    WindowsValidation.options(context, at, problems);
    appArmor(context, at, problems);
  }

  private static void seccomp(JsonObject context, FieldPath path, FieldErrorList problems) {
    if (!context.has("seccompProfile")) {
      return;
    }
    JsonObject profile = context.object("seccompProfile");
    FieldPath at = path.field("seccompProfile");
    String type = profile.text("type", "");
    if (type.isEmpty()) {
      problems.required(at.field("type"), "type is required when seccompProfile is set");
    } else {
      problems.oneOf(at.field("type"), type, PROFILES);
    }
    String local = profile.text("localhostProfile");
    FieldPath place = at.field("localhostProfile");
    if (type.equals("Localhost")) {
      if (local == null) {
        problems.required(place, "must be set when seccomp type is Localhost");
      } else {
        problems.descending(local, place);
      }
    } else if (local != null) {
      problems.invalid(
          place,
          InternalForm.of("SeccompProfile", profile),
          "can only be set when seccomp type is Localhost");
    }
  }

  private static void appArmor(JsonObject context, FieldPath path, FieldErrorList problems) {
    if (context.has("appArmorProfile")) {
      appArmorProfile(context.object("appArmorProfile"), path.field("appArmorProfile"), problems);
    }
  }

  static void appArmorProfile(JsonObject profile, FieldPath at, FieldErrorList problems) {
    String local = profile.text("localhostProfile");
    FieldPath place = at.field("localhostProfile");
    String type = profile.text("type", "");
    switch (type) {
      case "Localhost" -> {
        if (local == null || local.isEmpty()) {
          problems.required(place, "must be set when AppArmor type is Localhost");
        } else if (!local.equals(local.strip())) {
          problems.invalid(place, local, "must not be padded with whitespace");
        }
        if (local != null && local.length() > LONGEST_PROFILE) {
          problems.tooLong(place, LONGEST_PROFILE);
        }
      }
      case "RuntimeDefault", "Unconfined" -> {
        if (local != null) {
          problems.invalid(place, local, "can only be set when AppArmor type is Localhost");
        }
      }
      case "" ->
          problems.required(at.field("type"), "type is required when appArmorProfile is set");
      default -> problems.oneOf(at.field("type"), type, PROFILES);
    }
  }
}
