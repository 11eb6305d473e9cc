package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.NativeFailure;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent's ends of a container's FIFOs, and where their content goes. Of the pump's thread. */
final class ContainerOutput {
  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");
  private static final int PIPE_BYTES = 1 << 20;

  /** Who is attached. */
  record Attached(OutputBuffer stdout, OutputBuffer stderr) {}

  private final ContainerLog log;
  private final int stdout;
  private final int stderr;
  private final List<Attached> attached = new CopyOnWriteArrayList<>();
  private boolean hasLostOutput;

  ContainerOutput(ContainerFiles files, ContainerLog log) throws NativeFailure {
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

  /** Reads once; false if there is nothing more to read now. */
  boolean copy(int descriptor, MemorySegment buffer, byte[] bytes) {
    try {
      int length = Descriptors.read(descriptor, buffer);
      if (length <= 0) {
        return false;
      }
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
      boolean isError = descriptor == stderr;
      for (Attached each : attached) {
        (isError ? each.stderr : each.stdout).add(bytes, length);
      }
      write(isError ? "stderr" : "stdout", bytes, length);
      return true;
    } catch (NativeFailure e) {
      LOG.warn("cannot read the output of a container: {}", e.getMessage());
      return false;
    }
  }

  /** A log that cannot be written must not stop the container: its output is lost meanwhile. */
  private void write(String stream, byte[] bytes, int length) {
    try {
      log.write(stream, bytes, length);
      hasLostOutput = false;
    } catch (IOException e) {
      if (!hasLostOutput) {
        LOG.warn("output of a container is lost, its log cannot be written: {}", e.toString());
      }
      hasLostOutput = true;
    }
  }

  /** Reads all that is left. */
  void drain(MemorySegment buffer, byte[] bytes) {
    for (int descriptor : descriptors()) {
      boolean hasMore = true;
      while (hasMore) {
        hasMore = copy(descriptor, buffer, bytes);
      }
    }
  }

  void close() {
    descriptors().forEach(Descriptors::close);
    attached.forEach(this::detach);
    try {
      log.close();
    } catch (IOException e) {
      LOG.warn("a log cannot be closed: {}", e.toString());
    }
  }
}
