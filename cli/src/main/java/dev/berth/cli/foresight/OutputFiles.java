package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that are written when minutes of work are done: whether they can be is found out before.
 */
final class OutputFiles {
  private OutputFiles() {}

  /**
   * Complains if a file cannot be written.
   *
   * @param option what names the file, or could
   */
  static void check(Option option, Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || Files.isDirectory(file)) {
      throw new UsageException(
          "%s must be a file to write, and %s is a directory.".formatted(option.name(), file));
    }
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          "%s cannot be written: there is no directory %s.".formatted(file, folder));
    }
    Path changed = Files.exists(file) ? file : folder;
    if (!Files.isWritable(changed)) {
      throw new UsageException(
          "%s cannot be written: you may not write to %s. Give another with %s."
              .formatted(file, changed, option.name()));
    }
  }
}
