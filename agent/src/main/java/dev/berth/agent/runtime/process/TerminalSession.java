package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.Terminal;
import dev.berth.agent.runtime.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * A command that runs in a container, with a terminal. A thread of its own reads the terminal,
 * since a native call that waits would hold up virtual threads.
 */
final class TerminalSession implements Session {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final Process process;
  private final Terminal terminal;
  private final OutputBuffer output = OutputBuffer.waiting();
  private boolean isClosed;

  /**
   * @param script is deleted when the command has ended
   */
  TerminalSession(Process process, Terminal terminal, Path script) {
    this.process = process;
    this.terminal = terminal;
    var _ = process.onExit().thenRun(() -> script.toFile().delete());
    Thread.ofPlatform().daemon().name("terminal").start(this::read);
  }

  /** Reads until the last process has closed its end, which the kernel reports as an error. */
  private void read() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(BUFFER_BYTES);
      byte[] bytes = new byte[BUFFER_BYTES];
      int length = Descriptors.read(terminal.descriptor(), buffer);
      while (length > 0) {
        MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
        output.add(bytes, length);
        length = Descriptors.read(terminal.descriptor(), buffer);
      }
    } catch (NativeFailure e) {
      // The end.
    } finally {
      output.end();
      closeTerminal();
    }
  }

  private synchronized void closeTerminal() {
    if (!isClosed) {
      isClosed = true;
      Descriptors.close(terminal.descriptor());
    }
  }

  @Override
  public OutputStream stdin() {
    return new OutputStream() {
      @Override
      public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        synchronized (TerminalSession.this) {
          if (isClosed) {
            throw new IOException("the command has ended");
          }
          Descriptors.write(terminal.descriptor(), bytes, from, length);
        }
      }
    };
  }

  @Override
  public InputStream stdout() {
    return output;
  }

  @Override
  public InputStream stderr() {
    return InputStream.nullInputStream();
  }

  @Override
  public synchronized void resize(int columns, int rows) {
    if (isClosed) {
      return;
    }
    try {
      Terminal.resize(terminal.descriptor(), columns, rows);
    } catch (NativeFailure e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    output.close();
    ExecSession.kill(process);
  }
}
