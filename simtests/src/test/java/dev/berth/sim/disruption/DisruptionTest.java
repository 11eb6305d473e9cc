package dev.berth.sim.disruption;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.disruption.DisruptionController;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The disruption controller and the Eviction API on virtual time. */
class DisruptionTest {
  private static final ObjectName BUDGET = new ObjectName("default", "web");

  private final VirtualCluster cluster = new VirtualCluster(1);
  private final BudgetFixture web = new BudgetFixture(cluster);

  @BeforeEach
  void start() {
    cluster.run(
        "disruption",
        () -> DisruptionController.start(cluster.parts(DisruptionController.ACCOUNT)));
  }

  @AfterEach
  void close() {
    cluster.close();
    assertThat(cluster.warnings()).isEmpty();
  }

  private void soon() {
    cluster.advance(Duration.ofSeconds(1));
  }

  private void specify(String json) {
    cluster.patch(Resources.POD_DISRUPTION_BUDGETS, BUDGET, "{'spec':" + json + "}");
  }

  @Test
  void aNumberThatMustBeAvailableIsComparedWithThePodsThatThereAre() {
    web.budget("'minAvailable':2");
    cluster.settle();
    assertThat(web.counts()).isEqualTo("allowed 0, healthy 0, desired 2, expected 0");
    assertThat(web.condition()).isEqualTo("False InsufficientPods");
    assertThat(cluster.events("web", "NoPods")).containsExactly("No matching pods found");

    for (String pod : List.of("a", "b", "c")) {
      web.ready(pod, JsonObject.EMPTY);
    }
    soon();
    assertThat(web.counts()).isEqualTo("allowed 1, healthy 3, desired 2, expected 3");
    assertThat(web.condition()).isEqualTo("True SufficientPods");
    assertThat(web.budget().object("status").integer("observedGeneration")).hasValue(1);

    web.ready("b", false);
    soon();
    assertThat(web.counts()).isEqualTo("allowed 0, healthy 2, desired 2, expected 3");
  }

  @Test
  void aChangedBudgetIsCountedAtOnce() {
    web.budget("'minAvailable':2");
    web.ready("a", JsonObject.EMPTY);
    soon();
    specify("{'minAvailable':0}");
    cluster.settle();
    assertThat(web.counts()).isEqualTo("allowed 1, healthy 1, desired 0, expected 1");
    assertThat(web.budget().object("status").integer("observedGeneration")).hasValue(2);
  }

  @Test
  void aBudgetFollowsItsSelectorAndTheLabelsOfPods() {
    web.budget("'minAvailable':0");
    web.ready("a", JsonObject.EMPTY);
    web.ready("b", JsonObject.EMPTY);
    soon();
    cluster.patch(Resources.PODS, podName("b"), "{'metadata':{'labels':{'app':'other'}}}");
    soon();
    assertThat(web.counts()).isEqualTo("allowed 1, healthy 1, desired 0, expected 1");
    specify(
        "{'selector':{'matchLabels':null,'matchExpressions':[{'key':'app','operator':'Exists'}]}}");
    soon();
    assertThat(web.counts()).isEqualTo("allowed 2, healthy 2, desired 0, expected 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replicasets", "statefulsets", "replicationcontrollers"})
  void aShareIsOfTheReplicasThatTheControllerOfThePodsIsToHave(String plural) {
    GroupVersionResource resource =
        List.of(Resources.REPLICA_SETS, Resources.STATEFUL_SETS, Resources.REPLICATION_CONTROLLERS)
            .stream()
            .filter(r -> r.resource().equals(plural))
            .findFirst()
            .orElseThrow();
    JsonObject owner = web.managed(resource, "web", 4);
    web.budget("'minAvailable':'50%'");
    for (String pod : List.of("a", "b", "c")) {
      web.ready(pod, owner);
    }
    soon();
    assertThat(web.counts()).isEqualTo("allowed 1, healthy 3, desired 2, expected 4");

    specify("{'minAvailable':null,'maxUnavailable':3}");
    soon();
    assertThat(web.counts()).isEqualTo("allowed 2, healthy 3, desired 1, expected 4");

    cluster.patch(resource, new ObjectName("default", "web"), "{'spec':{'replicas':6}}");
    soon();
    assertThat(web.counts()).isEqualTo("allowed 0, healthy 3, desired 3, expected 6");
  }

