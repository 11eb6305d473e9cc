package dev.berth.sim.nodeipam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.nodeipam.IpamSettings;
import dev.berth.controllers.nodeipam.NodeIpamController;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.NodeRange;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** CIDR assignment per node (row N9): IPv4, IPv6, dual stack; released on delete; no overlap. */
class NodeIpamTest {
  private static final NodeRange FOUR = range("10.0.0.0/22", 24);
  private static final NodeRange IPV6 = range("fd00:10::/56", 64);

  private final VirtualCluster cluster = new VirtualCluster(1);

  @AfterEach
  void close() {
    cluster.close();
  }

  private static NodeRange range(String cluster, int length) {
    return new NodeRange(Cidr.parse(cluster).orElseThrow(), length);
  }

  private void start(NodeRange... ranges) {
    start(new IpamSettings(List.of(ranges), List.of()));
  }

  private void start(IpamSettings settings) {
    cluster.run(
        "ipam",
        () -> NodeIpamController.start(cluster.parts(NodeIpamController.ACCOUNT), settings));
  }

  private List<String> ranges(String node) {
    JsonObject spec = get(node).object("spec");
    List<String> all = spec.array("podCIDRs").texts();
    assertThat(spec.text("podCIDR", "")).isEqualTo(all.isEmpty() ? "" : all.getFirst());
    return all;
  }

  private JsonObject get(String node) {
    return ((ApiResult.Done) cluster.admin().get(Resources.NODES, ObjectName.of(node))).object();
  }

  private void remove(String node) {
    cluster.delete(Resources.NODES, ObjectName.of(node));
    cluster.settle();
  }

  private void nodeWith(String name, String range) {
    cluster.create(
        Resources.NODES,
        "{'metadata':{'name':'%s'},'spec':{'podCIDR':'%s','podCIDRs':['%s']}}"
            .formatted(name, range, range));
  }

  @Test
  void eachNodeGetsARange() {
    cluster.node("early", "1");
    start(FOUR);
    cluster.node("late", "1");
    cluster.settle();

    assertThat(ranges("early")).containsExactly("10.0.0.0/24");
    assertThat(ranges("late")).containsExactly("10.0.1.0/24");
    assertThat(get("early").object("metadata").object("annotations").names()).isEmpty();
    assertThat(cluster.warnings()).isEmpty();
  }

  @Test
  void oneOfEachFamilyInADualStackCluster() {
    start(FOUR, IPV6);
    cluster.node("n1", "1");
    cluster.node("n2", "1");
    cluster.settle();

    assertThat(ranges("n1")).containsExactly("10.0.0.0/24", "fd00:10::/64");
    assertThat(ranges("n2")).containsExactly("10.0.1.0/24", "fd00:10:0:1::/64");
  }

  @Test
  void anIpv6ClusterHasIpv6Alone() {
    start(IPV6);
    cluster.node("n1", "1");
    cluster.settle();
    assertThat(ranges("n1")).containsExactly("fd00:10::/64");
  }

  @Test
  void servicesKeepTheirAddresses() {
    start(new IpamSettings(List.of(FOUR), List.of(Cidr.parse("10.0.0.0/23").orElseThrow())));
    cluster.node("n1", "1");
    cluster.settle();
    assertThat(ranges("n1")).containsExactly("10.0.2.0/24");
  }

  @Test
  void aRestartGivesNothingTwice() {
    start(FOUR);
    cluster.node("n1", "1");
    cluster.node("n2", "1");
    cluster.settle();
    cluster.restart("ipam");
    cluster.node("n3", "1");
    cluster.settle();

    assertThat(ranges("n1")).containsExactly("10.0.0.0/24");
    assertThat(ranges("n3")).containsExactly("10.0.2.0/24");
  }

  @Test
  void whatADeletedNodeHadIsGivenAgain() {
    start(range("10.0.0.0/24", 24));
    cluster.node("n1", "1");
    cluster.settle();
    remove("n1");
    cluster.node("n2", "1");
    cluster.settle();
    assertThat(ranges("n2")).containsExactly("10.0.0.0/24");
  }

