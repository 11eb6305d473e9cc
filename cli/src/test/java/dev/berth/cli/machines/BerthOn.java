package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process of Berth on a machine. */
final class BerthOn implements AutoCloseable {
  /** What a command said, and its exit code. */
  record Answer(int code, String text) {}

  private final Process process;
  private final BufferedReader output;
  private final Path log;

  BerthOn(List<String> command, Path log) throws IOException {
    this.log = log;
    process = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
    output = process.inputReader(UTF_8);
  }

  static Answer answer(TestMachine machine, List<String> words) throws IOException {
    Process process = new ProcessBuilder(machine.command(words)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Answer(process.onExit().join().exitValue(), text);
  }

  /** Reads what it says until a line has a text in it; that line. */
  String await(String text) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains(text)) {
        return line;
      }
    }
    throw new AssertionError("It did not say \"%s\":%n%s".formatted(text, Files.readString(log)));
  }

  /** Waits for its end; its exit code. */
  int ended() {
    return process.onExit().join().exitValue();
  }

  /** What it and others on its machine logged so far. */
  String log() throws IOException {
    return Files.readString(log);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it where it stands. */
  void kill() {
    // nsenter has become Berth itself: there is no other process in between.
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
