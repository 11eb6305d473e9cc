package dev.berth.grpc.etcd;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Store;
import dev.berth.store.StoreContract;
import dev.berth.store.StoreException;
import dev.berth.store.etcd.EtcdClient;
import dev.berth.store.etcd.EtcdOptions;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on a real etcd; each test has a prefix of its own. */
class EtcdStoreTest extends StoreContract {
  private static final WallTime TIME = EtcdStores.time();

  @TempDir static Path directory;
  private static EtcdProcess etcd;
  private static int count;

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdProcess.start(directory, 1);
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
    TIME.close();
  }

  @Override
  protected Store open() {
    String prefix = "/test-" + ++count;
    return EtcdStore.open(
        EtcdStores.client(etcd), EtcdOptions.of(prefix, new BelowPrefix(prefix)), TIME);
  }

  @Test
  void anEtcdThatIsTooOldIsRefused() {
    for (String version : List.of("3.3.27", "2.3.8", "unknown")) {
      EtcdClient old =
          new ForwardingEtcdClient(EtcdStores.client(etcd)) {
            @Override
            public CompletableFuture<String> version(Duration timeout) {
              return CompletableFuture.completedFuture(version);
            }
          };
      assertThatThrownBy(
              () -> EtcdStore.open(old, EtcdOptions.of("/old", new BelowPrefix("/old")), TIME))
          .isInstanceOf(StoreException.class)
          .hasMessage(
              "etcd at %s is of version %s; Berth needs 3.4 or later: upgrade etcd."
                  .formatted(old.endpoints(), version));
    }
  }
}
