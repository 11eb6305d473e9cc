package dev.berth.cli.server;

import dev.berth.apiserver.encryption.EncryptionConfiguration;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.Running;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.store.HistoryLimits;
import dev.berth.store.StoreException;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.store.migration.StoreMigration;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Moves all objects of a cluster from the data directory to an etcd, or back. */
public final class MigrateCommand implements Command {
  private static final Option TO_ETCD =
      Option.flag("--to-etcd", "Copies the objects of the data directory to the etcd.");
  private static final Option TO_EMBEDDED =
      Option.flag("--to-embedded", "Copies the objects of the etcd to the data directory.");

  @Override
  public String name() {
    return "migrate";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Copies all objects from the data directory to an etcd, or back, and then reads each of them"
            + " again and compares it. The source stays as it is.",
        "Stop all servers first. The target must be empty, or hold part of an earlier attempt.",
        "Resource versions never go back: clients that saw later ones list everything again.");
  }

  @Override
  public List<Option> options() {
    List<Option> options =
        new ArrayList<>(
            List.of(TO_ETCD, TO_EMBEDDED, DataOption.OPTION, ServerOptions.ENCRYPTION_CONFIG));
    options.addAll(EtcdServerOptions.options());
    return options;
  }

  @Override
  public int run(Arguments arguments, Console console) {
    boolean toEtcd = arguments.has(TO_ETCD.name());
    if (toEtcd == arguments.has(TO_EMBEDDED.name())) {
      throw new UsageException(
          "Either %s or %s says where the objects go."
              .formatted(TO_ETCD.name(), TO_EMBEDDED.name()));
    }
    EtcdSettings etcd =
        EtcdServerOptions.read(arguments)
            .orElseThrow(() -> new UsageException("--etcd-servers must name the etcd."));
    ValueTransformer encryption =
        arguments
            .path(ServerOptions.ENCRYPTION_CONFIG.name())
            .map(EncryptionConfiguration::read)
            .orElse(ValueTransformer.NONE);
    Path directory = DataOption.directory(arguments);
    StoreMigration.Summary done;
    try (WallTime time = Running.time()) {
      done =
          toEtcd
              ? toEtcd(directory, etcd, encryption, time)
              : toEmbedded(directory, etcd, encryption, time);
    }
    console
        .out()
        .printf(
            toEtcd
                ? "Copied %d objects to etcd, now at revision %d, and compared each of them. Start all"
                    + " servers with --etcd-servers.%n"
                : "Copied %d objects, now at revision %d, and compared each of them. Start the server"
                    + " without --etcd-servers.%n",
            done.objects(),
            done.revision());
    return ExitCode.OK;
  }

  private static StoreMigration.Summary toEtcd(
      Path directory, EtcdSettings settings, ValueTransformer encryption, Time time) {
    if (!Files.isDirectory(directory)) {
      throw new StoreException("There is no directory %s.".formatted(directory));
    }
    try (EmbeddedStore from =
        EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT, encryption)) {
      if (ServerStores.isNew(from)) {
        throw new StoreException(
            "There is nothing to copy in %s: name the data directory of the cluster by --data."
                .formatted(directory));
      }
      try (EtcdStore to = etcd(settings, encryption, time)) {
        refuseServers(to, time);
        new StoreMigration(from, to).copy();
      }
      // Opened anew, so that what is compared comes from etcd.
      try (EtcdStore to = etcd(settings, encryption, time)) {
        return new StoreMigration(from, to).check();
      }
    }
  }

  private static StoreMigration.Summary toEmbedded(
      Path directory, EtcdSettings settings, ValueTransformer encryption, Time time) {
    try (EtcdStore from = etcd(settings, encryption, time)) {
      refuseServers(from, time);
      if (ServerStores.isNew(from)) {
        throw new StoreException(
            "There is nothing to copy below %s in this etcd: check --etcd-servers and --etcd-prefix."
                .formatted(settings.prefix()));
      }
      try (EmbeddedStore to =
          EmbeddedStore.open(
              directory, EmbeddedStore.Options.DEFAULT, encryption, from.revision())) {
        new StoreMigration(from, to).copy();
      }
      try (EmbeddedStore to =
          EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT, encryption)) {
        return new StoreMigration(from, to).check();
      }
    }
  }

  private static EtcdStore etcd(EtcdSettings settings, ValueTransformer encryption, Time time) {
    return ServerStores.open(settings, HistoryLimits.DEFAULT, encryption, time);
  }

  /**
   * Servers on an etcd say that they live, or hold the leases of scheduler and controllers, and are
   * forgotten soon after they stopped.
   */
  static void refuseServers(EtcdStore store, Time time) {
    List<String> living = new ArrayList<>(new MasterLeases(store).addresses());
    for (String lease : List.of("kube-controller-manager", "kube-scheduler")) {
      store
          .get("/registry/leases.coordination.k8s.io/kube-system/" + lease)
          .map(entry -> JsonReader.object(entry.value(), JsonLimits.TRUSTED).object("spec"))
          .filter(spec -> isHeld(spec, time.now()))
          .ifPresent(spec -> living.add(spec.text("holderIdentity", "")));
    }
    if (!living.isEmpty()) {
      throw new StoreException(
          "The server %s uses this etcd: stop all of them, and wait for 15 s if one was killed."
              .formatted(living.getFirst()));
    }
  }

  private static boolean isHeld(JsonObject lease, Instant now) {
    String renewed = lease.text("renewTime", "");
    Duration lasts = Duration.ofSeconds(lease.integer("leaseDurationSeconds").orElse(15));
    return !lease.text("holderIdentity", "").isEmpty()
        && !renewed.isEmpty()
        && Times.parse(renewed).plus(lasts).isAfter(now);
  }
}
