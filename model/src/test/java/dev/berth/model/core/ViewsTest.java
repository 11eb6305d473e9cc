package dev.berth.model.core;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.taint;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.disruption.UnhealthyPodEvictionPolicy;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ViewsTest {

  @Test
  void aPodIsReadWhole() {
    PodView pod =
        PodView.read(
            tree(
                """
                {"metadata": {"namespace": "shop", "name": "web-0", "uid": "u1",
                  "labels": {"app": "web"}, "creationTimestamp": "2026-01-01T00:00:00Z",
                  "deletionTimestamp": "2026-01-02T00:00:00Z",
                  "ownerReferences": [
                    {"kind": "ConfigMap", "name": "c", "uid": "u2"},
                    {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "u3",
                     "controller": true}]},
                 "spec": {"nodeName": "n1", "hostNetwork": true, "priority": 5,
                  "schedulerName": "mine", "terminationGracePeriodSeconds": 0,
                  "tolerations": [{"operator": "Exists"}],
                  "nodeSelector": {"disk": "ssd"},
                  "overhead": {"cpu": "10m"},
                  "resources": {"requests": {"cpu": 1}, "limits": {"cpu": "2"}},
                  "containers": [{"name": "app",
                    "ports": [{"containerPort": 80, "hostPort": 8080}],
                    "resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "2Gi"}}}],
                  "initContainers": [{"name": "side", "restartPolicy": "Always"},
                    {"name": "init"}]},
                 "status": {"phase": "Running", "conditions": [
                  {"type": "Initialized", "status": "True"},
                  {"type": "Ready", "status": "True", "reason": "r"}]}}
                """));

    assertThat(pod.namespace()).isEqualTo("shop");
    assertThat(pod.name()).isEqualTo("web-0");
    assertThat(pod.uid()).isEqualTo("u1");
    assertThat(pod.labels()).isEqualTo(object("app", "web"));
    assertThat(pod.controller())
        .isEqualTo(new OwnerReference("apps/v1", "StatefulSet", "web", "u3", true, false));
    assertThat(pod.creationTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(pod.deletionTimestamp()).isEqualTo("2026-01-02T00:00:00Z");
    assertThat(pod.terminating()).isTrue();
    assertThat(pod.phase()).isEqualTo(PodPhase.RUNNING);
    assertThat(pod.ready()).isTrue();
    assertThat(pod.condition("Ready").map(Condition::reason)).contains("r");
    PodSpecView spec = pod.spec();
    assertThat(spec.nodeName()).isEqualTo("n1");
    assertThat(spec.hostNetwork()).isTrue();
    assertThat(spec.priority()).isEqualTo(5);
    assertThat(spec.schedulerName()).isEqualTo("mine");
    assertThat(spec.terminationGracePeriodSeconds()).isZero();
    assertThat(spec.tolerations()).hasSize(1);
    assertThat(spec.nodeSelector()).isEqualTo(object("disk", "ssd"));
    assertThat(spec.overhead()).isEqualTo(object("cpu", "10m"));
    assertThat(ResourceList.read(spec.requests()).get("cpu")).isEqualTo(Quantity.of(1));
    assertThat(ResourceList.read(spec.limits()).get("cpu")).isEqualTo(Quantity.of(2));
    assertThat(spec.containers())
        .containsExactly(
            new ContainerView(
                "app",
                object("memory", "1Gi"),
                object("memory", "2Gi"),
                false,
                List.of(new ContainerPort(80, 8080, "TCP", ""))));
    assertThat(spec.initContainers())
        .extracting(ContainerView::alwaysRestarts)
        .containsExactly(true, false);
  }

  @Test
  void anEmptyPodHasDefaults() {
    PodView pod = PodView.read(JsonObject.EMPTY);
    assertThat(pod.phase()).isEqualTo(PodPhase.PENDING);
    assertThat(pod.ready()).isFalse();
    assertThat(pod.terminating()).isFalse();
    assertThat(pod.controller()).isNull();
    assertThat(pod.spec().nodeName()).isEmpty();
    assertThat(pod.spec().nodeAffinity()).isNull();
    assertThat(pod.spec().priority()).isZero();
    assertThat(pod.spec().schedulerName()).isEqualTo("default-scheduler");
    assertThat(pod.spec().terminationGracePeriodSeconds()).isNull();
  }

  @Test
  void emptyListsAreShared() {
    PodView one = PodView.read(JsonObject.EMPTY);
    PodView other = pod("web").view();
    assertThat(one.spec().tolerations()).isSameAs(other.spec().tolerations());
    assertThat(one.spec().containers()).isSameAs(other.spec().initContainers());
    assertThat(one.labels()).isSameAs(other.annotations());
  }

  @Test
  void whatPodsOfATemplateHaveInCommonIsShared() {
    PodView one = pod("a").ownedBy("ReplicaSet", "rs").requesting("cpu", "1").view();
    PodView other = pod("b").ownedBy("ReplicaSet", "rs").requesting("cpu", "1").view();
    assertThat(one.spec().containers()).isSameAs(other.spec().containers());
    assertThat(one.controller()).isSameAs(other.controller());
    PodView different = pod("c").requesting("cpu", "2").view();
    assertThat(different.spec().containers()).isNotEqualTo(one.spec().containers());
  }

  @Test
  void anUnknownPhaseIsUnknownAndNotFinished() {
    PodPhase phase = pod("web").phase("Sleeping").view().phase();
    assertThat(phase).isEqualTo(PodPhase.UNKNOWN);
    assertThat(phase.finished()).isFalse();
  }

  @Test
  void aNodeIsReadWhole() {
    NodeView node =
        node("n1")
            .labelled("topology.kubernetes.io/zone", "a")
            .labelled("topology.kubernetes.io/region", "eu")
            .createdAt(Instant.parse("2026-01-01T00:00:00Z"))
            .cordoned()
            .tainted("a=b:NoSchedule")
            .ready()
            .with("status.capacity", object("cpu", "4"))
            .allocatable("cpu", "3900m")
            .view();
    assertThat(node.name()).isEqualTo("n1");
    assertThat(node.uid()).isEqualTo("n1-uid");
    assertThat(node.zone()).isEqualTo(new Zone("eu", "a"));
    assertThat(node.zone()).hasToString("eu/a");
    assertThat(node.creationTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(node.unschedulable()).isTrue();
    assertThat(node.taints()).containsExactly(taint("a=b:NoSchedule"));
    assertThat(node.hasTaint(taint("a:NoSchedule"))).isTrue();
    assertThat(node.hasTaint(taint("a=b:NoExecute"))).isFalse();
    assertThat(node.ready()).isTrue();
    assertThat(node.capacity()).isEqualTo(object("cpu", "4"));
    assertThat(ResourceList.read(node.allocatable()).get("cpu").milliValue()).isEqualTo(3900);
  }

  @Test
  void theOlderZoneLabelsStillCount() {
    assertThat(node("n").labelled("failure-domain.beta.kubernetes.io/zone", "b").view().zone())
        .isEqualTo(new Zone("", "b"));
    assertThat(node("n").view().zone()).isSameAs(Zone.NONE);
  }

  @Test
  void anUnknownConditionStatusIsUnknown() {
    Condition condition = Condition.read(object("type", "Ready", "status", "Maybe"));
    assertThat(condition.status()).isEqualTo(ConditionStatus.UNKNOWN);
    assertThat(node("n").view().ready()).isFalse();
  }

  @Test
  void aConditionIsWrittenAsItWasRead() {
    JsonObject tree =
        object(
            "type",
            "Ready",
            "status",
            "False",
            "lastHeartbeatTime",
            "2026-01-01T00:00:00Z",
            "lastTransitionTime",
            "2026-01-01T00:00:01Z",
            "reason",
            "r",
            "message",
            "m");
    assertThat(Condition.read(tree).toTree()).isEqualTo(tree);
  }

  @Test
  void amountsAreTextsOrNumbersAndWhatIsNeitherIsAbsent() {
    ResourceList amounts =
        ResourceList.read(
            object("memory", "1Gi", "pods", "many")
                .with("cpu", 2L)
                .with("gpu", new JsonNumber("0.5"))
                .with("odd", JsonNull.NULL));
    assertThat(amounts.amounts()).containsOnlyKeys("cpu", "gpu", "memory");
    assertThat(amounts.get("cpu")).isEqualTo(Quantity.of(2));
    assertThat(amounts.get("gpu")).isEqualTo(Quantity.ofMillis(500));
    assertThat(amounts.get("pods")).isEqualTo(Quantity.ZERO);
    assertThat(amounts.has("pods")).isFalse();
  }

  @Test
  void countsArePlainOrPercentages() {
    JsonObject tree = object("percent", "30%", "text", "3", "negative", "-3%").with("count", 3L);
    assertThat(IntOrPercent.read(tree, "count")).contains(new IntOrPercent.Count(3));
    assertThat(IntOrPercent.read(tree, "percent")).contains(new IntOrPercent.Percent(30));
    assertThat(IntOrPercent.read(tree, "text")).contains(new IntOrPercent.Malformed("3"));
    assertThat(IntOrPercent.read(tree, "negative")).contains(new IntOrPercent.Malformed("-3%"));
    assertThat(IntOrPercent.read(tree, "absent")).isEmpty();
  }

  @Test
  void aBudgetIsReadWhole() {
    PodDisruptionBudgetView budget =
        PodDisruptionBudgetView.read(
            tree(
                """
                {"metadata": {"namespace": "shop", "name": "web", "generation": 3},
                 "spec": {"minAvailable": "50%", "unhealthyPodEvictionPolicy": "AlwaysAllow",
                  "selector": {"matchLabels": {"app": "web"}}},
                 "status": {"observedGeneration": 2, "disruptionsAllowed": 1, "currentHealthy": 4,
                  "desiredHealthy": 3, "expectedPods": 5,
                  "disruptedPods": {"web-0": "2026-01-01T00:00:00Z", "web-1": "soon"},
                  "conditions": [{"type": "DisruptionAllowed", "status": "True"}]}}
                """));
    assertThat(budget.minAvailable()).isEqualTo(new IntOrPercent.Percent(50));
    assertThat(budget.maxUnavailable()).isNull();
    assertThat(budget.generation()).isEqualTo(3);
    assertThat(budget.unhealthyPodEvictionPolicy())
        .isEqualTo(UnhealthyPodEvictionPolicy.ALWAYS_ALLOW);
    assertThat(budget.selects(web("shop", "web"))).isTrue();
    assertThat(budget.selects(web("shop", "db"))).isFalse();
    assertThat(budget.selects(web("prod", "web"))).isFalse();
    PodDisruptionBudgetView.Status status = budget.status();
    assertThat(status.observedGeneration()).isEqualTo(2);
    assertThat(status.disruptionsAllowed()).isEqualTo(1);
    assertThat(status.currentHealthy()).isEqualTo(4);
    assertThat(status.desiredHealthy()).isEqualTo(3);
    assertThat(status.expectedPods()).isEqualTo(5);
    assertThat(status.disruptedPods())
        .containsExactly(Map.entry("web-0", Instant.parse("2026-01-01T00:00:00Z")));
    assertThat(status.condition("DisruptionAllowed")).isPresent();
  }

  private static PodView web(String namespace, String app) {
    return pod("p").with("metadata.namespace", namespace).labelled("app", app).view();
  }

  @Test
  void aBudgetWithASelectorThatCannotBeReadSelectsNothing() {
    JsonObject odd =
        JsonObject.of(
            "matchExpressions", JsonArray.of(object("key", "app", "operator", "Resembles")));
    PodDisruptionBudgetView budget =
        PodDisruptionBudgetView.read(JsonObject.of("spec", JsonObject.of("selector", odd)));
    assertThat(budget.selector()).isEqualTo(LabelSelector.NOTHING);
  }

  @Test
  void aBudgetsStatusIsWrittenOverWhatWasThere() {
    JsonObject before =
        object("note", "kept")
            .with("disruptedPods", object("gone", "2026-01-01T00:00:00Z"))
            .with(
                "conditions",
                JsonArray.of(
                    object("type", "Other", "status", "True"),
                    object(
                        "type",
                        "DisruptionAllowed",
                        "status",
                        "False",
                        "reason",
                        "SyncFailed",
                        "message",
                        "old",
                        "lastTransitionTime",
                        "2025-01-01T00:00:00Z")));
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    PodDisruptionBudgetView.Status status =
        new PodDisruptionBudgetView.Status(
            1,
            2,
            3,
            4,
            5,
            new TreeMap<>(Map.of("web-0", now)),
            List.of(
                new Condition(
                    "DisruptionAllowed", ConditionStatus.TRUE, "SufficientPods", "", null, now)));
    assertThat(status.placeIn(before))
        .isEqualTo(
            tree(
                """
                {"note": "kept", "observedGeneration": 1, "disruptionsAllowed": 2,
                 "currentHealthy": 3, "desiredHealthy": 4, "expectedPods": 5,
                 "disruptedPods": {"web-0": "2026-01-01T00:00:00Z"},
                 "conditions": [{"type": "Other", "status": "True"},
                  {"type": "DisruptionAllowed", "status": "True", "reason": "SufficientPods",
                   "message": "", "observedGeneration": 1,
                   "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
                """));
  }

  @Test
  void aDaemonSetsTemplateIsReadAsAPodsSpecification() {
    JsonObject template = JsonObject.of("spec", object("nodeName", "n1"));
    JsonObject tree =
        JsonObject.of("metadata", object("namespace", "kube-system", "name", "proxy", "uid", "u"))
            .with("spec", JsonObject.of("template", template));
    DaemonSetView daemonSet = DaemonSetView.read(tree);
    assertThat(daemonSet.metadata().name()).isEqualTo("proxy");
    assertThat(daemonSet.template()).isEqualTo(template);
    assertThat(daemonSet.spec()).isEqualTo(PodSpecView.read(template.object("spec")));
    assertThat(daemonSet.spec().nodeName()).isEqualTo("n1");
  }

  @Test
  void aDaemonSetWithoutAStrategyReplacesOnePodAfterAnother() {
    DaemonSetView daemonSet = DaemonSetView.read(JsonObject.EMPTY);
    assertThat(daemonSet.isOnDelete()).isFalse();
    assertThat(daemonSet.maxUnavailable()).isEqualTo(new IntOrPercent.Count(1));
    assertThat(daemonSet.maxSurge()).isEqualTo(new IntOrPercent.Count(0));
    assertThat(daemonSet.minReady()).isEqualTo(Duration.ZERO);
  }

  @Test
  void podsOfATemplateShareWhatIsSmallAndNothingOfALargeOneIsKept() {
    assertThat(containersOf("c")).isSameAs(containersOf("c"));
    String large = "c".repeat(5_000);
    assertThat(containersOf(large)).isEqualTo(containersOf(large)).isNotSameAs(containersOf(large));
  }

  private static List<ContainerView> containersOf(String name) {
    JsonObject container = object("name", name);
    return PodSpecView.read(JsonObject.of("containers", JsonArray.of(container))).containers();
  }
}
