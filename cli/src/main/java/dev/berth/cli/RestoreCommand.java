package dev.berth.cli;

import dev.berth.store.embedded.Backup;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a store from a backup. */
@Command(
    name = "restore",
    description = {
      "Checks a backup and makes a store of it in an empty or new directory.",
      "The cluster's keys come back too, so its clients go on trusting it.",
      "Revisions go on far above those of the backup, so that clients that saw later ones read"
          + " everything anew."
    })
final class RestoreCommand implements Callable<Integer> {
  @Mixin private DataOption data = new DataOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "A file that berth backup made.")
  private Path file = Path.of("");

  @Override
  public Integer call() {
    Backup.Summary copy = Backup.restore(file, data.directory());
    spec.commandLine()
        .getOut()
        .printf(
            "Restored %d objects to %s, at revision %d. \"berth up --data %s\" starts from there.%n",
            copy.objects(), data.directory(), copy.revision(), data.directory());
    return Main.OK;
  }
}
