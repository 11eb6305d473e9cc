package dev.berth.policy.podgc;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodGarbageTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final String DELETED =
      "'deletionTimestamp':'2026-01-01T00:00:00Z','deletionGracePeriodSeconds':30";
  private static final String HELD =
      "'deletionTimestamp':'2026-01-01T00:00:00Z','deletionGracePeriodSeconds':0";
  private static final Taint NO_EXECUTE =
      Taint.of(WellKnownTaints.OUT_OF_SERVICE, TaintEffect.NO_EXECUTE)
          .addedAt(Instant.parse("2026-01-01T00:00:00Z"));
  private static final Taint NO_SCHEDULE =
      Taint.of(WellKnownTaints.OUT_OF_SERVICE, TaintEffect.NO_SCHEDULE);

  private static CollectablePod pod(String metadata, String spec, String status) {
    return CollectablePod.read(
        tree(
            "{'metadata':{'namespace':'default','name':'web','uid':'1'%s},'spec':{%s},'status':{%s}}"
                .formatted(metadata.isEmpty() ? "" : "," + metadata, spec, status)));
  }

  static Stream<Arguments> unscheduled() {
    return Stream.of(
        argumentSet("waits for a node", pod("", "", ""), false),
        argumentSet("terminates without a node", pod(DELETED, "", ""), true),
        argumentSet("terminates on a node", pod(DELETED, "'nodeName':'n'", ""), false),
        argumentSet("held, and nobody has said how it ended", pod(HELD, "", ""), true),
        argumentSet("held, and it is said", pod(HELD, "", "'phase':'Failed'"), false));
  }

  @ParameterizedTest
  @MethodSource
  void unscheduled(CollectablePod pod, boolean expected) {
    assertThat(PodGarbage.isUnscheduled(pod)).isEqualTo(expected);
  }

  static Stream<Arguments> outOfServiceNodes() {
    String taints =
        "{'spec':{'taints':[{'key':'node.kubernetes.io/out-of-service','effect':'%s'}]},'status':{'conditions':[{'type':'Ready','status':'%s'}]}}";
    return Stream.of(
        argumentSet("ready", taints.formatted("NoExecute", "True"), 0),
        argumentSet("not ready", taints.formatted("NoExecute", "False"), 1),
        argumentSet("unknown", taints.formatted("NoSchedule", "Unknown"), 1),
        argumentSet("another effect", taints.formatted("PreferNoSchedule", "False"), 0),
        argumentSet("no conditions, no taints", "{}", 0));
  }

  @ParameterizedTest
  @MethodSource("outOfServiceNodes")
  void aNodeIsOutOfServiceWhenItIsNotReadyAndSaysSo(String node, int taints) {
    assertThat(PodGarbage.outOfService(NodeView.read(tree(node)))).hasSize(taints);
  }

  static Stream<Arguments> outOfServicePods() {
    String on = "'nodeName':'n'";
    String any =
        on + ",'tolerations':[{'key':'node.kubernetes.io/out-of-service','operator':'Exists'}]";
    String seconds =
        on
            + ",'tolerations':[{'key':'node.kubernetes.io/out-of-service','operator':'Exists','effect':'NoExecute','tolerationSeconds':%d}]";
    List<Taint> both = List.of(NO_SCHEDULE, NO_EXECUTE);
    return Stream.of(
        argumentSet("runs", pod("", on, ""), both, false),
        argumentSet("terminates", pod(DELETED, on, ""), List.of(NO_SCHEDULE), true),
        argumentSet("terminates, NoExecute", pod(DELETED, on, ""), List.of(NO_EXECUTE), true),
        argumentSet("terminates, in service", pod(DELETED, on, ""), List.of(), false),
        argumentSet("tolerates", pod(DELETED, any, ""), both, false),
        argumentSet(
            "tolerates yet", pod(DELETED, seconds.formatted(600), ""), List.of(NO_EXECUTE), false),
        argumentSet(
            "tolerates no longer, whatever the fraction of a second that is not written",
            pod(DELETED, seconds.formatted(599), ""),
            List.of(NO_EXECUTE),
            true),
        argumentSet("tolerates one of two", pod(DELETED, seconds.formatted(601), ""), both, true),
        argumentSet("held", pod(HELD, on, "'phase':'Failed'"), both, false));
  }

  @ParameterizedTest
  @MethodSource("outOfServicePods")
  void aPodGoesWhenItTerminatesAndDoesNotTolerate(
      CollectablePod pod, List<Taint> taints, boolean expected) {
    assertThat(PodGarbage.isOutOfService(pod, taints, TolerationRules.STANDARD, NOW))
        .isEqualTo(expected);
  }

  private static CollectablePod finished(String name, int age, String status) {
    return CollectablePod.read(
        tree(
            "{'metadata':{'namespace':'default','name':'%s','uid':'%s','creationTimestamp':'2026-01-01T00:00:%02dZ'},'status':{%s}}"
                .formatted(name, name, 60 - age, status)));
  }

  @Test
  void evictedOnesGoFirstThenTheOldestThenByName() {
    String evicted = "'phase':'Failed','reason':'Evicted'";
    String done = "'phase':'Succeeded'";
    List<CollectablePod> pods =
        List.of(
            finished("c", 9, done),
            finished("b", 9, done),
            finished("young", 1, done),
            finished("evicted", 5, evicted),
            finished("succeeded", 20, "'phase':'Succeeded','reason':'Evicted'"));
    assertThat(PodGarbage.finishedBeyond(pods, 1))
        .extracting(pod -> pod.name().name())
        .containsExactly("evicted", "succeeded", "b", "c");
    assertThat(PodGarbage.finishedBeyond(pods, 5)).isEmpty();
    assertThat(PodGarbage.finishedBeyond(pods, 0)).isEmpty();
  }

  @Test
  void whatOnlyFinalizersHoldCountsButIsNotDeletedAgain() {
    List<CollectablePod> pods =
        IntStream.range(0, 3)
            .mapToObj(i ->
                i == 0
                    ? pod(HELD, "", "'phase':'Failed'")
                    : finished("p" + i, i, "'phase':'Failed'"))
            .toList();
    assertThat(PodGarbage.finishedBeyond(pods, 2)).isEmpty();
  }
}
