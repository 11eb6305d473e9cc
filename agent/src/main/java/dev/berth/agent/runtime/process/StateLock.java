package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.DirectoryLock;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes sure that one agent alone holds a state directory, and that it can work. */
final class StateLock {
  /** The directory's name becomes part of words that a shell splits. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+@=-]+");

  static final String FILE = "runtime.lock";

  /** What the kernel says of a process whose users are the machine's. */
  private static final String ALL_USERS = "0 0 4294967295";

  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");

  private StateLock() {}

  static void checkMachine(ProcessSettings settings) throws IOException {
    if (!Files.getAttribute(settings.proc().resolve("self"), "unix:uid").equals(0)) {
      throw new IOException(
          "the process runtime needs root: containers have namespaces and limits");
    }
    Path users = settings.proc().resolve("self/uid_map");
    if (Files.exists(users)
        && !String.join(" ", Files.readString(users).strip().split("\\s+")).equals(ALL_USERS)) {
      throw new IOException(
          "the process runtime needs root of the machine, not of a user namespace: containers have"
              + " mounts, networks and limits");
    }
    if (!PLAIN.matcher(settings.stateRoot().toString()).matches()) {
      throw new IOException(
          "the state directory %s must have a name of letters, digits and _./+@=- alone"
              .formatted(settings.stateRoot()));
    }
  }

  /** Without cgroups nothing is sure to end; without some controllers some limits are not kept. */
  static void checkCgroups(Cgroups cgroups, ProcessSettings settings) throws IOException {
    List<String> found =
        cgroups
            .controllers()
            .orElseThrow(() ->
                new IOException(
                    "there are no cgroups in %s, without which containers can neither be limited nor ended for sure"
                        .formatted(settings.sys().resolve("fs/cgroup"))));
    List<String> missing =
        Cgroups.USUAL_CONTROLLERS.stream().filter(each -> !found.contains(each)).toList();
    if (!missing.isEmpty()) {
      LOG.warn(
          "this machine's cgroups have no controller for {}: pods that limit it are refused, others"
              + " run without",
          String.join(", ", missing));
    }
  }

  /** Whether an agent has ever held it. */
  static boolean isIn(Path stateRoot) {
    return Files.isRegularFile(stateRoot.resolve(FILE));
  }

  static FileLock take(Path stateRoot) throws IOException {
    return DirectoryLock.take(stateRoot, FILE);
  }
}
