package dev.berth.cli.server;

import dev.berth.apiserver.encryption.EncryptionConfiguration;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.Running;
import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import dev.berth.store.StoreException;
import dev.berth.store.Unreadable;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads all that is stored, and names what cannot be read. */
public final class DoctorCommand implements Command {

  @Override
  public String name() {
    return "doctor";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Reads all stored objects and names those that cannot be read, with the reason: damaged,"
            + " of an unknown version, or encrypted with a key that is missing.",
        "Nothing is changed. With --etcd-servers, servers may run meanwhile; a data directory must"
            + " not be in use.");
  }

  @Override
  public List<Option> options() {
    List<Option> options =
        new ArrayList<>(List.of(DataOption.OPTION, ServerOptions.ENCRYPTION_CONFIG));
    options.addAll(EtcdServerOptions.options());
    return options;
  }

  @Override
  public int run(Arguments arguments, Console console) {
    Optional<EtcdSettings> etcd = EtcdServerOptions.read(arguments);
    ValueTransformer encryption =
        arguments
            .path(ServerOptions.ENCRYPTION_CONFIG.name())
            .map(EncryptionConfiguration::read)
            .orElse(ValueTransformer.NONE);
    try (WallTime time = Running.time();
        Store store = open(etcd, DataOption.directory(arguments), encryption, time)) {
      return report(store, console);
    }
  }

  private static Store open(
      Optional<EtcdSettings> etcd, Path directory, ValueTransformer encryption, Time time) {
    if (etcd.isPresent()) {
      return ServerStores.open(etcd.get(), HistoryLimits.DEFAULT, encryption, time);
    }
    if (!Files.isDirectory(directory)) {
      throw new StoreException("There is no directory %s.".formatted(directory));
    }
    return EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT, encryption);
  }

  private static int report(Store store, Console console) {
    if (!(store.range(RangeRequest.prefix("/registry/")) instanceof RangeResult.Page all)) {
      throw new StoreException("The store was written to while it was read: begin again.");
    }
    long unreadable = 0;
    for (Store.Entry entry : all.entries()) {
      if (entry.value().length == 0 || entry.value()[0] != '{') {
        // As those find it who mend it.
        String key = store instanceof EtcdStore etcd ? etcd.etcdKey(entry.key()) : entry.key();
        console.out().printf("%s: %s%n", key, Unreadable.of(entry).why());
        unreadable++;
      }
    }
    int objects = all.entries().size();
    if (objects == 0) {
      console
          .out()
          .printf("There are no objects: check --data, or --etcd-servers and --etcd-prefix.%n");
      return ExitCode.FAILED;
    }
    if (unreadable == 0) {
      console.out().printf("All %d objects can be read.%n", objects);
      return ExitCode.OK;
    }
    console.out().printf("%d of %d objects cannot be read.%n", unreadable, objects);
    return ExitCode.FAILED;
  }
}
