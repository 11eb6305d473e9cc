package dev.berth.model.security;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The security context of a pod or a container.
 *
 * @param forbidsEscalation whether it says that privileges do not grow
 * @param runAsNonRoot null if it does not say
 * @param root whether it says that processes are those of user 0
 * @param hostProcess whether processes are the host's, on Windows
 * @param appArmorProfile the type of the profile; null if it names none
 * @param seccompProfile the type of the profile; null if it names none
 */
public record SecurityContextView(
    boolean privileged,
    boolean forbidsEscalation,
    @Nullable Boolean runAsNonRoot,
    boolean root,
    boolean hostProcess,
    List<String> addedCapabilities,
    List<String> droppedCapabilities,
    String procMount,
    SeLinuxOptions seLinux,
    @Nullable String appArmorProfile,
    @Nullable String seccompProfile,
    List<String> sysctls) {

  /** What is said of SELinux; empty where nothing is. */
  public record SeLinuxOptions(String type, String user, String role) {}

  /** Reads that of a pod's specification or of a container. */
  static SecurityContextView of(JsonObject owner) {
    JsonObject context = owner.object("securityContext");
    JsonObject capabilities = context.object("capabilities");
    JsonObject seLinux = context.object("seLinuxOptions");
    return new SecurityContextView(
        context.flag("privileged", false),
        !context.flag("allowPrivilegeEscalation", true),
        context.has("runAsNonRoot") ? context.flag("runAsNonRoot", false) : null,
        context.integer("runAsUser").orElse(1) == 0,
        context.object("windowsOptions").flag("hostProcess", false),
        capabilities.array("add").texts(),
        capabilities.array("drop").texts(),
        context.text("procMount", "Default"),
        new SeLinuxOptions(
            seLinux.text("type", ""), seLinux.text("user", ""), seLinux.text("role", "")),
        profile(context, "appArmorProfile"),
        profile(context, "seccompProfile"),
        context.array("sysctls").objects().stream().map(s -> s.text("name", "")).toList());
  }

  private static @Nullable String profile(JsonObject context, String field) {
    return context.has(field) ? context.object(field).text("type", "") : null;
  }
}
