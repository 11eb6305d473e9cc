package dev.berth.scheduler.plugin.taint;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.OneNode;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.taint.TaintToleration.Untolerated;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TaintTolerationTest {
  private static final TaintToleration PLUGIN = new TaintToleration(TolerationRules.STANDARD);
  private static final PodFixture WEB = pod("web");
  private static final NodeFixture N1 = node("n1");

  static Stream<Arguments> taints() {
    PodFixture tolerant = WEB.tolerating(Toleration.equal("gpu", "a100", TaintEffect.NO_SCHEDULE));
    return Stream.of(
        argumentSet("no taints", WEB, N1, "", 0),
        argumentSet("NoSchedule", WEB, N1.tainted("gpu=a100:NoSchedule"), "gpu=a100:NoSchedule", 0),
        argumentSet("without a value", WEB, N1.tainted("gpu:NoSchedule"), "gpu:NoSchedule", 0),
        argumentSet("NoExecute", WEB, N1.tainted("down:NoExecute"), "down:NoExecute", 0),
        argumentSet("PreferNoSchedule", WEB, N1.tainted("old:PreferNoSchedule"), "", 1),
        argumentSet("tolerated", tolerant, N1.tainted("gpu=a100:NoSchedule"), "", 0),
        argumentSet(
            "of two, the one that is not tolerated",
            tolerant,
            N1.tainted("gpu=a100:NoSchedule", "b=c:NoSchedule"),
            "b=c:NoSchedule",
            0),
        argumentSet(
            "of two that are not tolerated, the first",
            WEB,
            N1.tainted("a:PreferNoSchedule", "b=c:NoSchedule", "d:NoExecute"),
            "b=c:NoSchedule",
            1),
        argumentSet(
            "taints to avoid add up",
            WEB,
            N1.tainted("a:PreferNoSchedule", "b:PreferNoSchedule"),
            "",
            2));
  }

  @ParameterizedTest
  @MethodSource("taints")
  void refusesAndAvoids(PodFixture pod, NodeFixture node, String refused, long avoided) {
    OneNode one = new OneNode(node);
    assertThat(one.messages(PLUGIN, pod))
        .isEqualTo(refused.isEmpty() ? List.of() : List.of("node(s) had untolerated taint(s)"));
    assertThat(one.score(PLUGIN, pod)).isEqualTo(avoided);
    Refusal refusal = one.refusal(PLUGIN, pod);
    assertThat(refusal instanceof Untolerated(Taint taint) ? taint.toString() : "")
        .isEqualTo(refused);
    assertThat(refusal != null && refusal.preemptionMayHelp()).isFalse();
  }

  /** Answers are kept per set of taints; a set that turns up later must be heard of. */
  @Test
  void knowsTaintsThatComeLater() {
    Cluster cluster = new Cluster();
    int node = cluster.put(N1.tree());
    NodeFilter filter = PLUGIN.filter(cluster.read(WEB.tree()), cluster);
    assertThat(filter.allows(node)).isTrue();

    cluster.put(N1.tainted("a:NoSchedule").tree());
    assertThat(filter.allows(node)).isFalse();

    cluster.put(N1.tree());
    assertThat(filter.allows(node)).isTrue();
  }
}
