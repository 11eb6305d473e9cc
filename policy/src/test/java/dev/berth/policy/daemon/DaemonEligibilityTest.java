package dev.berth.policy.daemon;

import static dev.berth.model.fixture.Fixtures.expressions;
import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.policy.taint.TolerationRules;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DaemonEligibilityTest {
  private static final PodFixture TEMPLATE = pod("template");
  private static final NodeFixture NODE = node("n1").labelled("disk", "ssd");
  private static final DaemonEligibility ELIGIBLE = new DaemonEligibility.Eligible();
  private static final DaemonEligibility NOT_SELECTED = new DaemonEligibility.NotSelected();

  static Stream<Arguments> nodes() {
    return Stream.of(
        argumentSet("a plain node", TEMPLATE, NODE, ELIGIBLE),
        argumentSet(
            "the template names this node", TEMPLATE.with("spec.nodeName", "n1"), NODE, ELIGIBLE),
        argumentSet(
            "the template names another node",
            TEMPLATE.with("spec.nodeName", "n2"),
            NODE,
            new DaemonEligibility.NamesAnotherNode("n2")),
        argumentSet(
            "the node selector matches", TEMPLATE.selectingNodes("disk", "ssd"), NODE, ELIGIBLE),
        argumentSet(
            "the node selector does not match",
            TEMPLATE.selectingNodes("disk", "hdd"),
            NODE,
            NOT_SELECTED),
        argumentSet(
            "the required affinity does not match",
            TEMPLATE.requiringNodes(expressions(requirement("gpu", "Exists"))),
            NODE,
            NOT_SELECTED),
        argumentSet(
            "the required affinity names this node by field",
            TEMPLATE.requiringNodes(fields(requirement("metadata.name", "In", "n1"))),
            NODE,
            ELIGIBLE),
        argumentSet(
            "the required affinity names another node by field",
            TEMPLATE.requiringNodes(fields(requirement("metadata.name", "In", "n2"))),
            NODE,
            NOT_SELECTED),
        argumentSet(
            "a NoSchedule taint: no new pod, but one that is there stays",
            TEMPLATE,
            NODE.tainted("dedicated=a:NoSchedule"),
            new DaemonEligibility.OnlyIfThere(taint("dedicated=a:NoSchedule"))),
        argumentSet(
            "a NoExecute taint: neither",
            TEMPLATE,
            NODE.tainted("a:NoSchedule", "dedicated=a:NoExecute"),
            new DaemonEligibility.Evicted(taint("dedicated=a:NoExecute"))),
        argumentSet(
            "a PreferNoSchedule taint does not matter",
            TEMPLATE,
            NODE.tainted("dedicated=a:PreferNoSchedule"),
            ELIGIBLE),
        argumentSet(
            "a taint that the template tolerates",
            TEMPLATE.tolerating(Toleration.equal("dedicated", "a", TaintEffect.NO_EXECUTE)),
            NODE.tainted("dedicated=a:NoExecute"),
            ELIGIBLE),
        argumentSet(
            "a node that is unwell and cordoned",
            TEMPLATE,
            NODE.tainted(
                "node.kubernetes.io/not-ready:NoExecute",
                "node.kubernetes.io/unreachable:NoExecute",
                "node.kubernetes.io/disk-pressure:NoSchedule",
                "node.kubernetes.io/memory-pressure:NoSchedule",
                "node.kubernetes.io/pid-pressure:NoSchedule",
                "node.kubernetes.io/unschedulable:NoSchedule"),
            ELIGIBLE),
        argumentSet(
            "not-ready with NoSchedule is not tolerated, so a new node waits",
            TEMPLATE,
            NODE.tainted("node.kubernetes.io/not-ready:NoSchedule"),
            new DaemonEligibility.OnlyIfThere(taint("node.kubernetes.io/not-ready:NoSchedule"))),
        argumentSet(
            "no network, for a pod that needs it",
            TEMPLATE,
            NODE.tainted("node.kubernetes.io/network-unavailable:NoSchedule"),
            new DaemonEligibility.OnlyIfThere(
                taint("node.kubernetes.io/network-unavailable:NoSchedule"))),
        argumentSet(
            "no network, for a pod on the node's own",
            TEMPLATE.with("spec.hostNetwork", true),
            NODE.tainted("node.kubernetes.io/network-unavailable:NoSchedule"),
            ELIGIBLE));
  }

  @ParameterizedTest
  @MethodSource("nodes")
  void judges(PodFixture template, NodeFixture node, DaemonEligibility expected) {
    DaemonEligibility eligibility =
        DaemonEligibility.of(template.view().spec(), node.view(), TolerationRules.STANDARD);
    assertThat(eligibility).isEqualTo(expected);
    assertThat(eligibility.shouldRun()).isEqualTo(expected.equals(ELIGIBLE));
    assertThat(eligibility.shouldContinueRunning())
        .isEqualTo(
            switch (expected) {
              case DaemonEligibility.Eligible _ -> true;
              case DaemonEligibility.OnlyIfThere _ -> true;
              case DaemonEligibility.NamesAnotherNode _ -> false;
              case DaemonEligibility.NotSelected _ -> false;
              case DaemonEligibility.Evicted _ -> false;
            });
  }
}
