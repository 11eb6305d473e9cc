package dev.berth.serving.audit;

import dev.berth.time.FatalError;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Appends lines to a file or a stream, on a thread of its own, so that a slow disk slows no request
 * down. So many lines may wait; what comes when they do is lost, which is said once until writing
 * succeeds again, and so is a disk that fails.
 */
public final class AuditWriter implements AutoCloseable {
  private static final int MOST_WAITING = 10_000;
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  /** No event is as short. */
  private static final byte[] END = {};

  private final OutputStream out;
  private final String name;
  private final Consumer<String> warnings;
  private final BlockingQueue<byte[]> waiting;
  private final AtomicLong lost = new AtomicLong();
  private final Thread thread;
  private boolean failing;

  /**
   * @param name what the lines are written to, for warnings
   * @param warnings is told in a sentence when lines are lost
   */
  public AuditWriter(OutputStream out, String name, Consumer<String> warnings) {
    this(out, name, warnings, MOST_WAITING);
  }

  AuditWriter(OutputStream out, String name, Consumer<String> warnings, int mostWaiting) {
    this.out = out;
    this.name = name;
    this.warnings = warnings;
    this.waiting = new LinkedBlockingQueue<>(mostWaiting);
    this.thread = Thread.ofPlatform().name("berth-audit").daemon().start(this::run);
  }

  /**
   * Appends to a file, which only its owner can read if it is made now.
   *
   * @throws UncheckedIOException with a sentence for the user, if the file cannot be written
   */
  public static AuditWriter toFile(Path file, Consumer<String> warnings) {
    try {
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND);
      return new AuditWriter(out, file.toString(), warnings);
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

  /** Takes a line without its end. Never waits. */
  void add(byte[] line) {
    if (!waiting.offer(line)) {
      lost.incrementAndGet();
    }
  }

  private void run() {
    try {
      List<byte[]> batch = new ArrayList<>();
      boolean ended = false;
      while (!ended) {
        batch.add(waiting.take());
        waiting.drainTo(batch);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (byte[] line : batch) {
          ended |= line.length == 0;
          if (line.length > 0) {
            text.writeBytes(line);
            text.write('\n');
          }
        }
        write(text.toByteArray(), batch.size());
        batch.clear();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (Error e) {
      FatalError.check(e);
      warnings.accept("The audit log %s has ended because of a bug: %s".formatted(name, e));
    }
  }

  private void write(byte[] text, int lines) {
    try {
      out.write(text);
      out.flush();
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        warnings.accept(
            "Audit events are lost, since %s cannot be written (%s): free some space or mend it."
                .formatted(name, e.getMessage()));
      }
      failing = true;
      return;
    }
    failing = false;
    long missed = lost.getAndSet(0);
    if (missed > 0) {
      warnings.accept(
          "%d audit events were lost, since %s takes them too slowly (%d lines were waiting)."
              .formatted(missed, name, lines));
    }
  }

  /** Writes what is waiting, for as long as that takes a short while. */
  @Override
  public void close() {
    try {
      if (waiting.offer(END, FAREWELL.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS)
          && thread.join(FAREWELL)) {
        out.close();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      warnings.accept("The audit log %s was not closed: %s".formatted(name, e.getMessage()));
    }
  }
}
