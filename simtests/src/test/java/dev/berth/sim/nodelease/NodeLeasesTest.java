package dev.berth.sim.nodelease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.nodelease.NodeLeaseController;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node's Lease is owned by its Node and goes with it (row N7). */
class NodeLeasesTest {
  private static final Duration A_WHILE = Duration.ofMinutes(6);

  private final VirtualCluster cluster = new VirtualCluster(1);

  @AfterEach
  void close() {
    cluster.close();
  }

  private void start() {
    cluster.run(
        "leases", () -> NodeLeaseController.start(cluster.parts(NodeLeaseController.ACCOUNT)));
  }

  private static ObjectName name(String node) {
    return new ObjectName("kube-node-lease", node);
  }

  private void lease(String node) {
    cluster.create(
        Resources.LEASES,
        "{'metadata':{'namespace':'kube-node-lease','name':'%s'},'spec':{'holderIdentity':'%s','leaseDurationSeconds':40,'renewTime':'2026-01-01T00:00:00.000000Z'}}"
            .formatted(node, node));
  }

  private void renew(String node) {
    cluster.patch(
        Resources.LEASES,
        name(node),
        "{'spec':{'renewTime':'%s'}}"
            .formatted(cluster.time().now().toString().replace("Z", ".000000Z")));
  }

  private boolean hasLease(String node) {
    return cluster.admin().get(Resources.LEASES, name(node)).isDone();
  }

  private List<OwnerReference> owners(String node) {
    return Metadata.of(
            ((ApiResult.Done) cluster.admin().get(Resources.LEASES, name(node))).object())
        .ownerReferences();
  }

  private OwnerReference asOwner(String node) {
    JsonObject tree =
        ((ApiResult.Done) cluster.admin().get(Resources.NODES, ObjectName.of(node))).object();
    return new OwnerReference("v1", "Node", node, Metadata.of(tree).uid(), false, false);
  }

  @Test
  void aLeaseBecomesItsNodes() {
    cluster.node("before", "1");
    lease("before");
    start();
    assertThat(owners("before")).containsExactly(asOwner("before"));

    cluster.node("after", "1");
    lease("after");
    cluster.advance(Duration.ofSeconds(16));
    assertThat(owners("after")).containsExactly(asOwner("after"));
  }

  @Test
  void aLeaseGoesWithItsNode() {
    cluster.node("n1", "1");
    cluster.node("n2", "1");
    lease("n1");
    lease("n2");
    start();
    cluster.delete(Resources.NODES, ObjectName.of("n1"));
    cluster.settle();

    assertThat(hasLease("n1")).isFalse();
    assertThat(hasLease("n2")).isTrue();
    assertThat(cluster.warnings()).isEmpty();
  }

  @Test
  void soItDoesWhenNobodyWasLooking() {
    cluster.node("n1", "1");
    lease("n1");
    start();
    cluster.crash("leases");
    cluster.delete(Resources.NODES, ObjectName.of("n1"));
    start();
    assertThat(hasLease("n1")).isFalse();
  }

  @Test
  void aNodeThatWasMadeAgainTakesOverTheLeaseOfItsName() {
    cluster.node("n1", "1");
    lease("n1");
    start();
    OwnerReference first = asOwner("n1");
    cluster.crash("leases");
    cluster.delete(Resources.NODES, ObjectName.of("n1"));
    cluster.node("n1", "1");
    start();

    assertThat(owners("n1")).containsExactly(asOwner("n1")).doesNotContain(first);
  }

  /** A node agent may make its lease before its node. */
  @Test
  void aLeaseWhoseNodeNeverCameStaysWhileItIsRenewed() {
    start();
    lease("soon");
    lease("never");
    for (int i = 0; i < 40; i++) {
      cluster.advance(Duration.ofSeconds(20));
      renew("soon");
    }
    assertThat(hasLease("soon")).isTrue();
    assertThat(hasLease("never")).isFalse();

    cluster.node("soon", "1");
    cluster.advance(A_WHILE);
    assertThat(owners("soon")).containsExactly(asOwner("soon"));
  }

  @Test
  void leasesOfOthersAreNoneOfItsBusiness() {
    cluster.create(
        Resources.LEASES,
        "{'metadata':{'namespace':'kube-system','name':'kube-scheduler'},'spec':{}}");
    start();
    cluster.advance(A_WHILE.multipliedBy(3));
    assertThat(
            cluster
                .admin()
                .get(Resources.LEASES, new ObjectName("kube-system", "kube-scheduler"))
                .isDone())
        .isTrue();
  }

  @SeededTest(fixed = 1, fresh = 1)
  void whateverFailsIsDoneInTheEnd(long seed) {
    for (int i = 0; i < 30; i++) {
      cluster.node("n" + i, "1");
      lease("n" + i);
    }
    ControllerParts parts = cluster.parts(NodeLeaseController.ACCOUNT);
    FaultyApi api = new FaultyApi(parts.api(), new Random(seed));
    cluster.run(
        "leases",
        () ->
            NodeLeaseController.start(
                new ControllerParts(api, parts.time(), new Metrics(), _ -> {})));
    cluster.advance(Duration.ofSeconds(30));
    for (int i = 0; i < 15; i++) {
      cluster.delete(Resources.NODES, ObjectName.of("n" + i));
      cluster.advance(Duration.ofSeconds(1));
    }
    cluster.advance(A_WHILE);

    for (int i = 0; i < 30; i++) {
      assertThat(hasLease("n" + i)).as("n%d", i).isEqualTo(i >= 15);
    }
    for (int i = 15; i < 30; i++) {
      assertThat(owners("n" + i)).containsExactly(asOwner("n" + i));
    }
  }
}
