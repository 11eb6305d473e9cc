package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.Terminal;
import dev.berth.agent.runtime.Session;
import dev.berth.agent.runtime.process.ContainerOutput.Attached;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Somebody who reads what a container writes, and may write what it reads. */
final class AttachSession implements Session {
  private final Container container;
  private final Attached attached = new Attached(new OutputBuffer(), new OutputBuffer());
  private final Supplier<OptionalLong> firstProcess;
  private final @Nullable RandomAccessFile stdin;

  /**
   * @param firstProcess the container's, whose terminal is resized
   */
  AttachSession(Container container, boolean hasStdin, Supplier<OptionalLong> firstProcess)
      throws IOException {
    this.container = container;
    this.firstProcess = firstProcess;
    // For reading and writing, so that it can be opened whether or not anybody is at the other end.
    this.stdin =
        hasStdin && !container.state().stdin().equals("none")
            ? new RandomAccessFile(container.files().stdin().toFile(), "rw")
            : null;
    container.output().attach(attached);
    var _ = container.exit().thenRun(() -> container.output().detach(attached));
  }

  @Override
  public OutputStream stdin() {
    RandomAccessFile open = stdin;
    if (open == null) {
      return OutputStream.nullOutputStream();
    }
    return new OutputStream() {
      @Override
      public void write(int single) throws IOException {
        open.write(single);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        open.write(bytes, from, length);
      }

      @Override
      public void close() throws IOException {
        leaveStdin();
      }
    };
  }

  private void leaveStdin() throws IOException {
    if (stdin != null) {
      stdin.close();
      if (container.state().stdin().equals("once")) {
        container.closeStdin();
      }
    }
  }

  @Override
  public InputStream stdout() {
    return attached.stdout();
  }

  @Override
  public InputStream stderr() {
    return attached.stderr();
  }

  @Override
  public void resize(int columns, int rows) {
    OptionalLong process = firstProcess.get();
    if (!container.state().tty() || process.isEmpty()) {
      return;
    }
    try {
      int descriptor = openTerminal(process.getAsLong());
      try {
        Terminal.resize(descriptor, columns, rows);
      } finally {
        Descriptors.close(descriptor);
      }
    } catch (NativeFailure e) {
      // It has just ended.
    }
  }

  /** By its name, since it is not the process's input yet while the command is about to run. */
  private int openTerminal(long process) throws NativeFailure {
    return Files.exists(container.files().terminals())
        ? Terminal.openFirst(process)
        : Descriptors.open(
            Path.of("/proc/" + process + "/fd/0"),
            Descriptors.O_RDWR | Descriptors.O_NOCTTY | Descriptors.O_NONBLOCK);
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return container.exit().get().code();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    container.output().detach(attached);
    try {
      leaveStdin();
    } catch (IOException e) {
      // It was closed before.
    }
  }
}
