package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Security;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Which capabilities a container has. */
final class Capabilities {
  /** What containers have in Kubernetes unless they say otherwise. */
  private static final Set<String> USUAL =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "NET_RAW",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");

  private static final Set<String> OTHERS =
      Set.of(
          "AUDIT_CONTROL",
          "AUDIT_READ",
          "BLOCK_SUSPEND",
          "BPF",
          "CHECKPOINT_RESTORE",
          "DAC_READ_SEARCH",
          "IPC_LOCK",
          "IPC_OWNER",
          "LEASE",
          "LINUX_IMMUTABLE",
          "MAC_ADMIN",
          "MAC_OVERRIDE",
          "NET_ADMIN",
          "NET_BROADCAST",
          "PERFMON",
          "SYSLOG",
          "SYS_ADMIN",
          "SYS_BOOT",
          "SYS_MODULE",
          "SYS_NICE",
          "SYS_PACCT",
          "SYS_PTRACE",
          "SYS_RAWIO",
          "SYS_RESOURCE",
          "SYS_TIME",
          "SYS_TTY_CONFIG",
          "WAKE_ALARM");

  private Capabilities() {}

  /**
   * The usual ones, or all with {@code ALL} added or none with {@code ALL} dropped; then those that
   * are added by name, without those that are dropped by name.
   */
  static Set<String> of(Security security) throws RuntimeFailure {
    Set<String> added = normalized(security.capabilities());
    Set<String> dropped = normalized(security.droppedCapabilities());
    Set<String> result = new TreeSet<>();
    if (security.isPrivileged() || added.contains("ALL")) {
      result.addAll(USUAL);
      result.addAll(OTHERS);
    } else if (!dropped.contains("ALL")) {
      result.addAll(USUAL);
    }
    if (security.isPrivileged()) {
      return result;
    }
    result.addAll(added);
    result.removeAll(dropped);
    result.remove("ALL");
    return result;
  }

  private static Set<String> normalized(Set<String> names) throws RuntimeFailure {
    Set<String> result = new TreeSet<>();
    for (String name : names) {
      String upper = name.toUpperCase(Locale.ROOT);
      String plain = upper.startsWith("CAP_") ? upper.substring(4) : upper;
      if (!plain.equals("ALL") && !USUAL.contains(plain) && !OTHERS.contains(plain)) {
        throw new RuntimeFailure(
            "CreateContainerError", "unknown capability \"%s\"".formatted(name));
      }
      result.add(plain);
    }
    return result;
  }

  /** As {@code setpriv} takes them. */
  static String boundingSet(Set<String> capabilities) {
    StringBuilder text = new StringBuilder("-all");
    for (String capability : capabilities) {
      text.append(",+").append(capability.toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
