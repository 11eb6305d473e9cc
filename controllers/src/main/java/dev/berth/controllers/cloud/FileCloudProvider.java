package dev.berth.controllers.cloud;

import dev.berth.model.config.ConfigException;
import dev.berth.model.config.ConfigFile;
import dev.berth.policy.cloud.CloudAnswer;
import dev.berth.policy.cloud.MachineList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cloud whose machines are written down in a file ({@link MachineList}). The file may change: it
 * is read again when it is not the one that was read last. While there is something wrong with it,
 * nobody knows of any machine, so that no node is deleted because of a mistake.
 */
public final class FileCloudProvider implements CloudProvider {
  private final Path file;
  private final Consumer<String> warnings;
  private final AtomicReference<Read> last;

  private record Read(Version version, Content content) {}

  /** By what one sees that a file has changed, or was replaced. */
  private record Version(FileTime modified, long size, @Nullable Object key) {
    static final Version NONE = new Version(FileTime.fromMillis(0), -1, null);

    static Version of(Path file) throws IOException {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Version(found.lastModifiedTime(), found.size(), found.fileKey());
    }
  }

  private sealed interface Content {
    record Valid(MachineList machines) implements Content {}

    record Invalid(String why) implements Content {}
  }

  private FileCloudProvider(Path file, Consumer<String> warnings, Read first) {
    this.file = file;
    this.warnings = warnings;
    this.last = new AtomicReference<>(first);
  }

  /**
   * Reads a file.
   *
   * @param warnings is told what is wrong with it later on
   * @throws ConfigException if something is wrong with it now
   */
  public static FileCloudProvider open(Path file, Consumer<String> warnings) {
    Version version = version(file);
    return new FileCloudProvider(
        file, warnings, new Read(version, new Content.Valid(machines(file))));
  }

  private static MachineList machines(Path file) {
    return ConfigFile.read(file, MachineList.API_VERSION, MachineList.KIND, MachineList::read);
  }

  /** Taken before the file is read, so that a change in between is noticed the next time. */
  private static Version version(Path file) {
    try {
      return Version.of(file);
    } catch (IOException e) {
      return Version.NONE;
    }
  }

  @Override
  public CloudAnswer find(String node, String providerId) {
    return switch (content()) {
      case Content.Valid(MachineList machines) -> machines.find(node, providerId);
      case Content.Invalid(String why) -> new CloudAnswer.Failed(why);
    };
  }

  private Content content() {
    Read before = last.get();
    Version now = version(file);
    if (now.equals(before.version())) {
      return before.content();
    }
    Read again = new Read(now, read());
    // Of several who read it at once, one tells what is wrong.
    if (last.compareAndSet(before, again)
        && again.content() instanceof Content.Invalid(String why)) {
      warnings.accept("the cloud's machines are not known: " + why);
    }
    return again.content();
  }

  private Content read() {
    try {
      return new Content.Valid(machines(file));
    } catch (ConfigException e) {
      return new Content.Invalid(String.valueOf(e.getMessage()));
    }
  }
}
