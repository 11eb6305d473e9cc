package dev.berth.bench.services;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.network.Nft;
import dev.berth.agent.proxy.PacketFilter;
import dev.berth.agent.proxy.ServiceProxy;
import dev.berth.bench.Figure;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.proxy.ProxyNode;
import dev.berth.time.FatalError;
import dev.berth.time.Loop;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * How soon the kernel knows what a node's services lead to: all of them at first, then one whose
 * endpoints change. Changes the rules of the network namespace that it runs in, so {@code bench/run
 * services [services]} gives it one of its own. Needs root and nft.
 */
public final class ServicesBench {
  private static final int USUAL = 5_000;
  private static final int ENDPOINTS = 3;
  private static final int CHANGES = 50;

  private final WallTime time = new WallTime(FatalError::end);
  private final Loop loop = time.start("bench");
  private final Semaphore applied = new Semaphore(0);

  public static void main(String... arguments) throws Exception {
    new ServicesBench().run(arguments.length > 0 ? Integer.parseInt(arguments[0]) : USUAL);
    System.exit(0);
  }

  private void run(int count) throws InterruptedException {
    Nft nft = Nft.find().orElseThrow();
    ServiceProxy proxy =
        new ServiceProxy(
            new ServiceProxy.Parts(
                loop,
                counted(PacketFilter.of(nft)),
                "bench-services",
                "bench",
                new ProxyNode(
                    "node",
                    "",
                    List.of("192.168.0.1"),
                    List.of(Cidr.parse("10.244.0.0/16").orElseThrow())),
                (service, port, family) -> Optional.empty(),
                NOBODY));
    for (int i = 0; i < count; i++) {
      int number = i;
      loop.offer(() -> proxy.serviceChanged(name(number), service(number)));
      loop.offer(() -> proxy.sliceChanged(name(number), "slice", slice(number, 0)));
      if (i % 1_000 == 999) {
        settle();
      }
    }
    settle();
    Instant began = time.monotonicNow();
    loop.offer(proxy::start);
    applied.acquire();
    double first = time.since(began).toMillis();
    double[] changes = new double[CHANGES];
    for (int i = 0; i < CHANGES; i++) {
      int number = i * (count / CHANGES);
      JsonObject changed = slice(number, 1);
      began = time.monotonicNow();
      loop.offer(() -> proxy.sliceChanged(name(number), "slice", changed));
      applied.acquire();
      changes[i] = time.since(began).toNanos() / 1e6;
    }
    System.out.println(count + " services with " + ENDPOINTS + " endpoints each");
    Figure.forComparison("all rules, from nothing", "ms").print(first);
    Figure.forComparison("a change of endpoints until its rules are in place", "ms").print(changes);
  }

  private void settle() throws InterruptedException {
    Semaphore reached = new Semaphore(0);
    loop.offer(reached::release);
    reached.acquire();
  }

  private PacketFilter counted(PacketFilter kernel) {
    return new PacketFilter() {
      @Override
      public void apply(String commands) throws IOException {
        kernel.apply(commands);
        applied.release();
      }

      @Override
      public JsonObject sets(String table) {
        return kernel.sets(table);
      }

      @Override
      public boolean hasChain(String table, String chain) {
        return true;
      }
    };
  }

  private static ObjectName name(int number) {
    return new ObjectName("ns", "service-" + number);
  }

  private static JsonObject json(String text) {
    return JsonReader.object(text.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private static JsonObject service(int number) {
    return json(
        "{'metadata':{'namespace':'ns','name':'service-%d'},'spec':{'clusterIP':'10.96.%d.%d','ports':[{'port':80}]}}"
            .formatted(number, number / 250, number % 250 + 1));
  }

  private static JsonObject slice(int number, int round) {
    StringBuilder endpoints = new StringBuilder();
    for (int i = 0; i < ENDPOINTS; i++) {
      int place = number * ENDPOINTS + i;
      endpoints
          .append(i > 0 ? "," : "")
          .append(
              "{'addresses':['10.%d.%d.%d'],'nodeName':'%s'}"
                  .formatted(244 + round, place / 250, place % 250 + 1, i == 0 ? "node" : "other"));
    }
    return json(
        "{'addressType':'IPv4','ports':[{'port':8080}],'endpoints':[%s]}".formatted(endpoints));
  }

  private static final ServiceProxy.Listener NOBODY =
      new ServiceProxy.Listener() {
        @Override
        public void healthPorts(Map<ObjectName, ServiceProxy.HealthPort> ports) {}

        @Override
        public void udpEndpoints(List<ServiceProxy.UdpService> services) {}

        @Override
        public void removed() {}
      };
}
