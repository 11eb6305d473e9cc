package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.Terminal;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Runs commands in containers that run. */
final class Commands {
  private final Cgroups cgroups;
  private final HostTools tools;
  private final Shim shim;
  private final boolean hasCgroupNamespaces;
  private final AtomicLong started = new AtomicLong();

  Commands(Cgroups cgroups, HostTools tools, Shim shim, boolean hasCgroupNamespaces) {
    this.cgroups = cgroups;
    this.tools = tools;
    this.shim = shim;
    this.hasCgroupNamespaces = hasCgroupNamespaces;
  }

  /**
   * @param firstProcess the container's, whose namespaces are entered
   */
  Session run(Container container, long firstProcess, ExecSpec spec) throws IOException {
    ContainerState state = container.state();
    Tools within = state.isHostRoot() ? tools.ofHost() : HostTools.ofImage();
    Path script = container.files().directory().resolve("exec-" + started.incrementAndGet());
    boolean hasFilter = Files.exists(container.files().filter());
    String become =
        ShellText.quote(LaunchFiles.becomeCommand(state, within, hasFilter, spec.command()));
    // Whoever has no filter closes what would be open in its place.
    String rest = hasFilter ? " 9<&-\n" : " 5<&- 9<&-\n";
    StateFiles.write(script, ("exec " + become + rest).getBytes(StandardCharsets.UTF_8));
    String join =
        cgroups.joinFiles(state.cgroup()).stream()
            .map(Path::toString)
            .collect(Collectors.joining(" "));
    String enter =
        "--target=%d --mount --uts --ipc --net --pid%s"
            .formatted(firstProcess, hasCgroupNamespaces ? " --cgroup" : "");
    String shell = String.join(" ", within.command("sh"));
    return spec.tty()
        ? withTerminal(state, firstProcess, script, join, enter, shell)
        : withPipes(state, spec, script, join, enter, shell);
  }

  private Session withPipes(
      ContainerState state, ExecSpec spec, Path script, String join, String enter, String shell)
      throws IOException {
    ProcessBuilder builder = shim.shell("exec.sh", script.toString(), join, enter, shell, "");
    if (spec.stdin()) {
      builder.redirectInput(Redirect.PIPE);
    }
    return new ExecSession(Shim.start(builder, state.isFiltered()), script);
  }

  private Session withTerminal(
      ContainerState state, long process, Path script, String join, String enter, String shell)
      throws IOException {
    Terminal terminal = Terminal.open(process);
    try {
      String device = terminal.deviceFile().toString();
      ProcessBuilder builder =
          shim.shell("exec.sh", script.toString(), join, enter, shell, device)
              .redirectError(Redirect.DISCARD);
      Process started = Shim.start(builder, state.isFiltered());
      try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
        // Until it has the terminal, or has failed; its exit code will tell.
        lines.readLine();
      }
      return new TerminalSession(started, terminal, script);
    } catch (IOException e) {
      Descriptors.close(terminal.descriptor());
      throw e;
    } finally {
      Descriptors.close(terminal.device());
    }
  }
}
