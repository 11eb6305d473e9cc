package dev.berth.sim.nodeipam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.controllers.nodeipam.IpamSettings;
import dev.berth.controllers.nodeipam.NodeIpam;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.NodeRange;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Controllers that crash and follow each other, requests and answers that are lost, and writes that
 * arrive long after whoever sent them is gone: no two nodes ever have overlapping ranges, and in
 * the end every node has some.
 */
class NodeIpamFaultTest {
  private static final int NODES_AT_MOST = 12;

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noTwoNodesHaveOverlappingRanges(long seed) {
    try (Run run = new Run(seed)) {
      for (int i = 0; i < 120; i++) {
        run.step();
        run.check();
      }
      run.heal();
      run.check();
      run.checkAllHaveRanges();
    }
  }

  /** A server to which some writes take up to a minute, which their writers do not wait for. */
  private static final class LateApi implements Api {
    private final Api real;
    private final Random random;
    private final Loop network;
    private boolean late = true;

    LateApi(Api real, Random random, Loop network) {
      this.real = real;
      this.random = random;
      this.network = network;
    }

    @Override
    public ApiResult send(ApiRequest request) {
      if (late && request instanceof ApiRequest.Patch && random.nextInt(2) == 0) {
        network.after(Duration.ofMillis(random.nextInt(60_000)), () -> real.send(request));
        return new ApiResult.Unreachable("no answer within the time that one waits");
      }
      return real.send(request);
    }

    @Override
    public ListResult list(ListRequest request) {
      return real.list(request);
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      return real.watch(request, onReady);
    }
  }

  private static final class Run implements AutoCloseable {
    private final VirtualCluster cluster;
    private final Random random;
    private final Loop network;
    private final List<FaultyApi> faulty = new ArrayList<>();
    private final List<LateApi> late = new ArrayList<>();
    private final IpamSettings settings;

    Run(long seed) {
      cluster = new VirtualCluster(seed);
      random = new Random(seed);
      network = cluster.time().start("network");
      settings =
          new IpamSettings(
              List.of(
                  new NodeRange(Cidr.parse("10.0.0.0/20").orElseThrow(), 24),
                  new NodeRange(Cidr.parse("fd00::/60").orElseThrow(), 64)),
              List.of(Cidr.parse("10.0.1.0/25").orElseThrow()));
      cluster.run("ipam", this::controller);
    }

    private NodeIpam controller() {
      ControllerParts parts = cluster.parts(NodeIpam.ACCOUNT);
      LateApi slow = new LateApi(parts.api(), new Random(random.nextLong()), network);
      FaultyApi api = new FaultyApi(slow, new Random(random.nextLong()));
      late.add(slow);
      faulty.add(api);
      return NodeIpam.start(
          new ControllerParts(api, parts.time(), new Metrics(), "test", _ -> {}), settings);
    }

    void step() {
      switch (random.nextInt(10)) {
        case 0, 1 -> {
          for (int i = random.nextInt(4); i >= 0; i--) {
            create("n" + random.nextInt(NODES_AT_MOST));
          }
        }
        case 2, 3 -> someNode(name -> cluster.delete(Resources.NODES, name));
        case 4 ->
            someNode(name ->
                cluster.patch(
                    Resources.NODES,
                    name,
                    "{'metadata':{'labels':{'x':'%d'}}}".formatted(random.nextInt(1_000_000))));
        case 5, 6 -> cluster.restart("ipam");
        // Much is under way when the next step comes.
        case 7, 8 -> cluster.advance(Duration.ofMillis(random.nextInt(1_000)));
        default -> cluster.advance(Duration.ofMillis(random.nextInt(15_000)));
      }
    }

    private void create(String name) {
      if (!cluster.admin().get(Resources.NODES, ObjectName.of(name)).isDone()) {
        cluster.create(Resources.NODES, "{'metadata':{'name':'%s'}}".formatted(name));
        cluster.settle();
      }
    }

    private void someNode(Consumer<ObjectName> action) {
      List<JsonObject> nodes = cluster.list(Resources.NODES);
      if (!nodes.isEmpty()) {
        action.accept(ObjectName.of(nodes.get(random.nextInt(nodes.size()))));
      }
    }

    void check() {
      Map<String, List<Cidr>> all = new HashMap<>();
      for (JsonObject node : cluster.list(Resources.NODES)) {
        List<Cidr> own =
            node.object("spec").array("podCIDRs").texts().stream()
                .map(text -> Cidr.parse(text).orElseThrow())
                .toList();
        String name = Metadata.of(node).name();
        all.forEach((other, theirs) ->
            assertThat(own)
                .as("seed %d: %s and %s", cluster.time().seed(), name, other)
                .noneMatch(cidr -> theirs.stream().anyMatch(cidr::overlaps)));
        all.put(name, own);
      }
    }

    void heal() {
      faulty.forEach(FaultyApi::heal);
      late.forEach(api -> api.late = false);
      cluster.advance(Duration.ofMinutes(3));
    }

    void checkAllHaveRanges() {
      for (JsonObject node : cluster.list(Resources.NODES)) {
        assertThat(node.object("spec").array("podCIDRs").texts())
            .as("seed %d: %s", cluster.time().seed(), Metadata.of(node).name())
            .hasSize(2);
      }
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
