package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Namespaces;
import dev.berth.agent.nativecalls.SystemCallFilter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the shells that hold containers, and those that run commands in them. */
final class Shim {
  private static final List<String> SCRIPTS = List.of("shim.sh", "exec.sh", "pause.sh");

  private final Path scripts;

  /**
   * @param scripts the directory that the scripts are put into
   */
  Shim(Path scripts) throws IOException {
    this.scripts = scripts;
    StateFiles.makeDirectory(scripts);
    for (String name : SCRIPTS) {
      try (InputStream script = Shim.class.getResourceAsStream(name)) {
        if (script == null) {
          throw new IllegalStateException("the script " + name + " is not among the classes");
        }
        StateFiles.write(scripts.resolve(name), script.readAllBytes());
      }
    }
  }

  /** A shell in a session of its own, which does not end with the agent's. */
  ProcessBuilder shell(String script, String... arguments) {
    List<String> command =
        new ArrayList<>(List.of("setsid", "sh", scripts.resolve(script).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(Path.of("/").toFile());
    // Nothing of the agent's own environment is for others.
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    return builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
  }

  /** Starts a process, with the filter of system calls if it is to have it. */
  static Process start(ProcessBuilder builder, boolean isFiltered) throws IOException {
    if (!isFiltered) {
      return builder.start();
    }
    return Namespaces.inThread(
        "filtered-start",
        () -> {
          SystemCallFilter.install();
          return builder.start();
        });
  }

  /** Starts the shell of a container; returns when its command runs, or fails with the reason. */
  Process launch(ContainerFiles files, boolean isFiltered) throws IOException {
    Process process =
        start(shell("shim.sh", files.directory().toString()).redirectErrorStream(true), isFiltered);
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("ready")) {
          return process;
        }
      }
    }
    String errors = StateFiles.readText(files.errors()).orElse("");
    throw new IOException(errors.isEmpty() ? "the container ended before it ran" : errors);
  }
}
