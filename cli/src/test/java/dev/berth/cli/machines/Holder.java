package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A process that holds namespaces, which end with it, and in which others can be started. */
final class Holder implements AutoCloseable {
  private final Process process;
  private final List<String> options;

  /**
   * Returns when they are as they should be.
   *
   * @param unshare the command that makes them
   * @param setUp what a shell does in them first
   */
  Holder(List<String> unshare, String setUp) throws IOException {
    options = unshare.stream().skip(1).filter(each -> !each.startsWith("--propagation")).toList();
    List<String> command = new ArrayList<>(unshare);
    command.addAll(
        List.of("--", "sh", "-c", "set -e\n" + setUp + "\necho ready\nexec sleep infinity"));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = process.inputReader(UTF_8).readLine();
    if (!"ready".equals(said)) {
      process.destroyForcibly();
      throw new AssertionError("A machine cannot be made (needs root): " + said);
    }
  }

  long process() {
    return process.pid();
  }

  /** The words that start a command in them. */
  List<String> enter(List<String> command) {
    List<String> words = new ArrayList<>(List.of("nsenter", "-t", Long.toString(process.pid())));
    words.addAll(options);
    words.add("--");
    words.addAll(command);
    return words;
  }

  /** What a command says that succeeds. */
  String run(String... command) throws IOException {
    Process started = new ProcessBuilder(enter(List.of(command))).redirectErrorStream(true).start();
    started.getOutputStream().close();
    String said = new String(started.getInputStream().readAllBytes(), UTF_8);
    int code = started.onExit().join().exitValue();
    if (code != 0) {
      throw new AssertionError("%s: %s".formatted(String.join(" ", command), said));
    }
    return said;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
