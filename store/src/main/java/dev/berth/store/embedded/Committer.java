package dev.berth.store.embedded;

import dev.berth.store.Draft;
import dev.berth.store.StoreException;
import dev.berth.store.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes. Whatever waits becomes one transaction, so that many writers share
 * one sync: decide in order, commit, note the revision as acknowledged, publish, tell the writers,
 * wake the watchers.
 *
 * <p>When a transaction finds no room, its writes are tried again one by one: the one that is too
 * big fails and its neighbours do not. After any other failure nothing more is written.
 */
final class Committer implements Runnable {

  private final Path directory;
  private final Timeline timeline;
  private final DatabaseWriter writer;
  private final Acknowledged acknowledged;
  private final WriteQueue queue;
  private volatile @Nullable StoreException broken;

  Committer(
      DataDirectory directory,
      Timeline timeline,
      DatabaseWriter writer,
      Acknowledged acknowledged,
      WriteQueue queue) {
    this.directory = directory.path();
    this.timeline = timeline;
    this.writer = writer;
    this.acknowledged = acknowledged;
    this.queue = queue;
  }

  /** Why nothing more is written, if so. */
  @Nullable StoreException broken() {
    return broken;
  }

  @Override
  public void run() {
    List<PendingWrite> batch = queue.takeBatch();
    while (!batch.isEmpty()) {
      commit(batch);
      batch = queue.takeBatch();
    }
  }

  private void commit(List<PendingWrite> batch) {
    StoreException unusable = broken;
    if (unusable != null) {
      batch.forEach(write -> write.fail(unusable));
      return;
    }
    Draft draft = timeline.draft();
    batch.forEach(write -> write.decide(draft));
    List<Runnable> wakes = List.of();
    if (!draft.isEmpty()) {
      try {
        writer.commit(draft.events());
        acknowledged.write(draft.events().getLast().revision());
      } catch (SQLException | IOException | RuntimeException e) {
        failed(batch, WriteFailure.of(e, directory));
        return;
      }
      wakes = timeline.publish(draft);
    }
    batch.forEach(PendingWrite::tell);
    wakes.forEach(Committer::wake);
    try {
      writer.checkpointIfDue();
    } catch (SQLException e) {
      if (WriteFailure.of(e, directory) instanceof WriteFailure.Unknown(StoreException exception)) {
        broken = exception;
      }
    }
  }

  private void failed(List<PendingWrite> batch, WriteFailure failure) {
    switch (undone(failure)) {
      case WriteFailure.Unknown(StoreException exception) -> {
        broken = exception;
        batch.forEach(write -> write.fail(exception));
      }
      case WriteFailure.Refused(StoreException exception) -> {
        if (batch.size() == 1) {
          batch.getFirst().fail(exception);
        } else {
          batch.forEach(write -> commit(List.of(write)));
        }
      }
    }
  }

  private WriteFailure undone(WriteFailure failure) {
    try {
      writer.rollback();
      return failure;
    } catch (SQLException e) {
      return WriteFailure.of(e, directory);
    }
  }

  /** A watcher's mistake must not stop the writer. */
  private static void wake(Runnable onReady) {
    try {
      onReady.run();
    } catch (RuntimeException e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
