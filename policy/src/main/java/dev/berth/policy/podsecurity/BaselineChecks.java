package dev.berth.policy.podsecurity;

import dev.berth.model.security.PodSecurityView;
import dev.berth.model.security.SecurityContextView.SeLinuxOptions;
import dev.berth.policy.podsecurity.SecurityCheck.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The checks of baseline, in upstream's order.
 *
 * <ol>
 *   <li>appArmorProfile: RuntimeDefault or Localhost, in fields and older annotations.
 *   <li>capabilities_baseline: none are added but those of the usual set.
 *   <li>hostNamespaces: neither the network nor the processes of the host.
 *   <li>hostPathVolumes: no directories of the host.
 *   <li>hostPorts: no ports of the host.
 *   <li>hostProbesAndHostLifecycle (1.34): probes and handlers name no host.
 *   <li>privileged: no privileged containers.
 *   <li>procMount: the default; from 1.35, any for pods with users of their own.
 *   <li>seLinuxOptions: few types (one more from 1.31), no user, no role.
 *   <li>seccompProfile_baseline: RuntimeDefault or Localhost; before 1.19, in annotations.
 *   <li>sysctls: the safe ones; some more in 1.27, 1.29 and 1.32.
 *   <li>windowsHostProcess: no processes of the host.
 * </ol>
 */
final class BaselineChecks {
  static final String CAPABILITIES = "capabilities_baseline";
  static final String HOST_PATHS = "hostPathVolumes";
  static final String PROC_MOUNT = "procMount";
  static final String SECCOMP = "seccompProfile_baseline";

  private static final String APP_ARMOR_ANNOTATION =
      "container.apparmor.security.beta.kubernetes.io/";
  private static final String SECCOMP_POD_ANNOTATION = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_ANNOTATION =
      "container.seccomp.security.alpha.kubernetes.io/";
  private static final Set<String> USUAL_CAPABILITIES =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");

  private static final Set<String> SELINUX_TYPES =
      Set.of("", "container_t", "container_init_t", "container_kvm_t");
  private static final Set<String> SELINUX_TYPES_1_31 =
      Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

  static final List<SecurityCheck> ALL =
      List.of(
          SecurityCheck.of("appArmorProfile", Map.of(0, BaselineChecks::appArmorProfile)),
          SecurityCheck.of(CAPABILITIES, Map.of(0, BaselineChecks::capabilities)),
          SecurityCheck.of("hostNamespaces", Map.of(0, BaselineChecks::hostNamespaces)),
          SecurityCheck.of(HOST_PATHS, Map.of(0, BaselineChecks::hostPathVolumes)),
          SecurityCheck.of("hostPorts", Map.of(0, BaselineChecks::hostPorts)),
          SecurityCheck.of(
              "hostProbesAndHostLifecycle", Map.of(34, BaselineChecks::hostProbesAndLifecycle)),
          SecurityCheck.of("privileged", Map.of(0, BaselineChecks::privileged)),
          SecurityCheck.of(
              PROC_MOUNT, Map.of(0, procMount(), 35, procMount().exceptUserNamespaces())),
          SecurityCheck.of(
              "seLinuxOptions",
              Map.of(
                  0, pod -> seLinuxOptions(pod, SELINUX_TYPES),
                  31, pod -> seLinuxOptions(pod, SELINUX_TYPES_1_31))),
          SecurityCheck.of(
              SECCOMP,
              Map.of(0, BaselineChecks::seccompAnnotations, 19, BaselineChecks::seccompProfile)),
          SecurityCheck.of(
              "sysctls", Map.of(0, sysctls(5), 27, sysctls(6), 29, sysctls(10), 32, sysctls(12))),
          SecurityCheck.of("windowsHostProcess", Map.of(0, BaselineChecks::windowsHostProcess)));

  private BaselineChecks() {}

