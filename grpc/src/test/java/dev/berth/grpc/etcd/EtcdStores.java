package dev.berth.grpc.etcd;

import dev.berth.store.etcd.EtcdClient;
import dev.berth.store.etcd.EtcdException;
import dev.berth.store.etcd.EtcdOptions;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.time.WallTime;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Clients of a test's etcd, and stores on it. */
final class EtcdStores {
  private static final Duration ATTEMPT = Duration.ofSeconds(1);

  private EtcdStores() {}

  static WallTime time() {
    return new WallTime(failure -> {
      throw new IllegalStateException(failure.toString());
    });
  }

  /** A client, once etcd has a leader. */
  static EtcdClient client(EtcdProcess etcd) {
    EtcdClient client = new GrpcEtcdConnector().connect(etcd.servers());
    byte[] key = {'k'};
    while (true) {
      try {
        var _ =
            client
                .range(new EtcdClient.Range(key, new byte[] {'l'}, 0, 0), ATTEMPT)
                .get(2, TimeUnit.SECONDS);
        return client;
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof EtcdException)) {
          throw new IllegalStateException(e);
        }
        Thread.onSpinWait();
      } catch (InterruptedException | TimeoutException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static EtcdStore open(EtcdProcess etcd, String prefix, WallTime time) {
    return EtcdStore.open(client(etcd), EtcdOptions.of(prefix, new BelowPrefix(prefix)), time);
  }
}
