package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ContainerStatus.Exit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A container that was started, by this agent or an earlier one. */
final class Container implements OutputPump.Source {
  private static final byte[] NEWLINE = {'\n'};
  private static final int SIGNALS = 64;

  private final ContainerState state;
  private final ContainerFiles files;
  private final Instant started;
  private final Consumer<Container> onEnd;
  private final CompletableFuture<Exit> exit = new CompletableFuture<>();
  private volatile @Nullable ContainerOutput output;

  Container(ContainerState state, ContainerFiles files, Consumer<Container> onEnd)
      throws IOException {
    this.state = state;
    this.files = files;
    this.onEnd = onEnd;
    this.started = Files.getLastModifiedTime(files.started()).toInstant();
  }

  ContainerState state() {
    return state;
  }

  @Override
  public ContainerFiles files() {
    return files;
  }

  /** Its output while it runs. */
  @Override
  public ContainerOutput output() {
    ContainerOutput current = output;
    if (current == null) {
      throw new IllegalStateException("the output of " + state.name() + " is not read");
    }
    return current;
  }

  void readOutput(ContainerOutput from) {
    output = from;
  }

  boolean isRunning() {
    return !exit.isDone();
  }

  /** Done when it has ended. */
  CompletableFuture<Exit> exit() {
    return exit;
  }

  ContainerStatus status() {
    return new ContainerStatus(
        state.id(),
        state.name(),
        state.attempt(),
        state.image(),
        state.image(),
        state.mountedImages(),
        state.imageId(),
        started,
        files.log().toString(),
        exit.getNow(null));
  }

  /** Its exit code is there and its output is in the log. */
  @Override
  public void ended() {
    onEnd.accept(this);
  }

  /** Notes how it ended, from the files that say so. */
  void noteExit() {
    try {
      int code = Integer.parseInt(Files.readString(files.exit()).strip());
      int signal = code > 128 && code <= 128 + SIGNALS ? code - 128 : 0;
      exit.complete(
          new Exit(
              code,
              signal,
              Files.exists(files.outOfMemory()),
              StateFiles.readText(files.startError()).orElse(""),
              Files.getLastModifiedTime(files.exit()).toInstant()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets the shim of a container go that has ended. */
  void collect() {
    tell(files.collected());
  }

  /** Ends the input of a container that has it for its first user alone. */
  void closeStdin() {
    tell(files.closeStdin());
  }

  /** Writes to a FIFO that somebody waits at, or nobody. */
  static void tell(Path fifo) {
    try {
      int descriptor = Descriptors.open(fifo, Descriptors.O_WRONLY | Descriptors.O_NONBLOCK);
      try {
        Descriptors.write(descriptor, NEWLINE, 0, 1);
      } finally {
        Descriptors.close(descriptor);
      }
    } catch (NativeFailure e) {
      // Nobody waits there.
    }
  }
}
