package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of a container; {@code shim.sh} says what they are for. */
record ContainerFiles(Path directory, Path log) {

  static ContainerFiles of(Sandbox sandbox, String name, int attempt) {
    return new ContainerFiles(
        sandbox.directory().resolve("containers").resolve(name + "_" + attempt),
        sandbox.logs().resolve(name).resolve(attempt + ".log"));
  }

  /** Whether a container has begun to run and has not ended, by the files in its directory. */
  static boolean isRunning(Path directory) {
    return Files.exists(directory.resolve("started")) && !Files.exists(directory.resolve("exit"));
  }

  Path state() {
    return directory.resolve("container.json");
  }

  Path launch() {
    return directory.resolve("launch");
  }

  Path run() {
    return directory.resolve("run");
  }

  Path shim() {
    return directory.resolve("shim");
  }

  Path errors() {
    return directory.resolve("errors");
  }

  Path started() {
    return directory.resolve("started");
  }

  Path exit() {
    return directory.resolve("exit");
  }

  /** Why its command could not be started; there if it could not. */
  Path startError() {
    return directory.resolve("start-error");
  }

  /** There if the kernel killed one of its processes for lack of memory. */
  Path outOfMemory() {
    return directory.resolve("out-of-memory");
  }

  Path stdout() {
    return directory.resolve("stdout");
  }

  Path stderr() {
    return directory.resolve("stderr");
  }

  /** Where its log is, with what was rotated and with those of its earlier attempts. */
  Path logs() {
    return log.resolveSibling("");
  }

  /** What of its output is on its way to the log. */
  Path journal() {
    return directory.resolve("journal");
  }

  Path stdin() {
    return directory.resolve("stdin");
  }

  Path closeStdin() {
    return directory.resolve("close-stdin");
  }

  /** A program that installs its own filter of system calls; there if it has one. */
  Path filter() {
    return directory.resolve("filter");
  }

  Path collected() {
    return directory.resolve("collected");
  }

  /** Where its root is put together, in its own mount namespace. */
  Path root() {
    return directory.resolve("root");
  }

  /** What it wrote to its root. */
  Path written() {
    return directory.resolve("written");
  }

  /**
   * Where its terminals are mounted while it is started, if it has one of its own: the shim and the
   * container see the same ones.
   */
  Path terminals() {
    return directory.resolve("pts");
  }

  /** Deletes all of it but the log. */
  void delete() throws IOException {
    // An agent that was killed may have left it.
    PodNamespaces.unmount(terminals());
    StateFiles.delete(directory);
  }
}
