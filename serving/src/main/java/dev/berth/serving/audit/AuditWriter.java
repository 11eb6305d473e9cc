package dev.berth.serving.audit;

import dev.berth.time.WriterThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Appends lines to a file or a stream, on a {@link WriterThread}, many at a time. What happens when
 * it is too slow is for its {@link Mode} to say. Lines are lost when the disk fails; a warning says
 * so, and no further one until writing succeeds again. All that are lost are counted.
 */
public final class AuditWriter implements AutoCloseable {
  /** What becomes of a line for which there is no room. Upstream's words. */
  public enum Mode {
    /** Its request waits, and so do all others: nothing is lost because of a slow disk. */
    BLOCKING,

    /** It is lost, and no request waits. */
    BATCH
  }

  private static final int MOST_WAITING = 10_000;
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

  private final OutputStream out;
  private final String name;
  private final Consumer<String> warnings;
  private final Mode mode;
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong lostInAll = new AtomicLong();
  private final WriterThread<byte[]> thread;

  /** Whether the last write failed. The writer thread's own. */
  private boolean failing;

  /**
   * Lines wait until it is started.
   *
   * @param name what the lines are written to, for warnings
   * @param warnings is told in a sentence when lines are lost
   */
  public AuditWriter(OutputStream out, String name, Mode mode, Consumer<String> warnings) {
    this(out, name, mode, warnings, MOST_WAITING);
  }

  AuditWriter(
      OutputStream out, String name, Mode mode, Consumer<String> warnings, int mostWaiting) {
    this.out = out;
    this.mode = mode;
    this.name = name;
    this.warnings = warnings;
    this.thread = new WriterThread<>("audit-log", mostWaiting, this::write);
  }

  /**
   * Appends to a file, which only its owner can read if it is made now.
   *
   * @throws UncheckedIOException with a sentence for the user, if the file cannot be written
   */
  public static AuditWriter toFile(Path file, Mode mode, Consumer<String> warnings) {
    try {
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND);
      return new AuditWriter(out, file.toString(), mode, warnings);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The audit log %s cannot be written (%s): name a file in a directory that exists and that"
                  .formatted(file, reason(e))
              + " this user may write to.",
          e);
    }
  }

  private static String reason(IOException e) {
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    if (reason != null) {
      return reason;
    }
    return e instanceof AccessDeniedException ? "Permission denied" : "No such file or directory";
  }

  /**
   * Begins to write, or goes on after a failure.
   *
   * @param onFailure is told of a bug, because of which nothing more is written
   */
  public void start(Consumer<Throwable> onFailure) {
    thread.start(onFailure);
  }

  /** Takes a line without its end, and waits for room if that is its mode. */
  void add(byte[] line) {
    boolean taken =
        switch (mode) {
          case BATCH -> thread.offer(line);
          case BLOCKING -> put(line);
        };
    if (!taken) {
      lost.incrementAndGet();
      lostInAll.incrementAndGet();
    }
  }

  /** Whoever is interrupted, since the server ends, waits no longer. */
  private boolean put(byte[] line) {
    try {
      return thread.offer(line) || thread.put(line);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** How many lines were lost so far, whyever. */
  public long lost() {
    return lostInAll.get();
  }

  private void write(List<byte[]> lines) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (byte[] line : lines) {
      text.writeBytes(line);
      text.write('\n');
    }
    try {
      out.write(text.toByteArray());
      out.flush();
    } catch (IOException e) {
      if (!failing) {
        warnings.accept(
            "Audit events are lost, since %s cannot be written (%s): free some space or mend it."
                .formatted(name, e.getMessage()));
      }
      failing = true;
      lostInAll.addAndGet(lines.size());
      return;
    }
    failing = false;
    long missed = lost.getAndSet(0);
    if (missed > 0) {
      warnings.accept(
          "%d audit events were lost, since %s takes them too slowly (%d lines were waiting)."
              .formatted(missed, name, lines.size()));
    }
  }

  /** Writes what is waiting, for as long as that takes a short while. */
  @Override
  public void close() {
    thread.start(
        e -> warnings.accept("The audit log %s has ended because of a bug: %s".formatted(name, e)));
    if (thread.close(CLOSE_PATIENCE)) {
      try {
        out.close();
      } catch (IOException e) {
        warnings.accept("The audit log %s was not closed: %s".formatted(name, e.getMessage()));
      }
    }
  }
}
