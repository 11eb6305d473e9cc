package dev.berth.policy.cloud;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.NodeAddress;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cloud.CloudNodeAction.Initialize;
import dev.berth.policy.cloud.CloudNodeAction.SetAddresses;
import dev.berth.policy.cloud.CloudNodeAction.SetLabels;
import dev.berth.policy.cloud.CloudNodeAction.TryAgain;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A node is initialized when its cloud knows its machine (row N9). */
class CloudNodePlanTest {
  private static final Instant LATER = Instant.parse("2026-01-01T00:05:00Z");
  private static final String TAINTED =
      "'taints':[{'key':'node.cloudprovider.kubernetes.io/uninitialized','value':'true','effect':'NoSchedule'},"
          + "{'key':'other','effect':'NoSchedule'}]";
  private static final NodeAddress INTERNAL = new NodeAddress("InternalIP", "192.0.2.1");
  private static final NodeAddress SECOND = new NodeAddress("InternalIP", "192.0.2.2");
  private static final NodeAddress EXTERNAL = new NodeAddress("ExternalIP", "198.51.100.1");
  private static final Machine MACHINE =
      new Machine(
          "cloud://1", "large", "a", "north", List.of(INTERNAL, SECOND, EXTERNAL), Map.of(), false);

  private static JsonObject node(String metadata, String spec) {
    return tree(
        "{'metadata':{'name':'n1',%s},'spec':{%s},'status':{'addresses':[{'type':'Hostname','address':'n1'}]}}"
            .formatted(metadata, spec));
  }

  private static List<CloudNodeAction> decide(JsonObject node, CloudAnswer answer) {
    return CloudNodePlan.decide(new CloudNode(node, Optional.of(answer), LATER)).actions();
  }

  private static CloudNodeAction decideOne(JsonObject node, Machine machine) {
    List<CloudNodeAction> actions = decide(node, new CloudAnswer.Found(machine));
    assertThat(actions).hasSize(1);
    return actions.getFirst();
  }

  private static final JsonArray OTHERS =
      tree("{'t':[{'key':'other','effect':'NoSchedule'}]}").array("t");
  private static final NodeAddress NAME = new NodeAddress("Hostname", "n1");
  private static final List<NodeAddress> ALL = List.of(INTERNAL, SECOND, EXTERNAL, NAME);

  @Test
  void aNodeIsInitializedAndKeepsItsOtherTaints() {
    assertThat(decideOne(node("'labels':{}", TAINTED), MACHINE))
        .isEqualTo(
            new Initialize(
                Map.of(
                    "beta.kubernetes.io/instance-type", "large",
                    "node.kubernetes.io/instance-type", "large",
                    "failure-domain.beta.kubernetes.io/zone", "a",
                    "topology.kubernetes.io/zone", "a",
                    "failure-domain.beta.kubernetes.io/region", "north",
                    "topology.kubernetes.io/region", "north"),
                OTHERS,
                "cloud://1",
                ALL));
  }

  @Test
  void whatTheCloudDoesNotKnowIsNotSet() {
    Machine unknown = new Machine("cloud://1", "", "", "", List.of(), Map.of(), false);
    assertThat(decideOne(node("'labels':{}", TAINTED), unknown))
        .isEqualTo(new Initialize(Map.of(), OTHERS, "cloud://1", List.of()));
  }

  @Test
  void aProviderIdThatTheNodeHasStays() {
    JsonObject node = node("'labels':{}", "'providerID':'cloud://own'," + TAINTED);
    assertThat(((Initialize) decideOne(node, MACHINE)).providerId()).isEmpty();
  }

  @Test
  void furtherLabelsAreNeitherKubernetesOwnNorThoseThatTheNodeHas() {
    Machine machine =
        new Machine(
            "cloud://1",
            "",
            "",
            "",
            List.of(),
            Map.of("rack", "7", "disk", "ssd", "x.kubernetes.io/y", "1", "k8s.io/z", "1"),
            false);
    assertThat(((Initialize) decideOne(node("'labels':{'disk':'hdd'}", TAINTED), machine)).labels())
        .isEqualTo(Map.of("rack", "7"));
  }

  @Test
  void whileTheCloudDoesNotKnowTheMachineItIsTriedAgain() {
    JsonObject node = node("'labels':{}", TAINTED);
    assertThat(decide(node, new CloudAnswer.NotFound()))
        .containsExactly(
            new TryAgain("failed to get instance metadata for node n1: instance not found"));
    assertThat(decide(node, new CloudAnswer.Failed("quota")))
        .containsExactly(new TryAgain("failed to get instance metadata for node n1: quota"));
    assertThat(decideOne(node, new Machine("", "", "", "", List.of(), Map.of(), false)))
        .isEqualTo(new TryAgain("cloud provider does not set node provider ID for node n1"));
  }

  @Test
  void anAddressThatTheNodeWasToldComesFirstAndIsTheOnlyOneOfItsType() {
    String told = "'annotations':{'alpha.kubernetes.io/provided-node-ip':'%s'}";
    assertThat(
            ((Initialize) decideOne(node(told.formatted("192.0.2.2"), TAINTED), MACHINE))
                .addresses())
        .isEqualTo(List.of(SECOND, EXTERNAL, NAME));
    assertThat(decideOne(node(told.formatted("192.0.2.9"), TAINTED), MACHINE))
        .isEqualTo(
            new TryAgain(
                "provided node ip for node \"n1\" is not valid: failed to get node address from cloud"
                    + " provider that matches ip: 192.0.2.9"));
    assertThat(decideOne(node(told.formatted("here"), TAINTED), MACHINE))
        .isEqualTo(
            new TryAgain(
                "provided node ip for node \"n1\" is not valid: failed to parse node IP \"here\""));
  }

  @Test
  void ofAnInitializedNodeOnlyAddressesFollowTheCloud() {
    JsonObject node = node("'labels':{'topology.kubernetes.io/zone':'elsewhere'}", "");
    assertThat(decideOne(node, MACHINE)).isEqualTo(new SetAddresses(ALL));
    JsonArray trees = JsonArray.copyOf(ALL.stream().map(NodeAddress::toTree).toList());
    JsonObject shown = node.with("status", JsonObject.of("addresses", trees));
    assertThat(decide(shown, new CloudAnswer.Found(MACHINE))).isEmpty();
    assertThat(decide(node, new CloudAnswer.NotFound())).isEmpty();
    assertThat(decide(node, new CloudAnswer.Failed("x"))).isEmpty();
    assertThat(CloudNodePlan.decide(new CloudNode(node, Optional.empty(), LATER)).next())
        .contains(LATER);
  }

  @Test
  void labelsUnderTheirNewerNamesFollowThoseUnderTheirOlderOnes() {
    JsonObject node =
        node(
            "'labels':{'failure-domain.beta.kubernetes.io/zone':'a','topology.kubernetes.io/zone':'b',"
                + "'failure-domain.beta.kubernetes.io/region':'north','node.kubernetes.io/instance-type':'new'}",
            "");
    assertThat(decide(node, new CloudAnswer.NotFound()))
        .containsExactly(
            new SetLabels(
                Map.of(
                    "topology.kubernetes.io/zone", "a", "topology.kubernetes.io/region", "north")));
  }

  @Test
  void aNodeThatIsBeingDeletedIsLeftAlone() {
    JsonObject node = node("'deletionTimestamp':'2026-01-01T00:00:00Z'", TAINTED);
    assertThat(decide(node, new CloudAnswer.Found(MACHINE))).isEmpty();
  }
}
