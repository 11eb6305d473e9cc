package dev.berth.sim.nodeipam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.nodeipam.IpamSettings;
import dev.berth.controllers.nodeipam.NodeIpamController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.NodeRange;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.history.History;
import dev.berth.time.Loop;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Controllers that crash and follow each other, requests and answers that are lost, and writes that
 * arrive long after whoever sent them is gone: no two nodes ever have overlapping ranges, and in
 * the end every node has some.
 */
class NodeIpamFaultTest {
  private static final int NODES_AT_MOST = 12;
  private static final IpamSettings SETTINGS =
      new IpamSettings(
          List.of(
              new NodeRange(Cidr.parse("10.0.0.0/20").orElseThrow(), 24),
              new NodeRange(Cidr.parse("fd00::/60").orElseThrow(), 64)),
          List.of(Cidr.parse("10.0.1.0/25").orElseThrow()));

  @SeededTest(fixed = 70, fresh = 30)
  void noTwoNodesHaveOverlappingRanges(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final Loop network = cluster.time().start("network");

    Run(long seed) {
      super(seed, 120, Duration.ofMinutes(3));
      cluster.run(
          "ipam", () -> NodeIpamController.start(parts(NodeIpamController.ACCOUNT), SETTINGS));
      step(2, "create nodes", this::createSome);
      step(2, "delete a node", () -> anyNode(name -> cluster.delete(Resources.NODES, name)));
      step(1, "label a node", () -> anyNode(this::label));
      crashes(1, "ipam");
      passes(2, Duration.ofSeconds(1));
      passes(1, Duration.ofSeconds(15));
    }

    @Override
    protected Api between(Api server) {
      return new InterceptedApi(server, this::send);
    }

    /** Some writes take up to a minute, which their writers do not wait for. */
    private ApiResult send(ApiRequest request, Api real) {
      if (!isCalm() && request instanceof ApiRequest.Patch && random.nextBoolean()) {
        network.after(upTo(Duration.ofMinutes(1)), () -> real.send(request));
        return new ApiResult.Unreachable("no answer within the time that one waits");
      }
      return real.send(request);
    }

    private void createSome() {
      for (int i = random.nextInt(4); i >= 0; i--) {
        String name = "n" + random.nextInt(NODES_AT_MOST);
        if (!cluster.admin().get(Resources.NODES, ObjectName.of(name)).isDone()) {
          cluster.create(Resources.NODES, "{'metadata':{'name':'%s'}}".formatted(name));
          cluster.settle();
        }
      }
    }

    private void label(ObjectName node) {
      cluster.patch(
          Resources.NODES,
          node,
          "{'metadata':{'labels':{'x':'%d'}}}".formatted(random.nextInt(1_000_000)));
    }

    private void anyNode(Consumer<ObjectName> action) {
      any(cluster.list(Resources.NODES)).map(ObjectName::of).ifPresent(action);
    }

    @Override
    protected void checkInvariant() {
      Map<String, List<Cidr>> all = new HashMap<>();
      for (JsonObject node : cluster.list(Resources.NODES)) {
        List<Cidr> own =
            node.object("spec").array("podCIDRs").texts().stream()
                .map(text -> Cidr.parse(text).orElseThrow())
                .toList();
        String name = Metadata.of(node).name();
        all.forEach((other, theirs) ->
            assertThat(own)
                .as("ranges of %s and %s", name, other)
                .noneMatch(cidr -> theirs.stream().anyMatch(cidr::overlaps)));
        all.put(name, own);
      }
    }

    @Override
    protected void checkEnd() {
      for (JsonObject node : cluster.list(Resources.NODES)) {
        assertThat(node.object("spec").array("podCIDRs").texts())
            .as("ranges of %s", Metadata.of(node).name())
            .hasSize(2);
      }
    }
  }
}
