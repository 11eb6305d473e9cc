package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Mounts;
import dev.berth.agent.nativecalls.Namespaces;
import dev.berth.agent.nativecalls.NativeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The namespaces that the containers of a pod share, held by mounts of their files: they need no
 * process.
 */
record PodNamespaces(Path directory, SandboxState state) {

  Optional<Path> network() {
    return state.hostNetwork() ? Optional.empty() : Optional.of(directory.resolve("net"));
  }

  Optional<Path> ipc() {
    return state.hostIpc() ? Optional.empty() : Optional.of(directory.resolve("ipc"));
  }

  /** A pod with the machine's network has its name, too. */
  Optional<Path> uts() {
    return state.hostNetwork() ? Optional.empty() : Optional.of(directory.resolve("uts"));
  }

  /** The options of {@code nsenter} for all of them. */
  Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    network().ifPresent(file -> options.put("--net", file.toString()));
    ipc().ifPresent(file -> options.put("--ipc", file.toString()));
    uts().ifPresent(file -> options.put("--uts", file.toString()));
    return options;
  }

  private Map<Path, Long> kinds() {
    Map<Path, Long> kinds = new LinkedHashMap<>();
    network().ifPresent(file -> kinds.put(file, Namespaces.NETWORK));
    ipc().ifPresent(file -> kinds.put(file, Namespaces.IPC));
    uts().ifPresent(file -> kinds.put(file, Namespaces.UTS));
    return kinds;
  }

  /** Makes them, with kernel parameters of their own. */
  void create(Map<String, String> sysctls) throws IOException {
    Files.createDirectories(directory);
    Namespaces.inThread(
        "pod-namespaces",
        () -> {
          Namespaces.unshare(kinds().values().stream().reduce(0L, (a, b) -> a | b));
          for (Path file : kinds().keySet()) {
            Files.writeString(file, "", StandardOpenOption.CREATE);
            String source = "/proc/thread-self/ns/" + file.getFileName();
            Mounts.mount(source, file.toString(), "none", Mounts.BIND, "");
          }
          if (uts().isPresent()) {
            Namespaces.setHostname(state.hostname());
          }
          // A thread sees the parameters of its own namespaces in /proc/sys.
          for (Map.Entry<String, String> sysctl : sysctls.entrySet()) {
            set(sysctl.getKey(), sysctl.getValue());
          }
          return true;
        });
  }

  private static void set(String name, String value) throws IOException {
    Path file = Path.of("/proc/sys", name.replace('.', '/'));
    try {
      Files.writeString(file, value, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new IOException(
          "sysctl %s cannot be set to %s: %s".formatted(name, value, e.getMessage()), e);
    }
  }

  /** Whether all are there: a restart of the machine leaves empty files. */
  boolean exist() {
    return kinds().keySet().stream().allMatch(PodNamespaces::isMount);
  }

  static boolean isMount(Path file) {
    try {
      return Files.exists(file)
          && !Files.getAttribute(file, "unix:dev")
              .equals(Files.getAttribute(file.getParent(), "unix:dev"));
    } catch (IOException e) {
      return false;
    }
  }

  /** Lets go of them: they end with the last process in them. */
  void remove() throws IOException {
    for (Path file : kinds().keySet()) {
      unmount(file);
      Files.deleteIfExists(file);
    }
  }

  /** Unmounts all that is mounted at a place. */
  static void unmount(Path place) throws NativeFailure {
    while (isMount(place)) {
      Mounts.detach(place.toString());
    }
  }
}
