package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Mounts;
import dev.berth.agent.nativecalls.NativeFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What containers do not see, or must not write to, of /proc and /sys: Kubernetes' lists. */
final class ProcMasks {
  private static final List<String> HIDDEN_FILES =
      List.of(
          "/proc/kcore",
          "/proc/keys",
          "/proc/latency_stats",
          "/proc/sched_debug",
          "/proc/timer_list",
          "/proc/timer_stats");
  private static final List<String> HIDDEN_DIRECTORIES =
      List.of(
          "/proc/acpi",
          "/proc/asound",
          "/proc/scsi",
          "/sys/devices/virtual/powercap",
          "/sys/firmware");
  private static final List<String> READ_ONLY =
      List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

  private ProcMasks() {}

  /** In the form of /etc/fstab, for {@code mount --all} in the container's PID namespace. */
  static String fstab() {
    StringBuilder text = new StringBuilder();
    for (String path : existing(HIDDEN_FILES)) {
      text.append("/dev/null ").append(path).append(" none bind 0 0\n");
    }
    for (String path : existing(HIDDEN_DIRECTORIES)) {
      text.append("tmpfs ").append(path).append(" tmpfs ro,nosuid,nodev,noexec,size=0 0 0\n");
    }
    for (String path : existing(READ_ONLY)) {
      text.append(path + " " + path + " none bind,ro,nosuid,nodev,noexec 0 0\n");
    }
    return text.toString();
  }

  /** The same in a root whose /proc is mounted already. */
  static void apply(int root) throws NativeFailure {
    for (String path : existing(HIDDEN_FILES)) {
      Mounts.bindIn(root, path, "/dev/null", false, 0);
    }
    for (String path : existing(HIDDEN_DIRECTORIES)) {
      Mounts.mountIn(root, path, "tmpfs", Mounts.READ_ONLY, "size=0");
    }
    for (String path : existing(READ_ONLY)) {
      Mounts.bindIn(root, path, path, false, Mounts.READ_ONLY);
    }
  }

  private static List<String> existing(List<String> paths) {
    return paths.stream().filter(path -> Files.exists(Path.of(path))).toList();
  }
}
