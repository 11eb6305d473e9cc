package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.Session;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** A command that runs in a container, without a terminal. */
final class ExecSession implements Session {
  private final Process process;

  /**
   * @param script is deleted when the command has ended
   */
  ExecSession(Process process, Path script) {
    this.process = process;
    var _ = process.onExit().thenRun(() -> script.toFile().delete());
  }

  @Override
  public OutputStream stdin() {
    return process.getOutputStream();
  }

  @Override
  public InputStream stdout() {
    return process.getInputStream();
  }

  @Override
  public InputStream stderr() {
    return process.getErrorStream();
  }

  @Override
  public void resize(int columns, int rows) {
    // It has no terminal.
  }

  @Override
  public int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    kill(process);
  }

  /** Ends a command with all it started that can still be found. */
  static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
