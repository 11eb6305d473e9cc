package dev.berth.cli.data;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.Running;
import dev.berth.cli.server.EtcdBackups;
import dev.berth.store.embedded.Backup;
import dev.berth.store.migration.StoreMigration;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes a store from a backup. */
public final class RestoreCommand implements Command {

  @Override
  public String name() {
    return "restore";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Verifies a backup and restores it to a new or empty directory.",
        "The cluster's keys are restored too, so its clients still trust it.",
        "Resource versions continue far above those of the backup, so that clients that saw later"
            + " ones list everything again.",
        "With --etcd-servers, they are restored to an etcd that has nothing below --etcd-prefix, while"
            + " all servers are stopped; --data is where the keys go. It does not matter which kind"
            + " of store the backup is of.",
        "FILE is a file that \"berth backup\" created.");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(DataOption.OPTION));
    options.addAll(EtcdBackups.restoreOptions());
    return options;
  }

  @Override
  public List<String> parameters() {
    return List.of("FILE");
  }

  @Override
  public int run(Arguments arguments, Console console) {
    Path directory = DataOption.directory(arguments);
    if (EtcdBackups.areMeant(arguments)) {
      StoreMigration.Summary restored = EtcdBackups.restore(arguments, arguments.file(0));
      console
          .out()
          .printf(
              "Restored %d objects to etcd, now at revision %d, and compared each of them. Start"
                  + " servers with \"berth up --data %s --etcd-servers ...\".%n",
              restored.objects(), restored.revision(), directory);
      return ExitCode.OK;
    }
    Backup.Summary copy;
    try (WallTime time = Running.time()) {
      copy = Backup.restore(arguments.file(0), directory, time.now());
    }
    console
        .out()
        .printf(
            "Restored %d objects to %s, at revision %d. Start it with \"berth up --data %s\".%n",
            copy.objects(), directory, copy.revision(), directory);
    return ExitCode.OK;
  }
}
