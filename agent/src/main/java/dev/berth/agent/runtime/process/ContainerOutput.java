package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.PipePeek;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent's ends of a container's FIFOs, and where their content goes. Of the pump's thread. */
final class ContainerOutput {
  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");
  private static final int PIPE_BYTES = 1 << 20;

  /** Who is attached. */
  record Attached(OutputBuffer stdout, OutputBuffer stderr) {}

  private static final String STDERR = "stderr";

  private final ContainerLog log;
  private final OutputJournal journal;
  private final int stdout;
  private final int stderr;
  private final List<Attached> attached = new CopyOnWriteArrayList<>();
  private boolean hasLostOutput;

  /** Whether the log could be rotated last; what goes wrong again and again is said once. */
  private boolean isRotated = true;

  ContainerOutput(ContainerFiles files, ContainerLog log) throws IOException {
    this.log = log;
    int flags = Descriptors.O_RDONLY | Descriptors.O_NONBLOCK;
    stdout = Descriptors.open(files.stdout(), flags);
    try {
      stderr = Descriptors.open(files.stderr(), flags);
    } catch (NativeFailure e) {
      Descriptors.close(stdout);
      throw e;
    }
    Descriptors.enlargePipe(stdout, PIPE_BYTES);
    Optional<OutputJournal.Entry> unfinished = OutputJournal.read(files.journal());
    journal = new OutputJournal(files.journal());
    if (unfinished.isPresent()) {
      finish(unfinished.get());
      journal.done();
    }
  }

  /**
   * An agent was killed between the pipe and the log. What is not whole in the log is still in the
   * pipe: it is cut off, and read again. What is whole may be in the pipe, too, and is taken out of
   * it then. (Whoever writes the same bytes again and again may lose some of them.)
   */
  private void finish(OutputJournal.Entry entry) throws IOException {
    byte[] logged = log.since(entry.logSize());
    if (logged.length < entry.length()) {
      log.cut(entry.logSize());
      return;
    }
    int descriptor = entry.stream().equals(STDERR) ? stderr : stdout;
    try (PipePeek pipes = new PipePeek();
        Arena arena = Arena.ofConfined()) {
      MemorySegment head = arena.allocate(entry.length());
      boolean isThere =
          pipes.peek(descriptor, head) == entry.length()
              && Arrays.equals(
                  head.toArray(ValueLayout.JAVA_BYTE), Arrays.copyOf(logged, entry.length()));
      if (isThere) {
        Descriptors.read(descriptor, head);
      }
    }
  }

  List<Integer> descriptors() {
    return List.of(stdout, stderr);
  }

  void attach(Attached reader) {
    attached.add(reader);
  }

  void detach(Attached reader) {
    attached.remove(reader);
    reader.stdout.end();
    reader.stderr.end();
  }

  /**
   * Reads once; false if there is nothing more to read now. It is taken out of the pipe when it is
   * in the log.
   */
  boolean copy(int descriptor, PipePeek pipes, MemorySegment buffer, byte[] bytes) {
    try {
      int length = pipes.peek(descriptor, buffer);
      if (length <= 0) {
        return false;
      }
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
      boolean isError = descriptor == stderr;
      for (Attached each : attached) {
        (isError ? each.stderr : each.stdout).add(bytes, length);
      }
      write(isError ? STDERR : "stdout", bytes, length);
      Descriptors.read(descriptor, buffer.asSlice(0, length));
      finished();
      return true;
    } catch (NativeFailure e) {
      LOG.warn("cannot read the output that goes to {}: {}", log.file(), e.getMessage());
      return false;
    }
  }

  /** A log that cannot be written must not stop the container: its output is lost meanwhile. */
  private void write(String stream, byte[] bytes, int length) {
    try {
      journal.begin(new OutputJournal.Entry(stream, log.size(), length));
      log.write(stream, bytes, length);
      hasLostOutput = false;
    } catch (IOException e) {
      if (!hasLostOutput) {
        LOG.warn("output is lost, since the log {} cannot be written: {}", log.file(), why(e));
      }
      hasLostOutput = true;
    }
  }

  /** What was written is out of the pipe. */
  private void finished() {
    try {
      journal.done();
      log.rotateIfFull();
      isRotated = true;
    } catch (IOException e) {
      if (isRotated) {
        LOG.warn("the log {} cannot be rotated, and grows: {}", log.file(), why(e));
      }
      isRotated = false;
    }
  }

  /** The message of a file system's exception may be nothing but the name of a file. */
  private static String why(IOException e) {
    return e instanceof FileSystemException known && known.getReason() != null
        ? known.getReason()
        : e.toString();
  }

  /** Reads all that is left. */
  void drain(PipePeek pipes, MemorySegment buffer, byte[] bytes) {
    for (int descriptor : descriptors()) {
      boolean hasMore = true;
      while (hasMore) {
        hasMore = copy(descriptor, pipes, buffer, bytes);
      }
    }
  }

  void close() {
    descriptors().forEach(Descriptors::close);
    attached.forEach(this::detach);
    try {
      journal.close();
      log.close();
    } catch (IOException e) {
      LOG.warn("the log {} cannot be closed: {}", log.file(), why(e));
    }
  }
}
