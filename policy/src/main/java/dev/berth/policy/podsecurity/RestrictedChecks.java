package dev.berth.policy.podsecurity;

import dev.berth.model.security.PodSecurityView;
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

  private static Optional<Violation> allowPrivilegeEscalation(PodSecurityView pod) {
    List<String> containers =
        pod.containersThat(container -> !container.context().forbidsEscalation());
    return Violation.when(
        !containers.isEmpty(),
        "allowPrivilegeEscalation != false",
        Wording.containers(containers)
            + " must set securityContext.allowPrivilegeEscalation=false");
  }

  private static Optional<Violation> capabilities(PodSecurityView pod) {
    List<String> keeping =
        pod.containersThat(container -> !container.context().droppedCapabilities().contains("ALL"));
    Set<String> bad = new TreeSet<>();
    List<String> adding =
        pod.containersThat(container -> {
          List<String> added = new ArrayList<>(container.context().addedCapabilities());
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
    return Violation.when(
        !details.isEmpty(), "unrestricted capabilities", String.join("; ", details));
  }

  private static Optional<Violation> volumes(PodSecurityView pod) {
    Set<String> types = new TreeSet<>();
    List<String> volumes =
        pod.volumesThat(volume -> {
          if (volume.kinds().stream().anyMatch(ALLOWED_VOLUMES::contains)) {
            return false;
          }
          types.add(
              OTHER_VOLUMES.stream()
                  .filter(volume.kinds()::contains)
                  .findFirst()
                  .orElse("unknown"));
          return true;
        });
    return Violation.when(
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

  private static Optional<Violation> runAsNonRoot(PodSecurityView pod) {
    Boolean ofPod = pod.context().runAsNonRoot();
    boolean badPod = Boolean.FALSE.equals(ofPod);
    List<String> bad = pod.containersThat(c -> Boolean.FALSE.equals(c.context().runAsNonRoot()));
    List<String> silent =
        pod.containersThat(c -> !Boolean.TRUE.equals(ofPod) && c.context().runAsNonRoot() == null);
    String reason = "runAsNonRoot != true";
    if (badPod || !bad.isEmpty()) {
      return Violation.when(
          true,
          reason,
          Wording.setters(badPod, bad) + " must not set securityContext.runAsNonRoot=false");
    }
    return Violation.when(
        !silent.isEmpty(),
        reason,
        "pod or " + Wording.containers(silent) + " must set securityContext.runAsNonRoot=true");
  }

  private static Optional<Violation> runAsUser(PodSecurityView pod) {
    boolean badPod = pod.context().root();
    List<String> containers = pod.containersThat(container -> container.context().root());
    return Violation.when(
        badPod || !containers.isEmpty(),
        "runAsUser=0",
        Wording.setters(badPod, containers) + " must not set runAsUser=0");
  }

  private static Optional<Violation> seccompProfile(PodSecurityView pod) {
    ProfileTypes types = ProfileTypes.seccomp(pod);
    if (types.hasBad()) {
      return Violation.when(true, "seccompProfile", BaselineChecks.badSeccomp(types));
    }
    return Violation.when(
        !types.goodPod() && !types.silentContainers().isEmpty(),
        "seccompProfile",
        "pod or %s must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\""
            .formatted(Wording.containers(types.silentContainers())));
  }
}
