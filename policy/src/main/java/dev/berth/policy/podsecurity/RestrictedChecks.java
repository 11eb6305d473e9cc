package dev.berth.policy.podsecurity;

import static dev.berth.policy.podsecurity.PodSecuritySpec.securityContext;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podsecurity.SecurityCheck.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What restricted demands beyond baseline, in upstream's order.
 *
 * <ol>
 *   <li>allowPrivilegeEscalation (1.8): false; from 1.25, not for Windows.
 *   <li>capabilities_restricted (1.22): all are dropped, NET_BIND_SERVICE may be added; from 1.25,
 *       not for Windows. Instead of baseline's.
 *   <li>procMount_restricted (1.35): the default, whoever the users are. Instead of baseline's.
 *   <li>restrictedVolumes: only volumes that hold nothing of the host. Instead of baseline's.
 *   <li>runAsNonRoot: true; from 1.35, not for pods with users of their own.
 *   <li>runAsUser (1.23): not 0; from 1.35, not for pods with users of their own.
 *   <li>seccompProfile_restricted (1.19): one of the good ones is set; from 1.25, not for Windows.
 *       Instead of baseline's.
 * </ol>
 */
final class RestrictedChecks {
  private static final Set<String> ALLOWED_VOLUMES =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private static final List<String> OTHER_VOLUMES =
      List.of(
          "hostPath",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "gitRepo",
          "nfs",
          "iscsi",
          "glusterfs",
          "rbd",
          "flexVolume",
          "cinder",
          "cephfs",
          "flocker",
          "fc",
          "azureFile",
          "vsphereVolume",
          "quobyte",
          "azureDisk",
          "photonPersistentDisk",
          "portworxVolume",
          "scaleIO",
          "storageos");

  static final List<SecurityCheck> ALL = all();

  private RestrictedChecks() {}

  private static List<SecurityCheck> all() {
    Rule escalation = RestrictedChecks::allowPrivilegeEscalation;
    Rule capabilities = RestrictedChecks::capabilities;
    Rule nonRoot = RestrictedChecks::runAsNonRoot;
    Rule user = RestrictedChecks::runAsUser;
    Rule seccomp = RestrictedChecks::seccompProfile;
    return List.of(
        SecurityCheck.of(
            "allowPrivilegeEscalation", Map.of(8, escalation, 25, escalation.exceptWindows())),
        SecurityCheck.of(
                "capabilities_restricted",
                Map.of(22, capabilities, 25, capabilities.exceptWindows()))
            .insteadOf(BaselineChecks.CAPABILITIES),
        SecurityCheck.of("procMount_restricted", Map.of(35, BaselineChecks.procMount()))
            .insteadOf(BaselineChecks.PROC_MOUNT),
        SecurityCheck.of("restrictedVolumes", Map.of(0, RestrictedChecks::volumes))
            .insteadOf(BaselineChecks.HOST_PATHS),
        SecurityCheck.of("runAsNonRoot", Map.of(0, nonRoot, 35, nonRoot.exceptUserNamespaces())),
        SecurityCheck.of("runAsUser", Map.of(23, user, 35, user.exceptUserNamespaces())),
        SecurityCheck.of(
                "seccompProfile_restricted", Map.of(19, seccomp, 25, seccomp.exceptWindows()))
            .insteadOf(BaselineChecks.SECCOMP));
  }

  private static Optional<Violation> found(boolean bad, String reason, String detail) {
    return bad ? Optional.of(new Violation(reason, detail)) : Optional.empty();
  }

  private static Optional<Violation> allowPrivilegeEscalation(PodSecuritySpec pod) {
    List<String> containers =
        pod.containersThat(
            container -> securityContext(container).flag("allowPrivilegeEscalation", true));
    return found(
        !containers.isEmpty(),
        "allowPrivilegeEscalation != false",
        Wording.containers(containers)
            + " must set securityContext.allowPrivilegeEscalation=false");
  }

  private static Optional<Violation> capabilities(PodSecuritySpec pod) {
    List<String> keeping =
        pod.containersThat(container ->
            !securityContext(container)
                .object("capabilities")
                .array("drop")
                .texts()
                .contains("ALL"));
    Set<String> bad = new TreeSet<>();
    List<String> adding =
        pod.containersThat(container -> {
          List<String> added = new ArrayList<>(BaselineChecks.added(container));
          added.removeIf("NET_BIND_SERVICE"::equals);
          bad.addAll(added);
          return !added.isEmpty();
        });
    List<String> details = new ArrayList<>();
    if (!keeping.isEmpty()) {
      details.add(
          Wording.containers(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
    }
    if (!adding.isEmpty()) {
      details.add(
          "%s must not include %s in securityContext.capabilities.add"
              .formatted(Wording.containers(adding), Wording.quoted(bad)));
    }
    return found(!details.isEmpty(), "unrestricted capabilities", String.join("; ", details));
  }

  private static Optional<Violation> volumes(PodSecuritySpec pod) {
    List<String> volumes = new ArrayList<>();
    Set<String> types = new TreeSet<>();
    for (JsonObject volume : pod.spec().array("volumes").objects()) {
      if (volume.names().stream().noneMatch(ALLOWED_VOLUMES::contains)) {
        volumes.add(volume.text("name", ""));
        types.add(OTHER_VOLUMES.stream().filter(volume::has).findFirst().orElse("unknown"));
      }
    }
    return found(
        !volumes.isEmpty(),
        "restricted volume types",
        "%s %s %s %s %s"
            .formatted(
                Wording.plural("volume", "volumes", volumes),
                Wording.quoted(volumes),
                Wording.plural("uses", "use", volumes),
                Wording.plural("restricted volume type", "restricted volume types", types),
                Wording.quoted(types)));
  }

  private static Optional<Violation> runAsNonRoot(PodSecuritySpec pod) {
    JsonObject context = pod.securityContext();
    boolean badPod = !context.flag("runAsNonRoot", true);
    boolean goodPod = context.flag("runAsNonRoot", false);
    List<String> bad =
        pod.containersThat(container -> !securityContext(container).flag("runAsNonRoot", true));
    List<String> silent =
        pod.containersThat(
            container -> !goodPod && !securityContext(container).has("runAsNonRoot"));
    String reason = "runAsNonRoot != true";
    if (badPod || !bad.isEmpty()) {
      return found(
          true,
          reason,
          Wording.setters(badPod, bad) + " must not set securityContext.runAsNonRoot=false");
    }
    return found(
        !silent.isEmpty(),
        reason,
        "pod or " + Wording.containers(silent) + " must set securityContext.runAsNonRoot=true");
  }

  private static Optional<Violation> runAsUser(PodSecuritySpec pod) {
    boolean badPod = isRoot(pod.securityContext());
    List<String> containers = pod.containersThat(container -> isRoot(securityContext(container)));
    return found(
        badPod || !containers.isEmpty(),
        "runAsUser=0",
        Wording.setters(badPod, containers) + " must not set runAsUser=0");
  }

  private static boolean isRoot(JsonObject context) {
    return context.integer("runAsUser").orElse(1) == 0;
  }

  private static Optional<Violation> seccompProfile(PodSecuritySpec pod) {
    ProfileTypes types = BaselineChecks.seccompTypes(pod);
    if (types.hasBad()) {
      return found(true, "seccompProfile", BaselineChecks.badSeccomp(types));
    }
    return found(
        !types.goodPod() && !types.silentContainers().isEmpty(),
        "seccompProfile",
        "pod or %s must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\""
            .formatted(Wording.containers(types.silentContainers())));
  }
}
