package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.quota.QuotaStatus;
import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store;
import dev.berth.store.Watch;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers on one store, neither of which knows what the other is about to write. */
class SharedQuotaTest {
  private static final int HARD = 3;
  private static final String MAPS = "/registry/configmaps/default/";
  private static final WriteOptions CONTROLLER =
      new WriteOptions(false, "status", "", User.authenticated("controller", List.of()));

  private final MemoryStore memory = new MemoryStore();
  private final Store store = shared(memory);

  /** Done once, right before a ConfigMap is written that was admitted. */
  private final AtomicReference<Runnable> beforeMap = new AtomicReference<>(() -> {});

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final Server one = new Server();
  private final Server other = new Server();

  private final class Server {
    final AdmissionPlugins policies = AdmissionPlugins.standard();
    final Registry registry = new Registry(store, BuiltIns.catalog(), time, policies::chain);
    final QuotaStatus status = new QuotaStatus(registry, policies.pending());

    Resource core(String plural) {
      return registry.catalog().get("", "v1", plural);
    }

    void create(String plural, String namespace, String json) {
      var _ = registry.create(core(plural), namespace, tree(json), WriteOptions.DEFAULT);
    }

    boolean createMap(String name) {
      try {
        create("configmaps", "default", "{'metadata':{'name':'%s'}}".formatted(name));
        return true;
      } catch (StatusException e) {
        assertThat(e.status().message()).contains("exceeded quota: q");
        return false;
      }
    }

    void deleteMap(String name) {
      var _ = registry.delete(core("configmaps"), named(name), DeletionOptions.DEFAULT);
    }

    /** As the quota controller counts, which insists on the revision that it read. */
    void countAsController() {
      JsonObject quota = registry.get(core("resourcequotas"), named("q")).tree();
      int there = maps();
      try {
        var _ =
            registry.update(
                core("resourcequotas"),
                named("q"),
                quota.update(
                    "status",
                    status ->
                        status.update("used", used -> used.with("count/configmaps", "" + there))),
                CONTROLLER);
      } catch (StatusException e) {
        assertThat(e.status().code()).isEqualTo(409);
      }
    }
  }

  private int maps() {
    return one.registry
        .list(one.core("configmaps"), ListOptions.of(Selection.in("default")))
        .entries()
        .size();
  }

  /** A store as several servers share it, which sees what they write. */
  private Store shared(Store real) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (method.getName().equals("isShared")) {
                return true;
              }
              if (method.getName().equals("put")
                  && arguments[0] instanceof String key
                  && key.startsWith(MAPS)) {
                beforeMap.getAndSet(() -> {}).run();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  @BeforeEach
  void makeQuota() {
    for (String name : List.of("default", "kube-system")) {
      one.create("namespaces", "", "{'metadata':{'name':'%s'}}".formatted(name));
    }
    one.create(
        "resourcequotas",
        "default",
        "{'metadata':{'name':'q'},'spec':{'hard':{'count/configmaps':'%d'}}}".formatted(HARD));
    one.status.sync(named("q"));
  }

  private void fillAllButOne() {
    for (int i = 1; i < HARD; i++) {
      assertThat(one.createMap("m" + i)).isTrue();
    }
  }

  private String used() {
    return other
        .registry
        .get(other.core("resourcequotas"), named("q"))
        .tree()
        .object("status")
        .object("used")
        .text("count/configmaps", "");
  }

  @Test
  void aControllersCountOnTheOtherServerForgetsNoCharge() {
    fillAllButOne();
    beforeMap.set(other::countAsController);
    assertThat(one.createMap("last")).isTrue();
    assertThat(used()).isEqualTo("" + HARD);
    assertThat(other.createMap("more")).isFalse();
    assertThat(maps()).isEqualTo(HARD);
  }

  @Test
  void aCountOfTheOtherServersOwnForgetsNoCharge() {
    fillAllButOne();
    beforeMap.set(() -> other.status.sync(named("q")));
    assertThat(one.createMap("last")).isTrue();
    assertThat(used()).isEqualTo("" + HARD);
    assertThat(other.createMap("more")).isFalse();
  }

  /** What the count has made room for goes to whoever is first. */
  @Test
  void whoseChargeWasForgottenIsChargedAnew() {
    fillAllButOne();
    beforeMap.set(() -> {
      other.countAsController();
      assertThat(other.createMap("faster")).isTrue();
    });
    assertThat(one.createMap("last")).isFalse();
    assertThat(maps()).isEqualTo(HARD);
    assertThat(used()).isEqualTo("" + HARD);
  }

  @Test
  void thereAreNeverMoreThanTheQuotaAllows() throws Exception {
    Watch watch = memory.watch(MAPS, memory.revision(), () -> {});
    List<Future<?>> running = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        Server server = i % 2 == 0 ? one : other;
        String prefix = "t" + i + "-";
        running.add(
            threads.submit(() -> {
              for (int n = 0; n < 40; n++) {
                if (server.createMap(prefix + n)) {
                  server.deleteMap(prefix + n);
                }
                server.countAsController();
              }
            }));
      }
    }
    for (Future<?> each : running) {
      each.get();
    }
    int there = 0;
    for (Watch.Event event : ((Watch.Poll.Events) watch.poll(100_000)).events()) {
      there += event instanceof Watch.Event.Put ? 1 : -1;
      assertThat(there).isLessThanOrEqualTo(HARD);
    }
    one.status.sync(named("q"));
    assertThat(used()).isEqualTo("0");
  }
}
