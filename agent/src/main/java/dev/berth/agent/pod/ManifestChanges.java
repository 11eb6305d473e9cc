package dev.berth.agent.pod;

import dev.berth.agent.nativecalls.Inotify;
import dev.berth.agent.nativecalls.NativeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what happened to the files of a directory since it was last asked. Asking is cheap, but
 * where the kernel cannot tell, nothing is heard: whoever asks has to look for himself now and
 * then. For one thread.
 */
final class ManifestChanges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);

  private final Path directory;
  private @Nullable Inotify inotify;

  /** The directory that is watched: another one may have its name by now. */
  private @Nullable Object watched;

  private boolean isDeaf;

  ManifestChanges(Path directory) {
    this.directory = directory;
  }

  /**
   * The names of the files that went, of which some may be there again; empty if nothing happened.
   */
  Optional<List<String>> next() {
    if (isDeaf) {
      return Optional.empty();
    }
    try {
      boolean isAnother = watch();
      List<String> gone = new ArrayList<>();
      boolean[] has = {isAnother};
      if (inotify != null) {
        inotify.read((_, name, isGone) -> {
          has[0] = true;
          if (isGone) {
            gone.add(name);
          }
        });
      }
      return has[0] ? Optional.of(gone) : Optional.empty();
    } catch (NativeFailure e) {
      LOG.warn(
          "changes of {} are noticed by looking alone (fileCheckFrequency): {}",
          directory,
          e.getMessage());
      isDeaf = true;
      return Optional.empty();
    }
  }

  /** Watches the directory that has the name now; whether it is another one than before. */
  private boolean watch() throws NativeFailure {
    Object now = key();
    if (now == null || now.equals(watched)) {
      return false;
    }
    close();
    Inotify made = new Inotify();
    inotify = made;
    made.watchAll(directory);
    watched = now;
    return true;
  }

  private @Nullable Object key() {
    try {
      BasicFileAttributes found = Files.readAttributes(directory, BasicFileAttributes.class);
      return found.isDirectory() ? found.fileKey() : null;
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public void close() {
    if (inotify != null) {
      inotify.close();
      inotify = null;
    }
  }
}
