package dev.berth.cli.server;

import dev.berth.apiserver.encryption.EncryptionConfiguration;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.Running;
import dev.berth.store.HistoryLimits;
import dev.berth.store.StoreException;
import dev.berth.store.embedded.Backup;
import dev.berth.store.embedded.BackupContents;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.store.migration.StoreMigration;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Backups of clusters whose objects are in an etcd. The file is the one that an embedded store is
 * copied to, so each can be restored into either.
 */
public final class EtcdBackups {
  private static final Option ACCEPT_REVISION =
      Option.flag(
          "--accept-revision",
          "Restores into an etcd that is not 10^9 revisions further on than the backup: only if the"
              + " cluster was in this etcd, or all its servers, nodes and clients are started anew.");

  private EtcdBackups() {}

  /** Options that say in which etcd the objects are, or are to be. */
  public static List<Option> options() {
    List<Option> options = new ArrayList<>(EtcdServerOptions.options());
    options.add(ServerOptions.ENCRYPTION_CONFIG);
    return options;
  }

  /** The same, and what {@link #restore} has beyond them. */
  public static List<Option> restoreOptions() {
    List<Option> options = new ArrayList<>(options());
    options.add(ACCEPT_REVISION);
    return options;
  }

  /** Whether the objects are in an etcd. */
  public static boolean areMeant(Arguments arguments) {
    Optional<EtcdSettings> etcd = EtcdServerOptions.read(arguments);
    for (Option option : List.of(ServerOptions.ENCRYPTION_CONFIG, ACCEPT_REVISION)) {
      if (etcd.isEmpty() && arguments.has(option.name())) {
        throw new UsageException(
            "%s has no effect without --etcd-servers.".formatted(option.name()));
      }
    }
    return etcd.isPresent();
  }

  /**
   * Copies what etcd holds at this moment, with the keys in the data directory, to a new file.
   * Servers may run.
   */
  public static Backup.Summary backup(Arguments arguments, Path file) {
    Path directory = DataOption.directory(arguments);
    if (!Files.isDirectory(directory.resolve("pki"))) {
      throw new StoreException(
          "There are no keys of the cluster in %s: name the data directory of one of its servers by --data."
              .formatted(directory.resolve("pki")));
    }
    ValueTransformer encryption = encryption(arguments);
    try (WallTime time = Running.time();
        EtcdStore etcd = open(arguments, encryption, time)) {
      return Backup.backup(etcd, encryption, directory, file);
    }
  }

  /**
   * Copies what a backup holds into an etcd that has nothing below its prefix, and compares each
   * object; the cluster's keys go to the data directory. What was interrupted can be run again.
   */
  public static StoreMigration.Summary restore(Arguments arguments, Path file) {
    ValueTransformer encryption = encryption(arguments);
    try (WallTime time = Running.time();
        BackupContents backup = BackupContents.open(file, encryption)) {
      try (EtcdStore etcd = open(arguments, encryption, time)) {
        MigrateCommand.refuseServers(etcd, time);
        if (!arguments.has(ACCEPT_REVISION.name())) {
          refuseEarly(backup.revision(), etcd.revision());
        }
        backup.writeFiles(DataOption.directory(arguments));
        new StoreMigration(backup, etcd).copy();
      }
      // Opened anew, so that what is compared comes from etcd.
      try (EtcdStore etcd = open(arguments, encryption, time)) {
        return new StoreMigration(backup, etcd).check();
      }
    }
  }

  /**
   * Clients may have seen later revisions than the backup's. A restored store must not come to the
   * same ones with other writes: who watches from there would miss some.
   */
  static void refuseEarly(long backup, long etcd) {
    long least = backup + Backup.REVISIONS_SKIPPED;
    if (etcd < least) {
      throw new StoreException(
          ("The backup is of revision %d and etcd is at %d, but clients may have seen later ones than the"
                  + " backup's. Let etcd begin further on: while it is empty, `etcdctl snapshot save`"
                  + " and `etcdutl snapshot restore --bump-revision %d --mark-compacted`. If the"
                  + " cluster was in this etcd, or all its servers, nodes and clients are started"
                  + " anew, %s restores into it as it is.")
              .formatted(backup, etcd, least, ACCEPT_REVISION.name()));
    }
  }

  private static ValueTransformer encryption(Arguments arguments) {
    return arguments
        .path(ServerOptions.ENCRYPTION_CONFIG.name())
        .map(EncryptionConfiguration::read)
        .orElse(ValueTransformer.NONE);
  }

  private static EtcdStore open(Arguments arguments, ValueTransformer encryption, Time time) {
    EtcdSettings settings = EtcdServerOptions.read(arguments).orElseThrow();
    return ServerStores.open(settings, HistoryLimits.DEFAULT, encryption, time);
  }
}
