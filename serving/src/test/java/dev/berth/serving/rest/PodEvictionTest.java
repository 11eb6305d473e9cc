package dev.berth.serving.rest;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Evictions: deletions that a disruption budget may refuse. */
class PodEvictionTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);
  private final Requests requests = new Requests(cluster);

  @AfterEach
  void close() {
    requests.close();
  }

  /** A pod that runs, ready or not. */
  private void running(String name, boolean ready) {
    cluster.create(
        "pods",
        "{'metadata':{'name':'%s','labels':{'app':'web'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}"
            .formatted(name));
    phase(name, "Running", ready);
  }

  private void phase(String name, String phase, boolean ready) {
    cluster.registry.modify(
        cluster.core("pods"),
        named(name),
        WriteOptions.DEFAULT.subresource("status"),
        pod ->
            pod.with(
                "status",
                tree(
                    "{'phase':'%s','conditions':[{'type':'Ready','status':'%s'}]}"
                        .formatted(phase, ready ? "True" : "False"))));
  }

  private void budget(String name, String spec, String status) {
    cluster.create(
        "policy",
        "poddisruptionbudgets",
        "default",
        "{'metadata':{'name':'%s'},'spec':{'selector':{'matchLabels':{'app':'web'}}%s}}"
            .formatted(name, spec));
    cluster.registry.modify(
        cluster.resource("policy", "poddisruptionbudgets"),
        named(name),
        WriteOptions.DEFAULT.subresource("status"),
        b -> b.with("status", tree("{'observedGeneration':1," + status + "}")));
  }

  private Requests.Answer evict(String pod, String more) {
    return requests.send(
        "POST",
        "/api/v1/namespaces/default/pods/" + pod + "/eviction",
        "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'%s'}%s}"
            .formatted(pod, more));
  }

  private JsonObject stored(String pod) {
    return cluster.registry.get(cluster.core("pods"), named(pod)).tree();
  }

  private JsonObject budgetStatus() {
    return cluster
        .registry
        .get(cluster.resource("policy", "poddisruptionbudgets"), named("b"))
        .tree()
        .object("status");
  }

  @Test
  void aPodThatNoBudgetIsAboutGoesAndSaysWhy() {
    running("web", true);
    Requests.Answer answer = evict("web", "");
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.json().text("status")).isEqualTo("Success");
    assertThat(at(stored("web"), "metadata.deletionTimestamp")).isNotEqualTo("null");
    assertThat(at(stored("web"), "status.conditions[1].type")).isEqualTo("DisruptionTarget");
    assertThat(at(stored("web"), "status.conditions[1].reason")).isEqualTo("EvictionByEvictionAPI");
  }

  @Test
  void aBudgetThatAllowsOneIsChargedForIt() {
    running("a", true);
    running("b", true);
    budget("b", "", "'disruptionsAllowed':1,'currentHealthy':2,'desiredHealthy':1");
    assertThat(evict("a", "").status()).isEqualTo(201);
    assertThat(at(budgetStatus(), "disruptionsAllowed")).isEqualTo("0");
    assertThat(budgetStatus().object("disruptedPods").has("a")).isTrue();
    Requests.Answer refused = evict("b", "");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.message())
        .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
    assertThat(at(refused.json(), "reason")).isEqualTo("TooManyRequests");
    assertThat(at(refused.json(), "details.causes[0].reason")).isEqualTo("DisruptionBudget");
    assertThat(at(refused.json(), "details.causes[0].message"))
        .startsWith("The disruption budget b does not allow evicting pods currently");
  }

  @Test
  void aBudgetThatNobodyHasCountedYetAsksToComeAgain() {
    running("a", true);
    cluster.create(
        "policy",
        "poddisruptionbudgets",
        "default",
        "{'metadata':{'name':'b'},'spec':{'selector':{'matchLabels':{'app':'web'}}}}");
    Requests.Answer refused = evict("a", "");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.exchange().answerHeaders("Retry-After")).containsExactly("10");
    assertThat(at(refused.json(), "details.causes[0].message"))
        .isEqualTo("The disruption budget b is still being processed by the server.");
    assertThat(at(refused.json(), "details.retryAfterSeconds")).isEqualTo("10");
    assertThat(stored("a").object("metadata").has("deletionTimestamp")).isFalse();
  }

  @Test
  void aBudgetSaysHowManyItNeeds() {
    running("a", true);
    budget("b", "", "'disruptionsAllowed':0,'currentHealthy':1,'desiredHealthy':1");
    assertThat(at(evict("a", "").json(), "details.causes[0].message"))
        .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently");
  }

  @Test
  void severalBudgetsAreTooMany() {
    running("a", true);
    budget("b", "", "'disruptionsAllowed':1");
    budget("c", "", "'disruptionsAllowed':1");
    Requests.Answer refused = evict("a", "");
    assertThat(refused.status()).isEqualTo(500);
    assertThat(refused.message())
        .isEqualTo(
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does"
                + " not support.");
  }

  @Test
  void whatDoesNotRunIsAlwaysEvicted() {
    budget("b", "", "'disruptionsAllowed':0");
    for (String phase : List.of("Pending", "Succeeded", "Failed")) {
      running("p", true);
      phase("p", phase, false);
      assertThat(evict("p", ",'deleteOptions':{'gracePeriodSeconds':0}").status()).isEqualTo(201);
      assertThat(cluster.registry.find(cluster.core("pods"), named("p"))).isEmpty();
    }
    assertThat(at(budgetStatus(), "disruptionsAllowed")).isEqualTo("0");
  }

  @Test
  void anUnhealthyPodGoesIfTheBudgetSaysAlways() {
    running("a", false);
    budget("b", ",'unhealthyPodEvictionPolicy':'AlwaysAllow'", "'disruptionsAllowed':0");
    assertThat(evict("a", "").status()).isEqualTo(201);
  }

  @Test
  void anUnhealthyPodStaysWhileTheBudgetIsNotMet() {
    running("a", false);
    budget("b", "", "'disruptionsAllowed':0,'currentHealthy':0,'desiredHealthy':1");
    assertThat(evict("a", "").status()).isEqualTo(429);
  }

  @Test
  void aRehearsalChangesNothing() {
    running("a", true);
    budget("b", "", "'disruptionsAllowed':1");
    assertThat(evict("a", ",'deleteOptions':{'dryRun':['All']}").status()).isEqualTo(201);
    assertThat(stored("a").object("metadata").has("deletionTimestamp")).isFalse();
    assertThat(stored("a").object("status").array("conditions").size()).isEqualTo(1);
    assertThat(at(budgetStatus(), "disruptionsAllowed")).isEqualTo("1");
  }

  @Test
  void preconditionsHold() {
    running("a", true);
    Requests.Answer refused =
        evict("a", ",'deleteOptions':{'preconditions':{'uid':'somebody-else'}}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.message())
        .contains("the UID in the precondition (somebody-else) does not match");
    assertThat(stored("a").object("status").array("conditions").size()).isEqualTo(1);
  }

  @Test
  void theNamesMustAgree() {
    running("a", true);
    Requests.Answer refused =
        requests.send(
            "POST",
            "/api/v1/namespaces/default/pods/a/eviction",
            "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'b'}}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).isEqualTo("name in URL does not match name in Eviction object");
    assertThat(evict("ghost", "").message()).isEqualTo("pods \"ghost\" not found");
  }

  /** Many who come at once: no more go than the budget allows. */
  @Test
  void manyAtOnceDoNotSpendABudgetTwice() throws Exception {
    for (int i = 0; i < 20; i++) {
      running("p" + i, true);
    }
    budget("b", "", "'disruptionsAllowed':5,'currentHealthy':20,'desiredHealthy':15");
    List<Future<Integer>> answers = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 20; i++) {
        String pod = "p" + i;
        answers.add(threads.submit(() -> evict(pod, "").status()));
      }
    }
    List<Integer> statuses = new ArrayList<>();
    for (Future<Integer> answer : answers) {
      statuses.add(answer.get());
    }
    assertThat(statuses).filteredOn(status -> status == 201).hasSize(5);
    assertThat(at(budgetStatus(), "disruptionsAllowed")).isEqualTo("0");
  }
}
