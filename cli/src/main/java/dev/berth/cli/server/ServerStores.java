package dev.berth.cli.server;

import dev.berth.agent.library.GrpcLibrary;
import dev.berth.apiserver.layout.KubernetesLayout;
import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.etcd.EtcdConnector;
import dev.berth.store.etcd.EtcdOptions;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.Time;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Where a server's objects are: in its data directory, in memory, or in an etcd. gRPC is loaded for
 * the latter alone.
 */
final class ServerStores {
  private static final String CONNECTOR = "dev.berth.grpc.etcd.GrpcEtcdConnector";
  private static final String EVENTS = "/registry/events/";
  private static final Duration EVENTS_LIVE = Duration.ofHours(1);

  private ServerStores() {}

  static Store open(ServerSettings settings, ServerPlace place, Time time) {
    HistoryLimits history =
        HistoryLimits.ofHeap(Runtime.getRuntime().maxMemory()).age(settings.watchHistory());
    if (settings.etcd().isPresent()) {
      return open(settings.etcd().get(), history, settings.encryption(), time);
    }
    return place.isEphemeral()
        ? new MemoryStore(history)
        : EmbeddedStore.open(
            place.directory(),
            EmbeddedStore.Options.DEFAULT.history(history),
            settings.encryption());
  }

  static EtcdStore open(
      EtcdSettings settings, HistoryLimits history, ValueTransformer encryption, Time time) {
    EtcdConnector connector = GrpcLibrary.make(CONNECTOR, EtcdConnector.class, "servers on etcd");
    return EtcdStore.open(
        connector.connect(settings.servers()),
        EtcdOptions.of(settings.prefix(), new KubernetesLayout(settings.prefix()))
            .history(history)
            .transformer(encryption)
            .ttl(ServerStores::ttl),
        time);
  }

  private static Optional<Duration> ttl(String key) {
    return key.startsWith(EVENTS) ? Optional.of(EVENTS_LIVE) : Optional.empty();
  }

  /** Whether nothing was ever written to it. */
  static boolean isNew(Store store) {
    return store.range(Store.RangeRequest.prefix("").limit(0))
            instanceof Store.RangeResult.Page page
        && page.remaining() == 0;
  }

  /** Where it is, for people. */
  static String describe(ServerSettings settings, ServerPlace place) {
    return settings
        .etcd()
        .map(etcd ->
            etcd.servers().endpoints().stream().map(URI::toString).collect(Collectors.joining(",")))
        .orElseGet(() -> place.isEphemeral() ? "memory" : place.directory().toString());
  }

  /** Finds what could not be read with other keys; empty for a store that encrypts nothing. */
  static Optional<Function<ValueTransformer, Optional<String>>> readability(Store store) {
    return switch (store) {
      case EmbeddedStore embedded -> Optional.of(embedded::firstUnreadable);
      case EtcdStore etcd -> Optional.of(etcd::firstUnreadable);
      default -> Optional.empty();
    };
  }
}
