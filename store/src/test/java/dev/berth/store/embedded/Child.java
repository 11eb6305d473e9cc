package dev.berth.store.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.util.LibraryLoaderUtil;

/** Another JVM with this one's class path: light, since hundreds are started. */
final class Child implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  private Child(Process process) {
    this.process = process;
    output = process.inputReader();
  }

  /** Runs a main class; the prefix is a command that runs a command, such as {@code nice}. */
  static Child start(Path temporary, List<String> prefix, Class<?> main, String... arguments) {
    var command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-Xmx64m",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.sqlite.lib.path=" + library(temporary),
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    try {
      return new Child(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SQLite's library, unpacked once: a killed JVM would leave its own copy behind. */
  private static Path library(Path temporary) {
    String name = LibraryLoaderUtil.getNativeLibName();
    Path file = temporary.resolve("native").resolve(name);
    if (!Files.exists(file)) {
      String resource = LibraryLoaderUtil.getNativeLibResourcePath() + '/' + name;
      try (InputStream in = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new IllegalStateException("There is no " + resource + '.');
        }
        Files.createDirectories(temporary.resolve("native"));
        Files.copy(in, file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return temporary.resolve("native");
  }

  /** Ends the child's wait for a line. */
  void go() throws IOException {
    OutputStream input = process.getOutputStream();
    input.write('\n');
    input.flush();
  }

  long pid() {
    return process.pid();
  }

  /** The next line, or an empty one at the end. */
  String line() throws IOException {
    String line = output.readLine();
    return line == null ? "" : line;
  }

  List<String> remainingLines() {
    return output.lines().toList();
  }

  /** Kills with SIGKILL; what the child said can still be read. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    kill();
    process.onExit().join();
  }
}
