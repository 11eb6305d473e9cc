package dev.berth.sim.tainteviction;

import static dev.berth.sim.VirtualCluster.podName;
import static dev.berth.sim.tainteviction.EvictionCluster.forSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.disruption.DisruptionController;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.taint.RespectedBudgets;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Row X9: evictions by taints that respect disruption budgets, where the node's annotation says so.
 */
class RespectedBudgetsEvictionTest {
  private static final String KEY1 = "key1=value1:NoExecute";

  private final EvictionCluster eviction = new EvictionCluster();
  private final VirtualCluster cluster = eviction.cluster();

  @BeforeEach
  void begin() {
    cluster.run(
        "disruption",
        () -> DisruptionController.start(cluster.parts(DisruptionController.ACCOUNT)));
    cluster.node("node1", "4");
    eviction.evict();
  }

  @AfterEach
  void close() {
    eviction.close();
  }

  private void annotate(String value) {
    cluster.patch(
        Resources.NODES,
        ObjectName.of("node1"),
        "{'metadata':{'annotations':{'%s':%s}}}"
            .formatted(RespectedBudgets.ANNOTATION, value.isEmpty() ? "null" : "'" + value + "'"));
    cluster.settle();
  }

  /** Pods that run and are ready on the node. */
  private void ready(String... pods) {
    for (String pod : pods) {
      eviction.pod(pod, "node1");
      makeReady(pod);
    }
  }

  private void makeReady(String pod) {
    cluster.patchStatus(
        Resources.PODS,
        podName(pod),
        "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");
    // Until the budget has counted it.
    eviction.advance(2);
  }

