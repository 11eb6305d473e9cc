package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.process.ProcessTable.Known;
import dev.berth.time.Time;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;

/**
 * What holds the PID namespace that the containers of a pod share. Unlike others, such a namespace
 * lasts only as long as its first process.
 *
 * @param holder the parent of the first process
 */
record PausedProcess(Known holder) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  static String cgroup(SandboxState pod) {
    return pod.cgroup() + "/pause";
  }

  /** Starts the one of a pod. */
  static void start(Sandbox sandbox, Cgroups cgroups, Shim shim, Time time) throws IOException {
    Path file = sandbox.directory().resolve("pause");
    Files.deleteIfExists(file);
    cgroups.create(cgroup(sandbox.state()));
    String join =
        cgroups.joinFiles(cgroup(sandbox.state())).stream()
            .map(Path::toString)
            .collect(Collectors.joining(" "));
    Shim.start(
        shim.shell("pause.sh", sandbox.directory().toString(), join)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD),
        false);
    if (!Await.until(time, PATIENCE, () -> Files.exists(file))) {
      throw new IOException("the process that holds the pod's PID namespace did not start");
    }
  }

  static PausedProcess of(Sandbox sandbox) throws IOException {
    Path file = sandbox.directory().resolve("pause");
    return StateFiles.readText(file)
        .flatMap(Known::parse)
        .map(PausedProcess::new)
        .orElseThrow(() -> new IOException("the pod has no PID namespace: " + file));
  }

  String namespaceFile() {
    return "/proc/%d/ns/pid_for_children".formatted(holder.process());
  }
}
