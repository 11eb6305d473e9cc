package dev.berth.agent.device;

import dev.berth.time.Loop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a checkpoint on disk what it is in memory. One write is under way at a time; all that ask
 * meanwhile share the next. Lives on the loop of the devices.
 *
 * @param <T> what is written; compared by its value
 */
public final class CheckpointWriter<T> {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceManager.NAME);
  private static final Duration SOON = Duration.ofMillis(20);

  /** Writes a file, so that it is the old or the new one whatever happens. */
  public interface Target<T> {
    void write(T checkpoint) throws IOException;
  }

  private final Loop loop;
  private final Path file;
  private final Target<T> target;
  private final Supplier<T> current;
  private List<Consumer<Optional<String>>> waiting = new ArrayList<>();
  private boolean isWriting;
  private boolean isAsked;
  private T written;

  /**
   * @param file named in messages
   * @param written what the file holds
   */
  public CheckpointWriter(Loop loop, Path file, Target<T> target, Supplier<T> current, T written) {
    this.loop = loop;
    this.file = file;
    this.target = target;
    this.current = current;
    this.written = written;
  }

  /** Has what is known now written, if it is not. */
  public void save() {
    save(_ -> {});
  }

  /**
   * The same.
   *
   * @param then told why it is not on disk; nothing if it is
   */
  public void save(Consumer<Optional<String>> then) {
    waiting.add(then);
    isAsked = true;
    write();
  }

  private void write() {
    if (isWriting || !isAsked) {
      return;
    }
    T now = current.get();
    List<Consumer<Optional<String>>> told = waiting;
    if (now.equals(written)) {
      isAsked = false;
      waiting = new ArrayList<>();
      told.forEach(each -> each.accept(Optional.empty()));
      return;
    }
    isWriting = loop.call(() -> write(now), failure -> done(now, told, failure));
    if (isWriting) {
      isAsked = false;
      waiting = new ArrayList<>();
    } else {
      loop.after(SOON, this::write);
    }
  }

  private void done(T tried, List<Consumer<Optional<String>>> told, Optional<String> failure) {
    isWriting = false;
    if (failure.isEmpty()) {
      written = tried;
    }
    told.forEach(each -> each.accept(failure));
    write();
  }

  /** Beside the loop. */
  private Optional<String> write(T checkpoint) {
    try {
      target.write(checkpoint);
      return Optional.empty();
    } catch (IOException e) {
      LOG.error("cannot write {}: {}", file, e.toString());
      return Optional.of(
          "failed to write checkpoint file \"%s\": %s".formatted(file, e.getMessage()));
    }
  }
}