  private static Optional<Violation> appArmorProfile(PodSecurityView pod) {
    ProfileTypes types = ProfileTypes.appArmor(pod);
    List<String> values = new ArrayList<>(types.bad());
    String setters = types.hasBad() ? types.setters() : "";
    List<String> annotations =
        pod.annotations().keySet().stream()
            .filter(key -> key.startsWith(APP_ARMOR_ANNOTATION))
            .filter(key -> !isGoodAppArmor(pod.annotations().getOrDefault(key, "")))
            .sorted()
            .map(key -> key + "=\"" + pod.annotations().getOrDefault(key, "") + "\"")
            .toList();
    if (!annotations.isEmpty()) {
      values.addAll(annotations);
      setters +=
          (setters.isEmpty() ? "" : " and ")
              + Wording.plural("annotation", "annotations", annotations);
    }
    return Violation.when(
        !setters.isEmpty(),
        Wording.plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values),
        "%s must not set AppArmor profile type to %s".formatted(setters, Wording.quoted(values)));
  }

  private static boolean isGoodAppArmor(String profile) {
    return profile.isEmpty()
        || profile.equals("runtime/default")
        || profile.startsWith("localhost/");
  }

  private static Optional<Violation> capabilities(PodSecurityView pod) {
    Set<String> bad = new TreeSet<>();
    List<String> containers =
        pod.containersThat(container -> {
          List<String> added = new ArrayList<>(container.context().addedCapabilities());
          added.removeAll(USUAL_CAPABILITIES);
          bad.addAll(added);
          return !added.isEmpty();
        });
    return Violation.when(
        !containers.isEmpty(),
        "non-default capabilities",
        "%s must not include %s in securityContext.capabilities.add"
            .formatted(Wording.containers(containers), Wording.quoted(bad)));
  }

  private static Optional<Violation> hostNamespaces(PodSecurityView pod) {
    List<String> shared = new ArrayList<>();
    if (pod.hostNetwork()) {
      shared.add("hostNetwork=true");
    }
    if (pod.hostPid()) {
      shared.add("hostPID=true");
    }
    if (pod.hostIpc()) {
      shared.add("hostIPC=true");
    }
    return Violation.when(!shared.isEmpty(), "host namespaces", String.join(", ", shared));
  }

  private static Optional<Violation> hostPathVolumes(PodSecurityView pod) {
    List<String> volumes = pod.volumesThat(volume -> volume.kinds().contains("hostPath"));
    return Violation.when(
        !volumes.isEmpty(),
        "hostPath volumes",
        Wording.plural("volume", "volumes", volumes) + " " + Wording.quoted(volumes));
  }

  private static Optional<Violation> hostPorts(PodSecurityView pod) {
    Set<String> ports = new TreeSet<>();
    List<String> containers =
        pod.containersThat(container -> {
          container.hostPorts().forEach(port -> ports.add(Long.toString(port)));
          return !container.hostPorts().isEmpty();
        });
    return Violation.when(
        !containers.isEmpty(),
        "hostPort",
        "%s %s %s %s"
            .formatted(
                Wording.containers(containers),
                Wording.plural("uses", "use", containers),
                Wording.plural("hostPort", "hostPorts", ports),
                String.join(", ", ports)));
  }

  private static Optional<Violation> hostProbesAndLifecycle(PodSecurityView pod) {
    Set<String> hosts = new TreeSet<>();
    Set<String> containers =
        new TreeSet<>(
            pod.containersThat(container -> {
              hosts.addAll(container.handlerHosts());
              return !container.handlerHosts().isEmpty();
            }));
    return Violation.when(
        !containers.isEmpty(),
        "probe or lifecycle host",
        "%s %s %s %s"
            .formatted(
                Wording.containers(containers),
                Wording.plural("uses", "use", containers),
                Wording.plural("probe or lifecycle host", "probe or lifecycle hosts", hosts),
                Wording.quoted(hosts)));
  }

  private static Optional<Violation> privileged(PodSecurityView pod) {
    List<String> containers = pod.containersThat(container -> container.context().privileged());
    return Violation.when(
        !containers.isEmpty(),
        "privileged",
        Wording.containers(containers) + " must not set securityContext.privileged=true");
  }

  static Rule procMount() {
    return pod -> {
      Set<String> bad = new TreeSet<>();
      List<String> containers =
          pod.containersThat(container -> {
            String mount = container.context().procMount();
            if (mount.equals("Default")) {
              return false;
            }
            bad.add(mount);
            return true;
          });
      return Violation.when(
          !containers.isEmpty(),
          "procMount",
          "%s must not set securityContext.procMount to %s"
              .formatted(Wording.containers(containers), Wording.quoted(bad)));
    };
  }

  private static Optional<Violation> seLinuxOptions(PodSecurityView pod, Set<String> types) {
    Set<String> badTypes = new TreeSet<>();
    Set<String> setFields = new TreeSet<>();
    boolean badPod = hasBadSeLinux(pod.context().seLinux(), types, badTypes, setFields);
    List<String> containers =
        pod.containersThat(
            container -> hasBadSeLinux(container.context().seLinux(), types, badTypes, setFields));
    List<String> problems = new ArrayList<>();
    if (!badTypes.isEmpty()) {
      problems.add(Wording.plural("type", "types", badTypes) + " " + Wording.quoted(badTypes));
    }
    for (String field : List.of("user", "role")) {
      if (setFields.contains(field)) {
        problems.add(field + " may not be set");
      }
    }
    return Violation.when(
        badPod || !containers.isEmpty(),
        "seLinuxOptions",
        "%s set forbidden securityContext.seLinuxOptions: %s"
            .formatted(Wording.setters(badPod, containers), String.join("; ", problems)));
  }

  private static boolean hasBadSeLinux(
      SeLinuxOptions options, Set<String> types, Set<String> badTypes, Set<String> setFields) {
    boolean badType = !types.contains(options.type());
    if (badType) {
      badTypes.add(options.type());
    }
    if (!options.user().isEmpty()) {
      setFields.add("user");
    }
    if (!options.role().isEmpty()) {
      setFields.add("role");
    }
    return badType || !options.user().isEmpty() || !options.role().isEmpty();
  }

  private static Optional<Violation> seccompAnnotations(PodSecurityView pod) {
    Set<String> bad = new TreeSet<>();
    List<String> keys = new ArrayList<>(List.of(SECCOMP_POD_ANNOTATION));
    pod.containers().forEach(container -> keys.add(SECCOMP_ANNOTATION + container.name()));
    for (String key : keys) {
      String value = pod.annotations().getOrDefault(key, "");
      if (pod.annotations().containsKey(key) && !isGoodSeccomp(value)) {
        bad.add(key + "=\"" + value + "\"");
      }
    }
    return Violation.when(
        !bad.isEmpty(),
        "seccompProfile",
        "forbidden %s %s"
            .formatted(Wording.plural("annotation", "annotations", bad), String.join(", ", bad)));
  }

  private static boolean isGoodSeccomp(String profile) {
    return profile.equals("runtime/default")
        || profile.equals("docker/default")
        || profile.startsWith("localhost/");
  }

  private static Optional<Violation> seccompProfile(PodSecurityView pod) {
    ProfileTypes types = ProfileTypes.seccomp(pod);
    return Violation.when(types.hasBad(), "seccompProfile", badSeccomp(types));
  }

  /** How it is said that somebody set a bad profile. */
  static String badSeccomp(ProfileTypes types) {
    return "%s must not set securityContext.seccompProfile.type to %s"
        .formatted(types.setters(), Wording.quoted(types.bad()));
  }

  private static Rule sysctls(int howMany) {
    List<String> safe = SafeSysctls.NAMES.subList(0, howMany);
    return pod -> {
      List<String> bad =
          pod.context().sysctls().stream().filter(name -> !safe.contains(name)).toList();
      return Violation.when(!bad.isEmpty(), "forbidden sysctls", String.join(", ", bad));
    };
  }

  private static Optional<Violation> windowsHostProcess(PodSecurityView pod) {
    boolean badPod = pod.context().hostProcess();
    List<String> containers = pod.containersThat(container -> container.context().hostProcess());
    return Violation.when(
        badPod || !containers.isEmpty(),
        "hostProcess",
        Wording.setters(badPod, containers)
            + " must not set securityContext.windowsOptions.hostProcess=true");
  }
}
