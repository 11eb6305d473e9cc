package dev.berth.grpc.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Unreadable;
import dev.berth.store.etcd.EtcdLayout;
import dev.berth.store.etcd.EtcdOptions;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.store.etcd.UndecodableException;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What etcd held before a store was opened is decoded while that is in use. */
class EtcdDecodingTest {
  private static final String PREFIX = "/registry";
  private static final byte[] VALUE = {'1'};

  @TempDir Path directory;

  private final WallTime time = EtcdStores.time();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final Queue<String> decoded = new ConcurrentLinkedQueue<>();
  private EtcdProcess etcd;
  private EtcdStore plain;

  @BeforeEach
  void start() {
    etcd = EtcdProcess.start(directory, 1);
    opened.add(etcd);
    plain = store(UnaryOperator.identity());
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    time.close();
  }

  /**
   * A store of what others wrote.
   *
   * @param decode throws, or waits, if a key is to be like that
   */
  private EtcdStore store(UnaryOperator<String> decode) {
    var options = EtcdOptions.of(PREFIX, new TestLayout(new BelowPrefix(PREFIX), decode));
    EtcdStore store = EtcdStore.open(EtcdStores.client(etcd), options, time);
    opened.add(store);
    return store;
  }

  private record TestLayout(BelowPrefix below, UnaryOperator<String> decode) implements EtcdLayout {
    @Override
    public String etcdKey(String key) {
      return below.etcdKey(key);
    }

    @Override
    public Optional<String> storeKey(String etcdKey) {
      return below.storeKey(etcdKey);
    }

    @Override
    public byte[] encode(String key, byte[] value) {
      return value;
    }

    @Override
    public byte[] decode(String key, byte[] stored) {
      var _ = decode.apply(key);
      return stored;
    }
  }

  private String refusing(String key) {
    if (key.startsWith("/bad/")) {
      throw new UndecodableException("it is bad");
    }
    return key;
  }

  @Test
  void aStoreIsInUseBeforeEverythingIsDecoded() throws Exception {
    for (int i = 0; i < 3; i++) {
      plain.put("/k/" + i, VALUE, Store.ABSENT);
    }
    CountDownLatch mayGoOn = new CountDownLatch(1);
    EtcdStore store =
        store(key -> {
          decoded.add(key);
          if (key.equals("/k/2")) {
            awaitOpen(mayGoOn);
          }
          return key;
        });
    store.decodeAhead();
    assertThat(store.get("/k/0").map(Entry::value)).contains(VALUE);
    assertThat(store.put("/k/2", new byte[] {'2'}, Store.ANY))
        .isInstanceOf(Store.WriteResult.Written.class);
    mayGoOn.countDown();
    assertThat(store.unreadable()).isEmpty();
    // Whoever asks first has it decoded, and nobody does it again.
    assertThat(decoded).doesNotHaveDuplicates().contains("/k/0", "/k/1");
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatNobodyAsksForIsDecoded() throws Exception {
    plain.put("/k/1", VALUE, Store.ABSENT);
    CountDownLatch done = new CountDownLatch(1);
    EtcdStore store =
        store(key -> {
          done.countDown();
          return key;
        });
    store.decodeAhead();
    done.await();
    assertThat(store.get("/k/1")).isPresent();
  }

  @Test
  void whatCannotBeDecodedIsNamedAndStopsNothing() {
    plain.put("/bad/1", VALUE, Store.ABSENT);
    plain.put("/good/1", VALUE, Store.ABSENT);
    EtcdStore store = store(this::refusing);
    assertThat(store.unreadable()).containsExactly(Map.entry("/bad/1", "it is bad"));
    assertThat(store.get("/good/1")).isPresent();
    Entry bad = store.get("/bad/1").orElseThrow();
    assertThat(bad.value()).isEqualTo(VALUE);
    assertThat(Unreadable.of(bad).why()).isEqualTo("it is bad");
    plain.put("/bad/2", VALUE, Store.ABSENT);
    store.sync();
    assertThat(store.unreadable()).containsKeys("/bad/1", "/bad/2");
    plain.delete("/bad/1", Store.ANY);
    store.sync();
    assertThat(store.unreadable()).containsOnlyKeys("/bad/2");
  }
}
