package dev.berth.agent.volume;

import dev.berth.policy.persistentvolume.LocalDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of the built-in provisioner ({@link LocalDirectory}) on this machine. Each that
 * this node makes is noted in a file first; only what is noted is ever removed, so a volume that
 * somebody made for a directory of their own never costs them its content.
 */
final class LocalDirectories {
  private static final Logger log = LoggerFactory.getLogger("volumes");
  private static final String NOTES = "local-directories";

  /**
   * The class says nothing of users, so all of them may write; none but the volume's pods get in.
   */
  private static final int MODE = 0777;

  private final Path root;

  LocalDirectories(Path root) {
    this.root = root;
  }

  /**
   * Makes the directory of a volume unless it is there.
   *
   * @param volume the name of the PersistentVolume
   */
  void make(String volume, Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path note = note(volume);
    Directories.make(root.resolve(NOTES), 0700);
    Path fresh = note.resolveSibling("." + volume + ".new");
    Files.writeString(fresh, directory.toString());
    Files.move(fresh, note, StandardCopyOption.ATOMIC_MOVE);
    Directories.make(directory, MODE);
    log.info("made {} for volume {}", directory, volume);
  }

  /**
   * Removes the directory of a volume that was deleted, if this node made one.
   *
   * @return false if a pod still has it
   */
  boolean remove(String volume) throws IOException {
    if (!PodDirectory.users(root, ClaimPlugin.LOCAL, volume).isEmpty()) {
      return false;
    }
    Path note = note(volume);
    try {
      Path directory = Path.of(Files.readString(note, StandardCharsets.UTF_8));
      TreeRemoval.remove(directory);
      Files.delete(note);
      log.info("removed {}: volume {} is deleted", directory, volume);
    } catch (NoSuchFileException notOurs) {
      log.debug("no directory was made here for volume {}", volume);
    }
    return true;
  }

  private Path note(String volume) throws IOException {
    return PodDirectory.child(root.resolve(NOTES), volume);
  }
}
