package dev.berth.policy.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.pod.RejectionBackoff;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicaPlanTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  private static JsonObject set(long replicas, String further) {
    return tree(
        "{'kind':'ReplicaSet','metadata':{'name':'s'%s},'spec':{'replicas':%d,'minReadySeconds':10,'template':{'metadata':{'labels':{'app':'a'}}}}}"
            .formatted(further, replicas));
  }

  /** A pod on a node of its own that became ready and was made at these minutes past eleven. */
  private static String pod(String name, String node, String phase, int ready, int made) {
    String condition =
        ready < 0
            ? ""
            : "{'type':'Ready','status':'True','lastTransitionTime':'2026-01-01T11:%02d:00Z'}"
                .formatted(ready);
    return ("{'metadata':{'name':'%1$s','uid':'%1$s','labels':{'app':'a'},'annotations':{},"
            + "'creationTimestamp':'2026-01-01T11:%5$02d:00Z'},'spec':{'nodeName':'%2$s'},"
            + "'status':{'phase':'%3$s','conditions':[%4$s]}}")
        .formatted(name, node, phase, condition, made);
  }

  private static String running(String name) {
    return pod(name, "n-" + name, "Running", 30, 0);
  }

  private static ReplicaPlan decide(JsonObject set, List<JsonObject> pods, JsonObject... others) {
    List<Replica> own = pods.stream().map(Replica::read).toList();
    List<Replica> related = new ArrayList<>(own);
    Stream.of(others).map(Replica::read).forEach(related::add);
    ReplicaSetView view = new ReplicaSetView(set);
    return ReplicaPlan.decide(
        new ReplicaSnapshot(view, own, () -> related, Optional.empty(), RejectionBackoff.NONE),
        NOW);
  }

  private static List<String> deleted(ReplicaPlan plan) {
    return plan.actions().stream()
        .flatMap(action ->
            action instanceof ReplicaAction.Delete(List<JsonObject> pods)
                ? pods.stream()
                : Stream.of())
        .map(pod -> Metadata.of(pod).name())
        .toList();
  }

  private static long created(ReplicaPlan plan) {
    return plan.actions().stream()
        .mapToLong(action -> action instanceof ReplicaAction.Create create ? create.count() : 0)
        .sum();
  }

  static Stream<Arguments> pairs() {
    String restarted =
        running("b")
            .replace("'conditions'", "'containerStatuses':[{'restartCount':3}],'conditions'");
    String cheap =
        running("b")
            .replace(
                "'annotations':{}",
                "'annotations':{'controller.kubernetes.io/pod-deletion-cost':'-5'}");
    return Stream.of(
        argumentSet(
            "without a node, before any other",
            pod("a", "n1", "Pending", -1, 0),
            pod("b", "", "Pending", -1, 0)),
        argumentSet("pending, before running", running("a"), pod("b", "n2", "Pending", 30, 0)),
        argumentSet("unknown, before running", running("a"), pod("b", "n2", "Unknown", 30, 0)),
        argumentSet("not ready, before ready", running("a"), pod("b", "n2", "Running", -1, 0)),
        argumentSet("of lower cost", running("a"), cheap),
        argumentSet(
            "ready for less long",
            pod("a", "n1", "Running", 1, 0),
            pod("b", "n2", "Running", 59, 0)),
        argumentSet("restarted more often", running("a"), restarted),
        argumentSet(
            "younger", pod("a", "n1", "Running", -1, 1), pod("b", "n2", "Running", -1, 59)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void ofTwoTheOneGoesThatIs(String stays, String goes) {
    for (List<JsonObject> pods :
        List.of(List.of(tree(stays), tree(goes)), List.of(tree(goes), tree(stays)))) {
      ReplicaPlan plan = decide(set(1, ""), pods);
      assertThat(deleted(plan)).containsExactly("b");
    }
  }

  @Test
  void ofThoseThatShareANodeOneGoesBeforeOneThatIsAlone() {
    List<JsonObject> pods = List.of(tree(running("b")), tree(pod("c", "n1", "Running", 30, 0)));
    JsonObject sibling = tree(pod("of-another-set", "n1", "Running", 30, 0));
    ReplicaPlan plan = decide(set(1, ""), pods, sibling);
    assertThat(deleted(plan)).containsExactly("c");
  }

  @Test
  void finishedPodsAndThoseOnTheirWayOutAreReplaced() {
    List<JsonObject> pods =
        List.of(
            tree(running("a")),
            tree(pod("b", "n1", "Failed", -1, 0)),
            tree(pod("c", "n2", "Succeeded", -1, 0)),
            tree(
                running("d").replace("'uid'", "'deletionTimestamp':'2026-01-01T12:00:30Z','uid'")));
    ReplicaPlan plan = decide(set(3, ""), pods);
    assertThat(created(plan)).isEqualTo(2);
    assertThat(plan.count().replicas()).isEqualTo(1);
    assertThat(plan.count().terminating()).isEqualTo(1);
  }

  @Test
  void countsWhatIsReadyLongEnoughAndWhenTheNextWillBe() {
    JsonObject fresh =
        tree(running("b").replace("11:30:00Z'}", "11:59:55Z'}").replace("'app':'a'", "'x':'y'"));
    ReplicaPlan plan = decide(set(2, ""), List.of(tree(running("a")), fresh));
    assertThat(plan.count().ready()).isEqualTo(2);
    assertThat(plan.count().available()).isEqualTo(1);
    assertThat(plan.count().fullyLabeled()).isEqualTo(1);
    assertThat(plan.count().nextAvailable()).contains(NOW.plusSeconds(5));
  }

  @Test
  void doesNoMoreThanABurstAndNothingWhenItGoesItself() {
    JsonObject many = set(5_000, "");
    assertThat(created(decide(many, List.of()))).isEqualTo(ReplicaPlan.BURST);
    JsonObject going = set(5, ",'deletionTimestamp':'2026-01-01T11:00:00Z'");
    assertThat(decide(going, List.of()).actions()).isEmpty();
  }
}
