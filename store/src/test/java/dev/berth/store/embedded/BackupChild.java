package dev.berth.store.embedded;

import java.nio.file.Path;

/** A backup from another process. Arguments: the store's directory, the file. */
final class BackupChild {

  private BackupChild() {}

  public static void main(String... arguments) {
    System.out.println(Backup.backup(Path.of(arguments[0]), Path.of(arguments[1])));
  }
}
