package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is wrong with what pods and containers say about Windows, and about their system. */
final class WindowsValidation {
  private static final int LARGEST_CREDENTIAL = 64 * 1024;
  private static final int LONGEST_DOMAIN = 256;
  private static final int LONGEST_USER = 104;
  private static final String NETBIOS = "[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}";
  private static final String DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
  private static final String DNS = DNS_LABEL + "(?:\\." + DNS_LABEL + ")*";
  private static final List<String> SYSTEMS = List.of("linux", "windows");
  private static final List<String> NOT_FOR_PODS =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "hostUsers",
          "hostPID",
          "hostIPC",
          "seccompProfile",
          "fsGroup",
          "fsGroupChangePolicy",
          "sysctls",
          "shareProcessNamespace",
          "runAsUser",
          "runAsGroup",
          "supplementalGroups",
          "supplementalGroupsPolicy",
          "seLinuxChangePolicy");
  private static final List<String> NOT_FOR_CONTAINERS =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "seccompProfile",
          "capabilities",
          "readOnlyRootFilesystem",
          "privileged",
          "allowPrivilegeEscalation",
          "procMount",
          "runAsUser",
          "runAsGroup");

  private WindowsValidation() {}

  static void options(JsonObject context, FieldPath path, FieldErrorList problems) {
    JsonObject options = context.object("windowsOptions");
    FieldPath at = path.field("windowsOptions");
    String name = options.text("gmsaCredentialSpecName");
    if (name != null) {
      problems.invalid(at.field("gmsaCredentialSpecName"), name, NameRules.dns1123Subdomain(name));
    }
    String credential = options.text("gmsaCredentialSpec");
    if (credential != null && credential.isEmpty()) {
      problems.invalid(
          at.field("gmsaCredentialSpec"),
          credential,
          "gmsaCredentialSpec cannot be an empty string");
    } else if (credential != null && credential.length() > LARGEST_CREDENTIAL) {
      problems.invalid(
          at.field("gmsaCredentialSpec"),
          credential,
          "gmsaCredentialSpec size must be under 64 KiB");
    }
    String user = options.text("runAsUserName");
    if (user != null) {
      user(user, at.field("runAsUserName"), problems);
    }
  }

  private static void user(String whole, FieldPath at, FieldErrorList problems) {
    String[] parts = whole.split("\\\\", -1);
    if (whole.isEmpty()) {
      problems.invalid(at, whole, "runAsUserName cannot be an empty string");
      return;
    }
    if (whole.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      problems.invalid(at, whole, "runAsUserName cannot contain control characters");
      return;
    }
    if (parts.length > 2) {
      problems.invalid(at, whole, "runAsUserName cannot contain more than one backslash");
      return;
    }
    String user = parts[parts.length - 1];
    if (parts.length == 2) {
      if (parts[0].length() >= LONGEST_DOMAIN) {
        problems.invalid(at, whole, "runAsUserName's Domain length must be under 256 characters");
      }
      if (!parts[0].matches(NETBIOS) && !parts[0].matches(DNS)) {
        problems.invalid(
            at, whole, "runAsUserName's Domain doesn't match the NetBios nor the DNS format");
      }
    }
    if (user.isEmpty()) {
      problems.invalid(at, whole, "runAsUserName's User cannot be empty");
    } else if (user.length() > LONGEST_USER) {
      problems.invalid(
          at, whole, "runAsUserName's User length must not be longer than 104 characters");
    }
    if (user.matches("[. ]+")) {
      problems.invalid(at, whole, "runAsUserName's User cannot contain only periods or spaces");
    }
    if (user.chars().anyMatch(c -> "\"/\\:;|=,+*?<>@[]".indexOf(c) >= 0)) {
      problems.invalid(
          at,
          whole,
          "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
    }
  }

  /** Containers that are processes of their host: all of a pod's, or none. */
  static void hostProcess(JsonObject spec, FieldPath path, FieldErrorList problems) {
    Boolean ofPod = hostProcess(spec.object("securityContext"));
    int all = 0;
    int found = 0;
    for (PodContainers.Placed placed : PodContainers.of(spec, path)) {
      all++;
      Boolean own = hostProcess(placed.container().object("securityContext"));
      if (ofPod != null && own != null && !ofPod.equals(own)) {
        problems.invalid(
            placed.at().field("securityContext").field("windowsOptions").field("hostProcess"),
            own,
            "pod hostProcess value must be identical if both are specified, was " + ofPod);
      }
      if (Boolean.TRUE.equals(own == null ? ofPod : own)) {
        found++;
      }
    }
    if (found == 0) {
      return;
    }
    if (found != all) {
      problems.invalid(
          path,
          "",
          "If pod contains any hostProcess containers then all containers must be HostProcess"
              + " containers");
    }
    if (!spec.flag("hostNetwork", false)) {
      problems.invalid(
          path.field("hostNetwork"),
          false,
          "hostNetwork must be true if pod contains any hostProcess containers");
    }
  }

  private static @Nullable Boolean hostProcess(JsonObject context) {
    JsonObject options = context.object("windowsOptions");
    return options.has("hostProcess") ? options.flag("hostProcess", false) : null;
  }

  /** What a pod's system rules out. */
  static void system(JsonObject spec, FieldPath path, FieldErrorList problems) {
    if (!spec.has("os")) {
      return;
    }
    String name = spec.object("os").text("name", "");
    if (name.isEmpty()) {
      problems.required(path.field("os").field("name"), "");
    } else if (name.equals("linux")) {
      linux(spec, path, problems);
    } else if (name.equals("windows")) {
      windows(spec, path, problems);
    } else {
      problems.oneOf(path.field("os"), name, SYSTEMS);
    }
  }

  private static void linux(JsonObject spec, FieldPath path, FieldErrorList problems) {
    String why = "windows options cannot be set for a linux pod";
    FieldPath at = path.field("securityContext").field("windowsOptions");
    if (spec.object("securityContext").has("windowsOptions")) {
      problems.forbidden(at, why);
    }
    for (PodContainers.Placed placed : PodContainers.of(spec, path)) {
      if (placed.container().object("securityContext").has("windowsOptions")) {
        problems.forbidden(placed.at().field("securityContext").field("windowsOptions"), why);
      }
    }
  }

  private static void windows(JsonObject spec, FieldPath path, FieldErrorList problems) {
    String why = "cannot be set for a windows pod";
    JsonObject context = spec.object("securityContext");
    for (String field : NOT_FOR_PODS) {
      switch (field) {
        case "hostPID", "hostIPC" -> {
          if (spec.flag(field, false)) {
            problems.forbidden(path.field(field), why);
          }
        }
        case "hostUsers", "shareProcessNamespace" -> {
          if (spec.has(field)) {
            problems.forbidden(path.field(field), why);
          }
        }
        default -> {
          if (context.has(field)) {
            problems.forbidden(path.field("securityContext").field(field), why);
          }
        }
      }
    }
    for (PodContainers.Placed placed : PodContainers.of(spec, path)) {
      JsonObject own = placed.container().object("securityContext");
      NOT_FOR_CONTAINERS.stream()
          .filter(own::has)
          .forEach(
              field -> problems.forbidden(placed.at().field("securityContext").field(field), why));
    }
  }
}
