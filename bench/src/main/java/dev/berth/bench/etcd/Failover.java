package dev.berth.bench.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The server that leads the controllers is killed: how long its clients go without an answer, and
 * how long it takes until a Deployment that is created right after that has its pods, which needs
 * another leader.
 */
final class Failover {
  private static final int KILLS = 5;
  private static final int CLIENTS = 8;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

  private Failover() {}

  static void measure(Cluster cluster) throws Exception {
    double[] leader = new double[KILLS];
    double[] clients = new double[KILLS];
    for (int i = 0; i < KILLS; i++) {
      String killed;
      try (HttpApi api = cluster.api("a")) {
        killed = leader(api);
      }
      String other = killed.equals("a") ? "b" : "a";
      try (Asking asking = new Asking(cluster, killed, other);
          HttpApi api = cluster.api(other)) {
        asking.awaitAll();
        long began = System.nanoTime();
        cluster.script("kill", killed, "server");
        Cluster.expect(api.create(Resources.DEPLOYMENTS, deployment("d" + i)));
        awaitPod(api, "app=d" + i);
        leader[i] = (System.nanoTime() - began) / 1e9;
        clients[i] = asking.longestPauseMillis();
      }
      cluster.script("start", killed);
    }
    new Figure("failover of a killed leader, until pods come", "s", 18, Better.LOWER).print(leader);
    new Figure("failover of a killed server for its clients", "ms", 1_000, Better.LOWER)
        .print(clients);
  }

  /** Its identity begins with the name of the machine. */
  private static String leader(HttpApi api) throws IOException {
    while (true) {
      if (!(api.get(Resources.LEASES, LEASE) instanceof ApiResult.Done lease)) {
        throw new IOException("the lease of the controllers cannot be read");
      }
      String holder = lease.object().object("spec").text("holderIdentity", "");
      if (!holder.isEmpty()) {
        return holder.replaceFirst("_.*", "");
      }
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    }
  }

  private static void awaitPod(HttpApi api, String labels) throws IOException {
    while (true) {
      ListResult pods = api.list(ListRequest.of(Resources.PODS).in("default").labels(labels));
      if (pods instanceof ListResult.Page page && !page.items().isEmpty()) {
        return;
      }
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    }
  }

  private static JsonObject deployment(String name) {
    return JsonReader.object(
        """
        {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"%1$s","namespace":"default"},
         "spec":{"replicas":1,"selector":{"matchLabels":{"app":"%1$s"}},"template":{
           "metadata":{"labels":{"app":"%1$s"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}
        """
            .formatted(name)
            .getBytes(UTF_8),
        JsonLimits.TRUSTED);
  }

  /** Clients that know both servers and ask all the time; about half of them the one, at first. */
  private static final class Asking implements AutoCloseable {
    private final List<HttpApi> apis = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private volatile boolean isStopped;

    private static final class Client {
      private final AtomicLong answeredAt = new AtomicLong();
      private final AtomicLong longestNanos = new AtomicLong();
    }

    Asking(Cluster cluster, String first, String other) {
      for (int i = 0; i < CLIENTS; i++) {
        HttpApi api = cluster.api(first, other);
        Client client = new Client();
        apis.add(api);
        clients.add(client);
        Thread.ofVirtual().start(() -> ask(api, client));
      }
    }

    private void ask(HttpApi api, Client client) {
      while (!isStopped) {
        if (api.get(Resources.LEASES, LEASE) instanceof ApiResult.Done) {
          long now = System.nanoTime();
          long before = client.answeredAt.getAndSet(now);
          if (before != 0) {
            client.longestNanos.accumulateAndGet(now - before, Math::max);
          }
        }
        LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      }
    }

    /** Until all are connected; what that took does not count. */
    void awaitAll() {
      while (clients.stream().anyMatch(client -> client.answeredAt.get() == 0)) {
        LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      }
      clients.forEach(client -> client.longestNanos.set(0));
    }

    double longestPauseMillis() {
      return clients.stream().mapToLong(client -> client.longestNanos.get()).max().orElseThrow()
          / 1e6;
    }

    @Override
    public void close() {
      isStopped = true;
      apis.forEach(HttpApi::close);
    }
  }
}
