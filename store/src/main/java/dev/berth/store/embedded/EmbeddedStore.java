package dev.berth.store.embedded;

import dev.berth.store.HistoryLimits;
import dev.berth.store.StoreException;
import dev.berth.store.Timeline;
import dev.berth.store.TimelineStore;
import dev.berth.store.Unreadable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable store in a directory of its own: SQLite with a write-ahead log below, everything live
 * also in memory. SQLite is read only when the store is opened.
 *
 * <p>Threads: callers queue their writes and wait for {@link Committer}'s thread; one who is alone
 * commits by itself. Reads and watches go to the {@link Timeline} and wait for nobody. Nothing is
 * visible before it is durable.
 */
public final class EmbeddedStore extends TimelineStore {

  /**
   * What can be chosen.
   *
   * @param history how much of the past watches and ranges can reach
   * @param checkpointBytes how much may be written to the log before it is applied to the database;
   *     the larger, the more repeated writes are saved, the smaller, the shorter the pauses
   */
  public record Options(HistoryLimits history, long checkpointBytes) {
    /** Some 50 ms of pause on a solid-state disk, and a log of about 32 MB. */
    public static final Options DEFAULT = new Options(HistoryLimits.DEFAULT, 32L << 20);

    public Options history(HistoryLimits limits) {
      return new Options(limits, checkpointBytes);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger("store");

  /** SQLite takes 1 GB; a value this large is a mistake long before that. */
  private static final int MAX_VALUE_BYTES = 64 << 20;

  private final DataDirectory directory;
  private final DatabaseWriter writer;
  private final Acknowledged acknowledged;
  private final StoredForms forms;
  private final Committer committer;
  private final WriteQueue queue = new WriteQueue();
  private final Thread thread;
  private final ReentrantLock closing = new ReentrantLock();

  private EmbeddedStore(
      DataDirectory directory,
      Timeline timeline,
      DatabaseWriter writer,
      Acknowledged acknowledged,
      StoredForms forms) {
    super(timeline);
    this.directory = directory;
    this.writer = writer;
    this.acknowledged = acknowledged;
    this.forms = forms;
    committer = new Committer(directory, timeline, writer, acknowledged, queue);
    thread = Thread.ofPlatform().name("berth-store-writer").unstarted(committer);
  }

  /**
   * Opens the store in a directory, which is created if it does not exist. Everything is read and
   * verified; a store that is damaged, foreign, newer, or in use is refused and left as it is.
   */
  public static EmbeddedStore open(Path path, Options options) {
    return open(path, options, ValueTransformer.NONE);
  }

  /**
   * The same, with values that are encrypted on disk. Those that cannot be decrypted are entries
   * that are {@link Unreadable}.
   */
  public static EmbeddedStore open(Path path, Options options, ValueTransformer transformer) {
    return open(path, options, transformer, Timeline.FIRST_REVISION);
  }

  /**
   * The same, of a store that goes on from another one.
   *
   * @param revision the least that the store is at: clients have seen it elsewhere
   */
  public static EmbeddedStore open(
      Path path, Options options, ValueTransformer transformer, long revision) {
    DataDirectory directory = DataDirectory.claim(path);
    try {
      Opening opening = Opening.of(directory, transformer);
      var writer = opening.writer(options.checkpointBytes(), revision);
      try {
        var store =
            new EmbeddedStore(
                directory,
                opening.timeline(options.history()),
                writer,
                Acknowledged.open(directory.path(), opening.totals().revision()),
                opening.forms());
        report(opening.unreadable());
        store.thread.start();
        return store;
      } catch (IOException | RuntimeException e) {
        writer.abandon();
        throw e;
      }
    } catch (IOException e) {
      directory.close();
      throw DataDirectory.unusable(path, e);
    } catch (SQLException e) {
      directory.close();
      throw WriteFailure.of(e, path) instanceof WriteFailure.Refused
          ? new StoreException(DataDirectory.full(path))
          : new StoreException(
              "The store in %s cannot be opened: check the disk.".formatted(path), e);
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  @Override
  public WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards) {
    if (value.length > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "The value of %s has %d bytes; a store takes at most %d."
              .formatted(key, value.length, MAX_VALUE_BYTES));
    }
    WrittenForm form = forms.write(key, value);
    return write(
        new PendingWrite(
            (long) key.length() + value.length,
            form,
            draft -> draft.put(key, value, expected, view, guards)));
  }

  @Override
  public WriteResult delete(String key, long expected, List<Guard> guards) {
    return write(
        new PendingWrite(key.length(), null, draft -> draft.delete(key, expected, guards)));
  }

  private WriteResult write(PendingWrite write) {
    if (!committer.commitAlone(write) && !queue.add(write)) {
      throw closedAlready();
    }
    return write.await();
  }

  @Override
  public boolean isStale(String key) {
    return forms.isStale(key);
  }

  /** The key of some value that could not be read with another transformer, if there is one. */
  public Optional<String> firstUnreadable(ValueTransformer other) {
    return forms.firstUnreadable(other);
  }

  private static void report(List<String> unreadable) {
    if (!unreadable.isEmpty()) {
      LOG.atError()
          .addKeyValue("objects", unreadable.size())
          .addKeyValue("first", unreadable.getFirst())
          .log("stored objects cannot be decrypted; requests for them fail");
    }
  }

  @Override
  public Durable durable() {
    return writer.durable();
  }

  @Override
  public Optional<StoreException> failure() {
    return Optional.ofNullable(committer.broken());
  }

  /** After this, {@code berth.db} alone holds the data, unless writing had failed. */
  @Override
  public void close() {
    closing.lock();
    try {
      if (isClosed()) {
        return;
      }
      queue.close();
      joinUninterruptibly(thread);
      Committer.wake(endReading());
      release();
    } finally {
      closing.unlock();
    }
  }

  private void release() {
    @Nullable Exception failure = null;
    try {
      if (committer.finish()) {
        checkpoint();
        acknowledged.sync();
      } else {
        writer.abandon();
      }
    } catch (SQLException | IOException e) {
      failure = e;
    }
    acknowledged.close();
    directory.close();
    if (failure != null) {
      throw new StoreException(
          "The store in %s was not closed in order; nothing that was acknowledged is lost."
              .formatted(directory.path()),
          failure);
    }
  }

  /** Without room to apply the log, the log stays: the next opening reads it. */
  private void checkpoint() throws SQLException {
    try {
      writer.checkpointAll();
    } catch (SQLException e) {
      writer.abandon();
      if (!(WriteFailure.of(e, directory.path()) instanceof WriteFailure.Refused)) {
        throw e;
      }
      return;
    }
    writer.close();
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
