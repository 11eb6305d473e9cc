package dev.berth.policy.node;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.Taint;
import dev.berth.model.fixture.NodeFixture;
import dev.berth.policy.taint.TaintChange;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeTaintsTest {
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  private static final NodeFixture NEW = node("n");
  private static final NodeFixture READY = NEW.ready();
  private static final NodeFixture FALSE = NEW.ready(ConditionStatus.FALSE, null);
  private static final NodeFixture UNKNOWN = NEW.ready(ConditionStatus.UNKNOWN, null);

  static Stream<Arguments> noScheduleTaints() {
    return Stream.of(
        argumentSet("a ready node has none", READY, List.of(), List.of()),
        argumentSet("Ready False: not-ready", FALSE, List.of(NOT_READY), List.of()),
        argumentSet("Ready Unknown: unreachable", UNKNOWN, List.of(UNREACHABLE), List.of()),
        argumentSet(
            "a new node is not-ready until it is ready", NEW, List.of(NOT_READY), List.of()),
        argumentSet(
            "and stays so while it has no Ready condition",
            NEW.tainted(NodeTaints.NEW_NODE),
            List.of(),
            List.of()),
        argumentSet(
            "and loses it once it is ready",
            READY.tainted(NodeTaints.NEW_NODE),
            List.of(),
            List.of(NOT_READY)),
        argumentSet(
            "MemoryPressure",
            READY.condition(Condition.MEMORY_PRESSURE, ConditionStatus.TRUE),
            List.of("node.kubernetes.io/memory-pressure"),
            List.of()),
        argumentSet(
            "DiskPressure",
            READY.condition(Condition.DISK_PRESSURE, ConditionStatus.TRUE),
            List.of("node.kubernetes.io/disk-pressure"),
            List.of()),
        argumentSet(
            "PIDPressure",
            READY.condition(Condition.PID_PRESSURE, ConditionStatus.TRUE),
            List.of("node.kubernetes.io/pid-pressure"),
            List.of()),
        argumentSet(
            "NetworkUnavailable",
            READY.condition(Condition.NETWORK_UNAVAILABLE, ConditionStatus.TRUE),
            List.of("node.kubernetes.io/network-unavailable"),
            List.of()),
        argumentSet(
            "cordoned", READY.cordoned(), List.of("node.kubernetes.io/unschedulable"), List.of()),
        argumentSet(
            "pressure that is Unknown is no pressure",
            READY.condition(Condition.MEMORY_PRESSURE, ConditionStatus.UNKNOWN),
            List.of(),
            List.of()),
        argumentSet(
            "a taint goes with its cause",
            READY.tainted("node.kubernetes.io/disk-pressure:NoSchedule"),
            List.of(),
            List.of("node.kubernetes.io/disk-pressure")),
        argumentSet(
            "uncordoned",
            READY.tainted("node.kubernetes.io/unschedulable:NoSchedule"),
            List.of(),
            List.of("node.kubernetes.io/unschedulable")),
        argumentSet(
            "unreachable becomes not-ready",
            FALSE.tainted(UNREACHABLE + ":NoSchedule"),
            List.of(NOT_READY),
            List.of(UNREACHABLE)),
        argumentSet(
            "several at once",
            FALSE.condition(Condition.DISK_PRESSURE, ConditionStatus.TRUE).cordoned(),
            List.of(
                NOT_READY, "node.kubernetes.io/disk-pressure", "node.kubernetes.io/unschedulable"),
            List.of()),
        argumentSet(
            "what is right stays", FALSE.tainted(NOT_READY + ":NoSchedule"), List.of(), List.of()),
        argumentSet(
            "other people's taints stay",
            READY.tainted(
                "dedicated=a:NoSchedule",
                "node.kubernetes.io/out-of-service:NoSchedule",
                "node.kubernetes.io/not-ready:NoExecute",
                "node.kubernetes.io/memory-pressure:PreferNoSchedule"),
            List.of(),
            List.of()));
  }

  @ParameterizedTest
  @MethodSource("noScheduleTaints")
  void noScheduleTaintsFollowTheConditions(
      NodeFixture node, List<String> added, List<String> removed) {
    assertThat(NodeTaints.noSchedule(node.view()))
        .isEqualTo(new TaintChange(taints(added), taints(removed)));
  }

  private static List<Taint> taints(List<String> keys) {
    return keys.stream().map(key -> taint(key + ":NoSchedule")).toList();
  }

  private static final NodeTaints.NoExecute UNCHANGED = new NodeTaints.NoExecute.Unchanged();

  static Stream<Arguments> noExecuteTaints() {
    Taint notReady = taint(NOT_READY + ":NoExecute");
    Taint unreachable = taint(UNREACHABLE + ":NoExecute");
    return Stream.of(
        argumentSet("a ready node has none", READY, UNCHANGED),
        argumentSet(
            "a ready node loses what it had",
            READY.tainted(notReady, unreachable),
            now(List.of(), List.of(notReady, unreachable))),
        argumentSet("a node without Ready condition is left alone", NEW, UNCHANGED),
        argumentSet(
            "Ready False: not-ready, at the eviction rate",
            FALSE,
            new NodeTaints.NoExecute.AtEvictionRate(notReady)),
        argumentSet(
            "Ready Unknown: unreachable, at the eviction rate",
            UNKNOWN,
            new NodeTaints.NoExecute.AtEvictionRate(unreachable)),
        argumentSet("not-ready stays while it is", FALSE.tainted(notReady), UNCHANGED),
        argumentSet("unreachable stays while it is", UNKNOWN.tainted(unreachable), UNCHANGED),
        argumentSet(
            "unreachable becomes not-ready at once",
            FALSE.tainted(unreachable),
            now(List.of(notReady), List.of(unreachable))),
        argumentSet(
            "not-ready becomes unreachable at once",
            UNKNOWN.tainted(notReady),
            now(List.of(unreachable), List.of(notReady))),
        argumentSet(
            "never both",
            UNKNOWN.tainted(notReady, unreachable),
            now(List.of(), List.of(notReady))),
        argumentSet(
            "other people's taints stay", READY.tainted("dedicated=a:NoExecute"), UNCHANGED));
  }

  private static NodeTaints.NoExecute now(List<Taint> add, List<Taint> remove) {
    return new NodeTaints.NoExecute.Now(new TaintChange(add, remove));
  }

  @ParameterizedTest
  @MethodSource("noExecuteTaints")
  void noExecuteTaintsFollowTheReadyCondition(NodeFixture node, NodeTaints.NoExecute expected) {
    assertThat(NodeTaints.noExecute(node.view())).isEqualTo(expected);
  }

  @Test
  void evictionsStopWhateverTheCondition() {
    Taint unreachable = taint(UNREACHABLE + ":NoExecute");
    assertThat(
            NodeTaints.withoutNoExecute(
                UNKNOWN.tainted(unreachable, taint("dedicated=a:NoExecute")).view()))
        .isEqualTo(new TaintChange(List.of(), List.of(unreachable)));
  }
}
