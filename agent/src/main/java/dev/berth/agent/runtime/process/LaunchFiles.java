package dev.berth.agent.runtime.process;

import dev.berth.agent.seccomp.FilteredExec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes what the shim of a container reads. Environment and command are in a file that only root
 * can read, not in arguments, which everybody on the machine could.
 *
 * @param namespaces files of namespaces to enter, by the options of {@code nsenter}
 * @param processes the PID namespace to be in
 * @param hasOwnCgroups whether its own cgroup is the root of those that it sees
 * @param masks the list of what to hide in /proc; empty if that has been done, or must not be
 * @param filter the program that installs its own filter of system calls
 * @param hasOwnTerminal whether it has one, which is the first of its own terminals
 */
record LaunchFiles(
    ContainerState state,
    Tools tools,
    List<String> command,
    List<Path> joinFiles,
    Map<String, String> namespaces,
    Processes processes,
    boolean hasOwnCgroups,
    Optional<Path> masks,
    boolean hasOwnTerminal,
    Optional<Path> filter,
    int oomScore) {

  private static final String STREAMS = " <&8 >&3 2>&4 3>&- 4>&- 6>&- 7>&- 8<&- 9<&-";

  /** Which processes a container sees. */
  enum Processes {
    ITS_OWN,
    THOSE_OF_ITS_POD,
    THOSE_OF_ANOTHER,
    THOSE_OF_THE_MACHINE
  }

  void write(ContainerFiles files) throws IOException {
    StateFiles.write(files.run(), run().getBytes(StandardCharsets.UTF_8));
    StateFiles.write(files.launch(), launch().getBytes(StandardCharsets.UTF_8));
  }

  private String launch() {
    List<String> options = new ArrayList<>();
    if (hasOwnCgroups) {
      options.add("--cgroup");
    }
    if (processes == Processes.ITS_OWN) {
      options.addAll(
          List.of("--pid", "--fork", "--kill-child", "--mount-proc", "--propagation=unchanged"));
    }
    List<String> isolate = new ArrayList<>();
    if (!options.isEmpty()) {
      isolate.addAll(tools.command("unshare"));
      isolate.addAll(options);
      isolate.add("--");
    }
    isolate.addAll(tools.command("sh"));
    String enter =
        namespaces.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(" "));
    String join = joinFiles.stream().map(Path::toString).collect(Collectors.joining(" "));
    return """
    JOIN=%s
    ENTER=%s
    ISOLATE=%s
    MASKS=%s
    FILTER=%s
    OOM_SCORE=%d
    STDIN=%s
    TERMINAL=%s
    """
        .formatted(
            ShellText.quote(join),
            ShellText.quote(enter),
            ShellText.quote(String.join(" ", isolate)),
            ShellText.quote(masks.map(Path::toString).orElse("/dev/null")),
            ShellText.quote(filter.map(Path::toString).orElse("/dev/null")),
            oomScore,
            state.stdin(),
            state.tty() ? "yes" : "no");
  }

  private String run() {
    StringBuilder script = new StringBuilder();
    if (processes == Processes.THOSE_OF_ITS_POD || processes == Processes.THOSE_OF_ANOTHER) {
      line(script, "mount", "-t", "proc", "-o", "nosuid,nodev,noexec", "proc", "/proc");
    }
    if (masks.isPresent()) {
      line(script, "mount", "--all", "--fstab", "/proc/self/fd/9");
    }
    if (hasOwnTerminal) {
      line(script, "mount", "--bind", "/dev/pts/0", "/dev/console");
    }
    script.append("echo yes >&7\necho ready >&6\nexec ");
    script.append(ShellText.quote(becomeCommand(state, tools, filter.isPresent(), command)));
    script.append(filter.isPresent() ? STREAMS + "\n" : STREAMS + " 5<&-\n");
    return script.toString();
  }

  private void line(StringBuilder script, String tool, String... arguments) {
    script.append(ShellText.quote(tools.command(tool, arguments))).append(" || exit 125\n");
  }

  /**
   * The words that make a process of a container's root one of the container.
   *
   * @param hasFilter whether the program that installs its filter is open as a descriptor
   */
  static List<String> becomeCommand(
      ContainerState state, Tools tools, boolean hasFilter, List<String> command) {
    List<String> filter =
        hasFilter ? List.of("/proc/self/fd/" + FilteredExec.DESCRIPTOR) : List.of();
    // Who cannot gain privileges any more may install one without having any.
    boolean isLast = state.identity().contains(Identity.NO_NEW_PRIVILEGES);
    List<String> words = new ArrayList<>();
    if (!isLast) {
      words.addAll(filter);
    }
    words.addAll(tools.command("setpriv"));
    words.addAll(state.identity());
    words.add("--");
    if (isLast) {
      words.addAll(filter);
    }
    words.addAll(
        tools.command(
            "env", "-i", "--default-signal", "--chdir=" + state.workingDirectory(), "--"));
    state.environment().forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(command);
    return words;
  }
}
