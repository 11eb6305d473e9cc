package dev.berth.store.embedded;

import dev.berth.store.Draft;
import dev.berth.store.Store.Entry;
import dev.berth.store.StoreException;
import dev.berth.store.Timeline;
import dev.berth.store.Watch;
import dev.berth.time.FatalError;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes, one transaction at a time: decide in order, commit, note the revision as acknowledged,
 * publish, tell the writers, wake the watchers.
 *
 * <p>Its thread takes whatever waits as one transaction, so that many writers share one sync. A
 * writer who is alone commits on its own thread instead: two hand-offs between threads cost as much
 * as the sync.
 *
 * <p>A transaction that cannot begin since another program holds the database is tried again for a
 * while, and then fails alone. When a transaction finds no room, its writes are tried again one by
 * one: the one that is too big fails and its neighbours do not. After any other failure nothing
 * more is written.
 *
 * <p>That includes bugs, on whichever thread: what a failed commit left on disk, and what of it is
 * visible in memory, is not known, and only opening the store anew reads it again and compares. So
 * the store is not mended while it runs: the failure is logged with its stack trace, reads are
 * answered, writes are refused at once, and {@code /livez} fails, upon which the process is started
 * again.
 */
final class Committer implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger("store");

  private final Path directory;
  private final Timeline timeline;
  private final DatabaseWriter writer;
  private final Acknowledged acknowledged;
  private final WriteQueue queue;

  /** Who holds it uses the database, the draft and the acknowledgements. */
  private final ReentrantLock turn = new ReentrantLock();

  /** Whether the last transaction had one writer, so that the next is likely to be alone too. */
  private volatile boolean alone = true;

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

  /** Waits until whoever commits has done so, and says whether all went well. */
  boolean finish() {
    turn.lock();
    try {
      return broken == null;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void run() {
    while (queue.awaitWrites()) {
      turn.lock();
      try {
        takeBatch();
      } finally {
        turn.unlock();
      }
    }
  }

  /**
   * Whatever goes wrong, this thread goes on: it is who tells the others that they wait in vain.
   */
  private void takeBatch() {
    try {
      take(queue.takeBatch());
    } catch (RuntimeException | Error e) {
      FatalError.check(e);
      stop(List.of(), WriteFailure.unknown(e, directory));
    }
  }

  /** Commits a write on the caller's thread, if nobody else writes now or did a moment ago. */
  boolean commitAlone(PendingWrite write) {
    if (!alone || !turn.tryLock()) {
      return false;
    }
    try {
      if (!queue.isIdle()) {
        return false;
      }
      take(List.of(write));
      return true;
    } finally {
      turn.unlock();
    }
  }

  private void take(List<PendingWrite> batch) {
    alone = batch.size() == 1;
    try {
      commit(batch);
    } catch (RuntimeException | Error e) {
      FatalError.check(e);
      // Whatever it was, nobody may wait for ever.
      stop(batch, WriteFailure.unknown(e, directory));
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
    Map<Entry, WrittenForm> forms = new HashMap<>();
    batch.forEach(write -> write.noteForm(forms));
    List<Runnable> wakes = List.of();
    if (!draft.isEmpty()) {
      try {
        List<Watch.Event> events = draft.events();
        if (!writer.begin()) {
          failed(batch, WriteFailure.busy(directory));
          return;
        }
        writer.commit(events, forms);
        acknowledged.write(events.getLast().revision());
      } catch (SQLException | IOException | RuntimeException e) {
        failed(batch, WriteFailure.of(e, directory));
        return;
      }
      wakes = timeline.publish(draft);
    }
    batch.forEach(PendingWrite::tell);
    wake(wakes);
    try {
      writer.checkpointIfDue();
    } catch (SQLException e) {
      if (WriteFailure.of(e, directory) instanceof WriteFailure.Unknown unknown) {
        stop(List.of(), unknown);
      }
    }
  }

  private void failed(List<PendingWrite> batch, WriteFailure failure) {
    switch (undone(failure)) {
      case WriteFailure.Unknown unknown -> stop(batch, unknown);
      case WriteFailure.Busy(StoreException exception) ->
          batch.forEach(write -> write.fail(exception));
      case WriteFailure.Refused(StoreException exception) -> {
        if (batch.size() == 1) {
          batch.getFirst().fail(exception);
        } else {
          batch.forEach(write -> commit(List.of(write)));
        }
      }
    }
  }

  private void stop(List<PendingWrite> batch, WriteFailure.Unknown failure) {
    broken =
        new StoreException(
            ("The store in %s only reads since a write to its disk failed: check the disk, then"
                    + " restart. Nothing of this write was kept.")
                .formatted(directory),
            failure.exception().getCause());
    batch.forEach(write -> write.fail(failure.exception()));
    LOG.atError()
        .addKeyValue("directory", directory)
        .setCause(failure.exception())
        .log("a write failed, and the store only reads from now on");
  }

  private WriteFailure undone(WriteFailure failure) {
    try {
      writer.rollback();
      return failure;
    } catch (SQLException e) {
      return WriteFailure.unknown(e, directory);
    }
  }

  /**
   * Wakes from a virtual thread: waking a hundred watchers takes as long as a tenth of a
   * transaction, which the next one's writers need not wait for.
   */
  static void wake(List<Runnable> wakes) {
    if (!wakes.isEmpty()) {
      Thread.startVirtualThread(() -> wakes.forEach(Committer::wake));
    }
  }

  /** A watcher's mistake must not keep the others asleep. */
  private static void wake(Runnable onReady) {
    try {
      onReady.run();
    } catch (RuntimeException | Error e) {
      FatalError.check(e);
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