  @Test
  void theReplicasOfADeploymentCountOnceHoweverManyReplicaSetsItHas() {
    JsonObject deployment = web.managed(Resources.DEPLOYMENTS, "web", 3);
    JsonObject old = web.managed(Resources.REPLICA_SETS, "web-1", 1, deployment);
    JsonObject young = web.managed(Resources.REPLICA_SETS, "web-2", 3, deployment);
    web.budget("'maxUnavailable':1");
    web.ready("a", old);
    web.ready("b", young);
    web.ready("c", young);
    soon();
    assertThat(web.counts()).isEqualTo("allowed 1, healthy 3, desired 2, expected 3");

    cluster.patch(
        Resources.DEPLOYMENTS, new ObjectName("default", "web"), "{'spec':{'replicas':4}}");
    soon();
    assertThat(web.counts()).isEqualTo("allowed 0, healthy 3, desired 3, expected 4");
  }

  /** A controller without a scale cannot be counted; until it can, nothing is allowed. */
  @Test
  void podsWhoseControllerHasNoScaleMakeTheCountFail() {
    JsonObject daemons =
        cluster.create(
            Resources.DAEMON_SETS,
            "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'matchLabels':{'app':'web'}},'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    web.budget("'maxUnavailable':1");
    web.ready("a", daemons);
    soon();
    String why = "daemonsets.apps does not implement the scale subresource";
    assertThat(web.condition()).isEqualTo("False SyncFailed " + why);
    assertThat(cluster.events("web", "CalculateExpectedPodCountFailed"))
        .containsExactly("Failed to calculate the number of expected pods: " + why);

    specify("{'maxUnavailable':null,'minAvailable':0}");
    soon();
    assertThat(web.condition()).isEqualTo("True SufficientPods");
  }

  @Test
  void aControllerThatIsHeardOfAfterItsPodsIsCounted() {
    web.budget("'maxUnavailable':1");
    JsonObject owner = web.managed(Resources.REPLICA_SETS, "web", 1);
    cluster.delete(Resources.REPLICA_SETS, new ObjectName("default", "web"));
    web.ready("a", owner);
    soon();
    assertThat(web.condition()).isEqualTo("False SyncFailed found no controllers for pod \"a\"");
    cluster.delete(Resources.PODS, podName("a"));
    web.ready("a", web.managed(Resources.REPLICA_SETS, "web", 1));
    soon();
    assertThat(web.counts()).isEqualTo("allowed 1, healthy 1, desired 0, expected 1");
  }

  @Test
  void podsThatNothingManagesAreTold() {
    web.budget("'maxUnavailable':1");
    web.ready("bare", JsonObject.EMPTY);
    soon();
    assertThat(web.counts()).isEqualTo("allowed 0, healthy 1, desired 0, expected 0");
    assertThat(cluster.events("web", "UnmanagedPods"))
        .singleElement()
        .asString()
        .startsWith(
            "Pods selected by this PodDisruptionBudget (selector: app=web) were found to be"
                + " unmanaged.");
  }

  @Test
  void anEvictionIsRefusedWithTheBudgetsReasonUntilAnotherPodIsReady() {
    web.budget("'minAvailable':2");
    web.ready("a", JsonObject.EMPTY);
    web.ready("b", JsonObject.EMPTY);
    soon();
    ApiError error = refusal(web.evict("a"));
    assertThat(error.code()).isEqualTo(429);
    assertThat(error.message())
        .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
    JsonObject cause = error.status().object("details").array("causes").objects().getFirst();
    assertThat(cause.text("reason")).isEqualTo("DisruptionBudget");
    assertThat(cause.text("message"))
        .isEqualTo("The disruption budget web needs 2 healthy pods and has 2 currently");

    web.ready("c", JsonObject.EMPTY);
    soon();
    assertThat(web.evict("a").isDone()).isTrue();
    assertThat(web.budget().object("status").object("disruptedPods").names()).containsExactly("a");
    assertThat(refusal(web.evict("b")).code()).isEqualTo(429);
    soon();
    assertThat(web.counts()).isEqualTo("allowed 0, healthy 2, desired 2, expected 3");
    assertThat(web.budget().object("status").has("disruptedPods")).isFalse();
    assertThat(refusal(web.evict("b")).code()).isEqualTo(429);
  }

  @Test
  void aBudgetThatNobodyHasCountedAsksToComeAgain() {
    cluster.crash("disruption");
    web.budget("'minAvailable':0");
    web.ready("a", JsonObject.EMPTY);
    ApiError error = refusal(web.evict("a"));
    assertThat(error.code()).isEqualTo(429);
    assertThat(error.retryAfter()).contains(Duration.ofSeconds(10));
    cluster.restart("disruption");
    soon();
    assertThat(web.evict("a").isDone()).isTrue();
  }

  @Test
  void podsThatAreNotReadyGoIfEnoughOthersAreOrThePolicySaysAlways() {
    web.budget("'minAvailable':1");
    web.ready("a", JsonObject.EMPTY);
    web.create("sick", JsonObject.EMPTY);
    web.ready("sick", false);
    soon();
    assertThat(web.evict("sick").isDone()).isTrue();
    assertThat(refusal(web.evict("a")).code()).isEqualTo(429);

    web.ready("a", false);
    soon();
    assertThat(refusal(web.evict("a")).code()).isEqualTo(429);
    specify("{'unhealthyPodEvictionPolicy':'AlwaysAllow'}");
    assertThat(web.evict("a").isDone()).isTrue();
  }

  /** An eviction that was allowed and did not come about is given back after two minutes. */
  @Test
  void anEvictionThatDidNotHappenIsGivenBack() {
    web.budget("'minAvailable':1");
    web.ready("a", JsonObject.EMPTY);
    web.ready("b", JsonObject.EMPTY);
    soon();
    cluster.patchStatus(
        Resources.POD_DISRUPTION_BUDGETS,
        BUDGET,
        "{'status':{'disruptionsAllowed':0,'disruptedPods':{'a':'%s'}}}"
            .formatted(Times.format(cluster.time().now())));
    soon();
    assertThat(web.counts()).isEqualTo("allowed 0, healthy 1, desired 1, expected 2");
    cluster.restart("disruption");
    cluster.advance(Duration.ofSeconds(117));
    assertThat(web.counts()).isEqualTo("allowed 0, healthy 1, desired 1, expected 2");
    cluster.advance(Duration.ofSeconds(3));
    assertThat(web.counts()).isEqualTo("allowed 1, healthy 2, desired 1, expected 2");
    assertThat(cluster.events("a", "NotDeleted"))
        .containsExactly("Pod was expected by PDB default/web to be deleted but it wasn't");
  }

  @Test
  void aDisruptionThatDoesNotComeIsTakenBackAfterTwoMinutes() {
    web.ready("a", JsonObject.EMPTY);
    web.ready("k", JsonObject.EMPTY);
    String since = Times.format(cluster.time().now());
    condemn("a", "EvictionByEvictionAPI", since);
    condemn("k", "TerminationByKubelet", since);
    cluster.restart("disruption");
    cluster.advance(Duration.ofSeconds(118));
    assertThat(disruptionTarget("a").text("status")).isEqualTo("True");
    cluster.advance(Duration.ofSeconds(2));
    assertThat(disruptionTarget("a").text("status")).isEqualTo("False");
    assertThat(disruptionTarget("a").has("reason")).isFalse();
    assertThat(disruptionTarget("k").text("status")).isEqualTo("True");
  }

  private void condemn(String pod, String reason, String since) {
    cluster.patchStatus(
        Resources.PODS,
        podName(pod),
        "{'status':{'conditions':[{'type':'Ready','status':'True'},{'type':'DisruptionTarget','status':'True','reason':'%s','message':'m','lastTransitionTime':'%s'}]}}"
            .formatted(reason, since));
  }

  private JsonObject disruptionTarget(String pod) {
    return Conditions.find(
            cluster.getPod(pod).object("status").array("conditions"), "DisruptionTarget")
        .orElseThrow();
  }

  /** A thousand pods that become ready at once do not make a thousand writes. */
  @Test
  void manyChangesAtOnceAreOneWrite() {
    web.budget("'minAvailable':1");
    for (int i = 0; i < 200; i++) {
      web.create("p" + i, JsonObject.EMPTY);
    }
    soon();
    String before = web.budget().object("metadata").text("resourceVersion", "");
    for (int i = 0; i < 200; i++) {
      web.ready("p" + i, true);
    }
    long revision = Long.parseLong(cluster.revision());
    soon();
    assertThat(web.counts()).isEqualTo("allowed 199, healthy 200, desired 1, expected 200");
    assertThat(before).isNotEmpty();
    assertThat(Long.parseLong(cluster.revision()) - revision).isLessThanOrEqualTo(1);
  }

  private static ApiError refusal(ApiResult result) {
    if (result instanceof ApiResult.Refused(ApiError error)) {
      return error;
    }
    throw new AssertionError("not refused: " + result);
  }
}
