package dev.berth.cli.data;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.server.EtcdBackups;
import dev.berth.store.embedded.Backup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Copies the store into a file. */
public final class BackupCommand implements Command {

  @Override
  public String name() {
    return "backup";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Backs up the store and the cluster's keys to a new file, even while Berth is running, and"
            + " verifies it.",
        "The file holds everything the cluster knows, secrets and the keys of its certificate"
            + " authority included: keep it as safe as the data.",
        "Objects that are encrypted at rest are encrypted in the file too; to read them, keep the file"
            + " of --encryption-provider-config as well.",
        "Where several servers share an etcd, --etcd-servers and the other --etcd options name it, and"
            + " --data the data directory of one of them, which has the keys.",
        "FILE is the file to create; it must not exist yet.");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(DataOption.OPTION));
    options.addAll(EtcdBackups.options());
    return options;
  }

  @Override
  public List<String> parameters() {
    return List.of("FILE");
  }

  @Override
  public int run(Arguments arguments, Console console) {
    Path file = arguments.file(0);
    boolean isInEtcd = EtcdBackups.areMeant(arguments);
    Backup.Summary copy =
        isInEtcd
            ? EtcdBackups.backup(arguments, file)
            : Backup.backup(DataOption.directory(arguments), file);
    console
        .out()
        .printf(
            "Backed up %d objects at revision %d to %s (%d bytes). Restore them with \"berth restore"
                + " %s --data DIR%s\".%n",
            copy.objects(),
            copy.revision(),
            file,
            copy.bytes(),
            file,
            isInEtcd ? " --etcd-servers URL,..." : "");
    return ExitCode.OK;
  }
}