  /** A budget of all pods; those of nobody count by a number alone. */
  private void needs(int pods) {
    cluster.create(
        Resources.POD_DISRUPTION_BUDGETS,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'matchLabels':{'app':'a'}},'minAvailable':%d}}"
            .formatted(pods));
    cluster.settle();
  }

  private void nowNeeds(int pods) {
    cluster.patch(
        Resources.POD_DISRUPTION_BUDGETS,
        podName("web"),
        "{'spec':{'minAvailable':%d}}".formatted(pods));
    cluster.settle();
  }

  private List<String> left() {
    return cluster.list(Resources.PODS).stream().map(pod -> ObjectName.of(pod).name()).toList();
  }

  @Test
  void withoutTheAnnotationBudgetsAreNotAsked() {
    needs(2);
    ready("a", "b");
    eviction.taint("node1", KEY1);
    assertThat(left()).isEmpty();
  }

  @Test
  void asManyGoAsTheBudgetAllowsAndTheOthersAtTheDeadline() {
    annotate("key1;deadline=15m");
    needs(2);
    ready("a", "b", "c");
    eviction.taint("node1", KEY1);
    assertThat(left()).hasSize(2);

    eviction.advance(899);
    assertThat(left()).hasSize(2);
    eviction.advance(1);
    assertThat(left()).isEmpty();
  }

  @Test
  void aPodThatIsHeldBackSaysByWhichBudgetAndUntilWhen() {
    annotate("key1;deadline=15m");
    needs(1);
    ready("a");
    eviction.taint("node1", KEY1);
    assertThat(eviction.events("a"))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("Marking for deletion Pod default/a"),
            second ->
                assertThat(second)
                    .startsWith("Holding back deletion of Pod default/a until ")
                    .endsWith(
                        " at most: The disruption budget web needs 1 healthy pods and has 1"
                            + " currently"));
    assertThat(eviction.disruption("a").isEmpty()).isTrue();
    assertThat(cluster.metrics("node-controller"))
        .contains("taint_eviction_controller_pod_deletion_failures_total 0");

    eviction.untaint("node1");
    assertThat(eviction.events("a")).contains("Cancelling deletion of Pod default/a");
    eviction.advance(86_400);
    eviction.assertStays("a");
  }

  /** Without waiting for the next try by itself. */
  @Test
  void aBudgetThatAllowsMoreLetsPodsGoAtOnce() {
    annotate("key1;deadline=10h");
    needs(3);
    ready("a", "b", "c");
    eviction.taint("node1", KEY1);
    eviction.advance(3_000);
    assertThat(left()).hasSize(3);

    nowNeeds(2);
    assertThat(left()).hasSize(2);
    cluster.delete(Resources.POD_DISRUPTION_BUDGETS, podName("web"));
    cluster.settle();
    assertThat(left()).isEmpty();
  }

  @Test
  void aReplacementThatIsReadyLetsTheNextOneGo() {
    cluster.node("node2", "4");
    annotate("key1;deadline=10h");
    needs(1);
    ready("a");
    eviction.taint("node1", KEY1);
    eviction.advance(100);
    eviction.assertStays("a");

    eviction.pod("b", "node2");
    makeReady("b");
    eviction.assertGone("a");
    eviction.assertStays("b");
  }

  @Test
  void budgetsAreAskedAgainLessAndLessOften() {
    int[] asked = {0};
    eviction.evict(api ->
        new InterceptedApi(
            api,
            (request, real) -> {
              if (request instanceof ApiRequest.Create create
                  && create.target().subresource().equals("eviction")) {
                asked[0]++;
              }
              return real.send(request);
            }));
    annotate("key1;deadline=10h");
    needs(1);
    ready("a");
    eviction.taint("node1", KEY1);
    eviction.advance(3600);
    assertThat(asked[0]).isBetween(60, 140);
  }

  @Test
  void theDeadlineCountsFromWhenTheTolerationRunsOutWhoeverRestarts() {
    annotate("key1;deadline=10m");
    needs(1);
    eviction.pod("a", "node1", forSeconds(300));
    makeReady("a");
    eviction.taint("node1", KEY1);
    eviction.advance(200);
    eviction.restart();
    eviction.advance(300);
    eviction.restart();
    eviction.advance(399);
    eviction.assertStays("a");
    eviction.advance(2);
    eviction.assertGone("a");
  }

  @Test
  void aDeadlineThatPassedWhileNobodyWasThereDeletesAtOnce() {
    annotate("key1;deadline=10m");
    needs(1);
    ready("a");
    eviction.taint("node1", KEY1);
    eviction.advance(10);
    eviction.crash();
    eviction.advance(1_000);
    eviction.assertStays("a");
    eviction.evict();
    eviction.assertGone("a");
  }

  @Test
  void anotherTaintOfTheNodeDeletesAsEver() {
    annotate("key1;deadline=10m");
    needs(1);
    ready("a");
    eviction.taint("node1", KEY1);
    eviction.advance(60);
    eviction.assertStays("a");
    eviction.taint("node1", KEY1, "other:NoExecute");
    eviction.assertGone("a");
  }

  @Test
  void whatTheAnnotationSaysCountsFromNowOn() {
    annotate("*;deadline=10h");
    needs(1);
    ready("a");
    eviction.taint("node1", KEY1);
    eviction.advance(60);
    annotate("*;deadline=2m");
    eviction.advance(59);
    eviction.assertStays("a");
    eviction.advance(1);
    eviction.assertGone("a");

    annotate("*;deadline=10h");
    eviction.untaint("node1");
    ready("b");
    eviction.taint("node1", KEY1);
    eviction.advance(100);
    eviction.assertStays("b");
    annotate("");
    eviction.assertGone("b");
  }

  @Test
  void anAnnotationThatMeansNothingIsIgnoredAndAnEventOfTheNodeSaysWhatIsWrong() {
    annotate("key1");
    needs(1);
    ready("a");
    eviction.advance(600);
    assertThat(cluster.events("node1", "InvalidAnnotation"))
        .satisfiesExactly(note ->
            assertThat(note)
                .startsWith("ignoring the annotation berth.dev/respect-budgets, which is")
                .contains("right would be"));
    eviction.taint("node1", KEY1);
    eviction.assertGone("a");
  }

  /** A server on which evictions are forbidden: tried, and deleted at the deadline all the same. */
  @Test
  void whoMayNotEvictDeletesAtTheDeadline() {
    eviction.evict(api ->
        new InterceptedApi(
            api,
            (request, real) ->
                request instanceof ApiRequest.Create create
                        && create.target().subresource().equals("eviction")
                    ? new ApiResult.Refused(ApiError.of(403, "no"))
                    : real.send(request)));
    annotate("key1;deadline=10m");
    ready("a");
    eviction.taint("node1", KEY1);
    eviction.advance(599);
    eviction.assertStays("a");
    assertThat(cluster.warnings()).anyMatch(warning -> warning.startsWith("cannot evict pod"));
    eviction.advance(1);
    eviction.assertGone("a");
  }
}
