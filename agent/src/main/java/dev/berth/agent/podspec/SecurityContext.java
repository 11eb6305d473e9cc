package dev.berth.agent.podspec;

import dev.berth.agent.runtime.Security;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the processes of a container are and may do: what its own security context says, else its
 * pod's.
 *
 * <p>Unlike upstream, processes that run in the machine's own root gain no privileges unless the
 * specification allows it: there is no image between them and the machine's own programs.
 */
final class SecurityContext {
  private final JsonObject pod;
  private final JsonObject own;
  private final JsonObject pods;

  private SecurityContext(JsonObject pod, JsonObject container) {
    this.pod = pod;
    this.own = container.object("securityContext");
    this.pods = pod.object("spec").object("securityContext");
  }

  /**
   * Reads it.
   *
   * @param volumeGroups the groups that the pod's volumes belong to
   */
  static Security read(
      JsonObject pod, JsonObject container, List<Long> volumeGroups, SpecSettings settings)
      throws SpecFailure {
    SecurityContext context = new SecurityContext(pod, container);
    return context.security(container.text("name", ""), volumeGroups, settings);
  }

  private Security security(String container, List<Long> volumeGroups, SpecSettings settings)
      throws SpecFailure {
    OptionalLong user = number("runAsUser");
    boolean nonRoot = flag("runAsNonRoot");
    if (nonRoot && user.isPresent() && user.getAsLong() == 0) {
      Metadata metadata = Metadata.of(pod);
      throw new SpecFailure(
          "container's runAsUser breaks non-root policy (pod: \"%s_%s(%s)\", container: %s)"
              .formatted(metadata.name(), metadata.namespace(), metadata.uid(), container));
    }
    boolean privileged = own.flag("privileged", false);
    JsonObject capabilities = own.object("capabilities");
    return new Security(
        user,
        "",
        number("runAsGroup"),
        groups(volumeGroups),
        nonRoot,
        privileged,
        privileged || own.flag("allowPrivilegeEscalation", settings.usesImages()),
        own.flag("readOnlyRootFilesystem", false),
        Set.copyOf(capabilities.array("add").texts()),
        Set.copyOf(capabilities.array("drop").texts()),
        privileged ? "Unconfined" : seccomp(settings),
        privileged || own.text("procMount", "").equals("Unmasked"),
        appArmor(container),
        pods.text("supplementalGroupsPolicy", "").equals("Strict"));
  }

  /** The field counts more than the annotation that was there before it. */
  private String appArmor(String container) {
    JsonObject profile =
        own.has("appArmorProfile") ? own.object("appArmorProfile") : pods.object("appArmorProfile");
    String type = profile.text("type", "");
    if (type.equals("Localhost")) {
      return profile.text("localhostProfile", "");
    }
    if (!type.isEmpty()) {
      return type;
    }
    String old =
        Metadata.of(pod)
            .annotation("container.apparmor.security.beta.kubernetes.io/" + container)
            .orElse("");
    return switch (old) {
      case "runtime/default" -> "RuntimeDefault";
      case "unconfined" -> "Unconfined";
      default -> old.startsWith("localhost/") ? old.substring("localhost/".length()) : "";
    };
  }

  private OptionalLong number(String field) {
    OptionalLong value = own.integer(field);
    return value.isPresent() ? value : pods.integer(field);
  }

  private boolean flag(String field) {
    return own.flag(field, pods.flag(field, false));
  }

  private List<Long> groups(List<Long> volumeGroups) {
    Set<Long> groups = new LinkedHashSet<>();
    for (Object group : pods.array("supplementalGroups").values()) {
      if (group instanceof Long number) {
        groups.add(number);
      }
    }
    pods.integer("fsGroup").ifPresent(groups::add);
    groups.addAll(volumeGroups);
    return List.copyOf(groups);
  }

  private String seccomp(SpecSettings settings) throws SpecFailure {
    JsonObject profile =
        own.has("seccompProfile") ? own.object("seccompProfile") : pods.object("seccompProfile");
    String type =
        profile.text("type", settings.seccompByDefault() ? "RuntimeDefault" : "Unconfined");
    if (!type.equals("Localhost")) {
      return type;
    }
    Path directory = settings.root().resolve("seccomp");
    Path file = directory.resolve(profile.text("localhostProfile", "")).normalize();
    if (!file.startsWith(directory) || file.equals(directory)) {
      throw new SpecFailure("localhostProfile must be a path below " + directory);
    }
    return file.toString();
  }
}