  @Test
  void aNodeThatFindsNothingSaysSoAndGetsWhatIsReleased() {
    start(range("10.0.0.0/23", 24));
    for (String name : List.of("n1", "n2", "n3", "n4")) {
      cluster.node(name, "1");
      cluster.settle();
    }
    assertThat(ranges("n3")).isEmpty();
    assertThat(cluster.events("n3", "CIDRNotAvailable"))
        .containsExactly(
            "Node n3 status is now: CIDRNotAvailable: all 2 ranges of 10.0.0.0/23 are taken");
    assertThat(cluster.metrics(NodeIpamController.ACCOUNT))
        .contains(
            "node_ipam_controller_nodes_without_cidr 2",
            "node_ipam_controller_cidrset_usage_cidrs{clusterCIDR=\"10.0.0.0/23\"} 1",
            "node_ipam_controller_cirdset_max_cidrs{clusterCIDR=\"10.0.0.0/23\"} 2",
            "node_ipam_controller_cidrset_cidrs_allocations_total{clusterCIDR=\"10.0.0.0/23\"} 2");

    remove("n2");
    assertThat(ranges("n3")).containsExactly("10.0.1.0/24");
    assertThat(ranges("n4")).isEmpty();
    remove("n1");
    assertThat(ranges("n4")).containsExactly("10.0.0.0/24");
    assertThat(cluster.metrics(NodeIpamController.ACCOUNT))
        .contains(
            "node_ipam_controller_nodes_without_cidr 0",
            "node_ipam_controller_cidrset_cidrs_releases_total{clusterCIDR=\"10.0.0.0/23\"} 2");
  }

  /** Upstream's would end the whole controller manager, at every start. */
  @Test
  void aNodeWithAWrongRangeIsComplainedAboutAndLeftAlone() {
    nodeWith("mine", "10.0.0.0/24");
    nodeWith("same", "10.0.0.0/24");
    nodeWith("strange", "192.168.0.0/24");
    start(FOUR);
    cluster.node("n1", "1");
    cluster.settle();

    assertThat(cluster.warnings())
        .containsExactly(
            "node same: its range 10.0.0.0/24 overlaps that of node mine",
            "node strange: its range 192.168.0.0/24 is not within the cluster's 10.0.0.0/22, so"
                + " that others may have it too");
    assertThat(cluster.events("same", "CIDRAssignmentFailed")).hasSize(1);
    assertThat(ranges("n1")).containsExactly("10.0.1.0/24");

    remove("same");
    for (int i = 2; i <= 4; i++) {
      cluster.node("n" + i, "1");
    }
    cluster.settle();
    assertThat(ranges("n4")).as("what mine still has is not free").isEmpty();
  }

  /** A node's agent reports while the controller writes; neither is lost. */
  @Test
  void aNodeThatChangesAllTheTimeGetsItsRangeAllTheSame() {
    start(FOUR);
    cluster.node("n1", "1");
    for (int i = 0; i < 20; i++) {
      cluster.patch(
          Resources.NODES, ObjectName.of("n1"), "{'metadata':{'labels':{'i':'" + i + "'}}}");
    }
    cluster.advance(Duration.ofSeconds(10));
    assertThat(ranges("n1")).containsExactly("10.0.0.0/24");
    assertThat(cluster.events("n1", "CIDRAssignmentFailed")).isEmpty();
  }

  @Test
  void aNodeThatIsBeingDeletedKeepsItsRangeUntilItIsGone() {
    start(range("10.0.0.0/24", 24));
    cluster.create(Resources.NODES, "{'metadata':{'name':'n1','finalizers':['example.com/wait']}}");
    cluster.settle();
    remove("n1");
    cluster.node("n2", "1");
    cluster.settle();
    assertThat(ranges("n2")).isEmpty();

    cluster.patch(Resources.NODES, ObjectName.of("n1"), "{'metadata':{'finalizers':null}}");
    cluster.settle();
    assertThat(ranges("n2")).containsExactly("10.0.0.0/24");
  }
}
