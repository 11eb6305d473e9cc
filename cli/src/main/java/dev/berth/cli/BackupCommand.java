package dev.berth.cli;

import dev.berth.store.embedded.Backup;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the store into a file. */
@Command(
    name = "backup",
    description = {
      "Copies the store and the cluster's keys into a new file, also while Berth is running, and"
          + " checks the copy.",
      "The file holds everything the cluster knows, secrets and the keys of its certificate"
          + " authority included: keep it as safe as the data."
    })
final class BackupCommand implements Callable<Integer> {
  @Mixin private DataOption data = new DataOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "The file to make; it must not exist yet.")
  private Path file = Path.of("");

  @Override
  public Integer call() {
    Backup.Summary copy = Backup.backup(data.directory(), file);
    spec.commandLine()
        .getOut()
        .printf(
            "Copied %d objects at revision %d to %s (%d bytes). \"berth restore %s --data DIR\""
                + " brings them back.%n",
            copy.objects(), copy.revision(), file, copy.bytes(), file);
    return Main.OK;
  }
}
