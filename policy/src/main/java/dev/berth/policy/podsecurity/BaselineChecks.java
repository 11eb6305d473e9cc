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
  private static final Set<String> PROFILES = Set.of("RuntimeDefault", "Localhost");
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

  private static final List<String> SYSCTLS =
      List.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start",
          // From 1.27
          "net.ipv4.ip_local_reserved_ports",
          // From 1.29
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          // From 1.32
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_wmem");

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

  private static Optional<Violation> found(boolean bad, String reason, String detail) {
    return bad ? Optional.of(new Violation(reason, detail)) : Optional.empty();
  }

  private static Optional<Violation> appArmorProfile(PodSecuritySpec pod) {
    ProfileTypes types = ProfileTypes.of(pod, "appArmorProfile", PROFILES);
    List<String> values = new ArrayList<>(types.bad());
    String setters = types.hasBad() ? types.setters() : "";
    List<String> annotations =
        pod.annotations().names().stream()
            .filter(key -> key.startsWith(APP_ARMOR_ANNOTATION))
            .filter(key -> !isGoodAppArmor(pod.annotations().text(key, "")))
            .sorted()
            .map(key -> key + "=\"" + pod.annotations().text(key, "") + "\"")
            .toList();
    if (!annotations.isEmpty()) {
      values.addAll(annotations);
      setters +=
          (setters.isEmpty() ? "" : " and ")
              + Wording.plural("annotation", "annotations", annotations);
    }
    return found(
        !setters.isEmpty(),
        Wording.plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values),
        "%s must not set AppArmor profile type to %s".formatted(setters, Wording.quoted(values)));
  }

  private static boolean isGoodAppArmor(String profile) {
    return profile.isEmpty()
        || profile.equals("runtime/default")
        || profile.startsWith("localhost/");
  }

  private static Optional<Violation> capabilities(PodSecuritySpec pod) {
    Set<String> bad = new TreeSet<>();
    List<String> containers =
        pod.containersThat(container -> {
          List<String> added = new ArrayList<>(added(container));
          added.removeAll(USUAL_CAPABILITIES);
          bad.addAll(added);
          return !added.isEmpty();
        });
    return found(
        !containers.isEmpty(),
        "non-default capabilities",
        "%s must not include %s in securityContext.capabilities.add"
            .formatted(Wording.containers(containers), Wording.quoted(bad)));
  }

  /** The capabilities that a container adds. */
  static List<String> added(JsonObject container) {
    return securityContext(container).object("capabilities").array("add").texts();
  }

  private static Optional<Violation> hostNamespaces(PodSecuritySpec pod) {
    List<String> shared =
        List.of("hostNetwork", "hostPID", "hostIPC").stream()
            .filter(field -> pod.spec().flag(field, false))
            .map(field -> field + "=true")
            .toList();
    return found(!shared.isEmpty(), "host namespaces", String.join(", ", shared));
  }

  private static Optional<Violation> hostPathVolumes(PodSecuritySpec pod) {
    List<String> volumes =
        pod.spec().array("volumes").objects().stream()
            .filter(volume -> volume.has("hostPath"))
            .map(volume -> volume.text("name", ""))
            .toList();
    return found(
        !volumes.isEmpty(),
        "hostPath volumes",
        Wording.plural("volume", "volumes", volumes) + " " + Wording.quoted(volumes));
  }

  private static Optional<Violation> hostPorts(PodSecuritySpec pod) {
    Set<String> ports = new TreeSet<>();
    List<String> containers =
        pod.containersThat(container -> {
          List<String> own =
              container.array("ports").objects().stream()
                  .map(port -> port.integer("hostPort").orElse(0))
                  .filter(port -> port != 0)
                  .map(String::valueOf)
                  .toList();
          ports.addAll(own);
          return !own.isEmpty();
        });
    return found(
        !containers.isEmpty(),
        "hostPort",
        "%s %s %s %s"
            .formatted(
                Wording.containers(containers),
                Wording.plural("uses", "use", containers),
                Wording.plural("hostPort", "hostPorts", ports),
                String.join(", ", ports)));
  }

  private static Optional<Violation> hostProbesAndLifecycle(PodSecuritySpec pod) {
    Set<String> hosts = new TreeSet<>();
    Set<String> containers =
        new TreeSet<>(
            pod.containersThat(container -> {
              List<String> own = hosts(container);
              hosts.addAll(own);
              return !own.isEmpty();
            }));
    return found(
        !containers.isEmpty(),
        "probe or lifecycle host",
        "%s %s %s %s"
            .formatted(
                Wording.containers(containers),
                Wording.plural("uses", "use", containers),
                Wording.plural("probe or lifecycle host", "probe or lifecycle hosts", hosts),
                Wording.quoted(hosts)));
  }

  private static List<String> hosts(JsonObject container) {
    JsonObject lifecycle = container.object("lifecycle");
    List<String> hosts = new ArrayList<>();
    for (JsonObject handler :
        List.of(
            container.object("livenessProbe"),
            container.object("readinessProbe"),
            container.object("startupProbe"),
            lifecycle.object("postStart"),
            lifecycle.object("preStop"))) {
      hosts.add(handler.object("httpGet").text("host", ""));
      hosts.add(handler.object("tcpSocket").text("host", ""));
    }
    hosts.removeIf(String::isEmpty);
    return hosts;
  }

  private static Optional<Violation> privileged(PodSecuritySpec pod) {
    List<String> containers =
        pod.containersThat(container -> securityContext(container).flag("privileged", false));
    return found(
        !containers.isEmpty(),
        "privileged",
        Wording.containers(containers) + " must not set securityContext.privileged=true");
  }

  static Rule procMount() {
    return pod -> {
      Set<String> bad = new TreeSet<>();
      List<String> containers =
          pod.containersThat(container -> {
            String mount = securityContext(container).text("procMount", "Default");
            if (mount.equals("Default")) {
              return false;
            }
            bad.add(mount);
            return true;
          });
      return found(
          !containers.isEmpty(),
          "procMount",
          "%s must not set securityContext.procMount to %s"
              .formatted(Wording.containers(containers), Wording.quoted(bad)));
    };
  }

  private static Optional<Violation> seLinuxOptions(PodSecuritySpec pod, Set<String> types) {
    Set<String> badTypes = new TreeSet<>();
    Set<String> setFields = new TreeSet<>();
    boolean badPod = hasBadSeLinux(pod.securityContext(), types, badTypes, setFields);
    List<String> containers =
        pod.containersThat(
            container -> hasBadSeLinux(securityContext(container), types, badTypes, setFields));
    List<String> problems = new ArrayList<>();
    if (!badTypes.isEmpty()) {
      problems.add(Wording.plural("type", "types", badTypes) + " " + Wording.quoted(badTypes));
    }
    for (String field : List.of("user", "role")) {
      if (setFields.contains(field)) {
        problems.add(field + " may not be set");
      }
    }
    return found(
        badPod || !containers.isEmpty(),
        "seLinuxOptions",
        "%s set forbidden securityContext.seLinuxOptions: %s"
            .formatted(Wording.setters(badPod, containers), String.join("; ", problems)));
  }

  private static boolean hasBadSeLinux(
      JsonObject context, Set<String> types, Set<String> badTypes, Set<String> setFields) {
    JsonObject options = context.object("seLinuxOptions");
    boolean bad = false;
    String type = options.text("type", "");
    if (!types.contains(type)) {
      badTypes.add(type);
      bad = true;
    }
    for (String field : List.of("user", "role")) {
      if (!options.text(field, "").isEmpty()) {
        setFields.add(field);
        bad = true;
      }
    }
    return bad;
  }

  private static Optional<Violation> seccompAnnotations(PodSecuritySpec pod) {
    Set<String> bad = new TreeSet<>();
    List<String> keys = new ArrayList<>(List.of(SECCOMP_POD_ANNOTATION));
    pod.containers()
        .forEach(container -> keys.add(SECCOMP_ANNOTATION + container.text("name", "")));
    for (String key : keys) {
      String value = pod.annotations().text(key, "");
      if (pod.annotations().has(key) && !isGoodSeccomp(value)) {
        bad.add(key + "=\"" + value + "\"");
      }
    }
    return found(
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

  private static Optional<Violation> seccompProfile(PodSecuritySpec pod) {
    ProfileTypes types = seccompTypes(pod);
    return found(types.hasBad(), "seccompProfile", badSeccomp(types));
  }

  /** How it is said that somebody set a bad profile. */
  static String badSeccomp(ProfileTypes types) {
    return "%s must not set securityContext.seccompProfile.type to %s"
        .formatted(types.setters(), Wording.quoted(types.bad()));
  }

  static ProfileTypes seccompTypes(PodSecuritySpec pod) {
    return ProfileTypes.of(pod, "seccompProfile", PROFILES);
  }

  private static Rule sysctls(int howMany) {
    List<String> safe = SYSCTLS.subList(0, howMany);
    return pod -> {
      List<String> bad =
          pod.securityContext().array("sysctls").objects().stream()
              .map(sysctl -> sysctl.text("name", ""))
              .filter(name -> !safe.contains(name))
              .toList();
      return found(!bad.isEmpty(), "forbidden sysctls", String.join(", ", bad));
    };
  }

  private static Optional<Violation> windowsHostProcess(PodSecuritySpec pod) {
    boolean badPod = isHostProcess(pod.securityContext());
    List<String> containers =
        pod.containersThat(container -> isHostProcess(securityContext(container)));
    return found(
        badPod || !containers.isEmpty(),
        "hostProcess",
        Wording.setters(badPod, containers)
            + " must not set securityContext.windowsOptions.hostProcess=true");
  }

  private static boolean isHostProcess(JsonObject context) {
    return context.object("windowsOptions").flag("hostProcess", false);
  }
}
