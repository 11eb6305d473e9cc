package dev.berth.sim;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.WatchRequest;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A scheduler against a real API server in memory, on virtual time. */
class SchedulerTest {
  private final VirtualCluster cluster = new VirtualCluster(1);

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aPodGetsANodeThatHasRoomForIt() {
    cluster.node("small", "1");
    cluster.node("large", "4");
    cluster.schedule();

    cluster.pod("web", "2");
    cluster.settle();

    assertThat(cluster.nodeOf("web")).isEqualTo("large");
    assertThat(cluster.scheduled("web").text("status")).isEqualTo("True");
    assertThat(cluster.events("web", "Scheduled"))
        .containsExactly("Successfully assigned default/web to large");
  }

  @Test
  void aPodThatFitsNowhereIsToldWhyAndGetsTheNextNodeThatFits() {
    cluster.node("small", "1");
    cluster.node("tainted", "4");
    cluster.taint("tainted", "[{'key':'dedicated','value':'gpu','effect':'NoSchedule'}]");
    cluster.schedule();

    cluster.pod("web", "2");
    cluster.settle();

    String message =
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s)."
            + " no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not"
            + " helpful for scheduling.";
    assertThat(cluster.scheduled("web").text("reason")).isEqualTo("Unschedulable");
    assertThat(cluster.scheduled("web").integer("observedGeneration")).hasValue(1);
    assertThat(cluster.scheduled("web").text("message")).isEqualTo(message);
    assertThat(cluster.events("web", "FailedScheduling")).containsExactly(message);

    cluster.node("large", "4");
    cluster.advance(Duration.ofSeconds(1));
    assertThat(cluster.nodeOf("web")).isEqualTo("large");
  }

  /** The example of the documentation: three taints, two of which are tolerated. */
  @Test
  void theOneTaintThatIsNotToleratedKeepsThePodAway() {
    cluster.node("node1", "4");
    cluster.taint(
        "node1",
        "[{'key':'key1','value':'value1','effect':'NoSchedule'},"
            + "{'key':'key1','value':'value1','effect':'NoExecute'},"
            + "{'key':'key2','value':'value2','effect':'NoSchedule'}]");
    cluster.schedule();

    cluster.pod(
        "web",
        "1",
        "{'tolerations':[{'key':'key1','operator':'Equal','value':'value1','effect':'NoSchedule'},"
            + "{'key':'key1','operator':'Equal','value':'value1','effect':'NoExecute'}]}");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(cluster.nodeOf("web")).isEmpty();
    assertThat(cluster.scheduled("web").text("message", ""))
        .startsWith("0/1 nodes are available: 1 node(s) had untolerated taint(s).");

    cluster.taint(
        "node1",
        "[{'key':'key1','value':'value1','effect':'NoSchedule'},"
            + "{'key':'key1','value':'value1','effect':'NoExecute'}]");
    cluster.advance(Duration.ofSeconds(10));
    assertThat(cluster.nodeOf("web")).isEqualTo("node1");
  }

  @Test
  void aNodeWithPreferNoScheduleIsAvoidedWhileAnotherFits() {
    cluster.node("avoided", "4");
    cluster.taint("avoided", "[{'key':'k','effect':'PreferNoSchedule'}]");
    cluster.node("other", "1");
    cluster.schedule();

    cluster.pod("first", "1");
    cluster.settle();
    cluster.pod("second", "1");
    cluster.settle();

    assertThat(cluster.nodeOf("first")).isEqualTo("other");
    assertThat(cluster.nodeOf("second")).isEqualTo("avoided");
  }

  @Test
  void aPodWithANodeOfItsOwnIsNotTheSchedulersBusiness() {
    cluster.node("node1", "4");
    cluster.taint("node1", "[{'key':'k','effect':'NoSchedule'}]");
    cluster.schedule();

    cluster.pod("web", "1", "{'nodeName':'node1'}");
    cluster.settle();

    assertThat(cluster.nodeOf("web")).isEqualTo("node1");
    assertThat(cluster.events("web", "Scheduled")).isEmpty();
  }

  @Test
  void podsOfAnUnknownSchedulerAreLeftAlone() {
    cluster.node("node1", "4");
    cluster.schedule();

    cluster.pod("web", "1", "{'schedulerName':'another'}");
    cluster.advance(Duration.ofMinutes(10));

    assertThat(cluster.nodeOf("web")).isEmpty();
    assertThat(cluster.list(Resources.EVENTS)).isEmpty();
  }

  @Test
  void eachProfileSchedulesInItsOwnNameAndByItsOwnScores() {
    cluster.node("used", "4");
    cluster.node("empty", "4");
    cluster.pod("there", "1", "{'nodeName':'used'}");
    cluster.schedule(
        configuration(
            """
            {'apiVersion':'kubescheduler.config.k8s.io/v1','kind':'KubeSchedulerConfiguration',
             'profiles':[{'schedulerName':'default-scheduler'},
              {'schedulerName':'packing','pluginConfig':[{'name':'NodeResourcesFit','args':
                {'scoringStrategy':{'type':'MostAllocated','resources':[{'name':'cpu','weight':1}]}}}],
               'plugins':{'score':{'disabled':[{'name':'NodeResourcesBalancedAllocation'}]}}}]}
            """));

    cluster.pod("spread", "1");
    cluster.pod("packed", "1", "{'schedulerName':'packing'}");
    cluster.settle();

    assertThat(cluster.nodeOf("spread")).isEqualTo("empty");
    assertThat(cluster.nodeOf("packed")).isEqualTo("used");
    assertThat(cluster.list(Resources.EVENTS))
        .filteredOn(event -> event.object("regarding").text("name", "").equals("packed"))
        .extracting(event -> event.text("reportingController"))
        .containsExactly("packing");
  }

  private static SchedulerConfiguration configuration(String json) {
    return switch (ConfigurationReader.read(VirtualCluster.tree(json))) {
      case ConfigurationReader.Result.Valid(SchedulerConfiguration valid) -> valid;
      case ConfigurationReader.Result.Invalid invalid -> throw new AssertionError(invalid);
    };
  }

  @Test
  void gatesHoldAPodBackUntilTheLastIsRemoved() {
    cluster.node("node1", "4");
    cluster.schedule();

    cluster.pod("web", "1", "{'schedulingGates':[{'name':'one'},{'name':'two'}]}");
    cluster.advance(Duration.ofMinutes(10));
    assertThat(cluster.nodeOf("web")).isEmpty();
    assertThat(cluster.scheduled("web").text("reason")).isEqualTo("SchedulingGated");

    cluster.patch(Resources.PODS, podName("web"), "{'spec':{'schedulingGates':[{'name':'two'}]}}");
    cluster.settle();
    assertThat(cluster.nodeOf("web")).isEmpty();

    cluster.patch(Resources.PODS, podName("web"), "{'spec':{'schedulingGates':null}}");
    cluster.settle();
    assertThat(cluster.nodeOf("web")).isEqualTo("node1");
  }

  @Test
  void roomThatIsFreedIsUsedAtOnce() {
    cluster.node("node1", "1");
    cluster.schedule();
    cluster.pod("first", "1");
    cluster.settle();
    cluster.pod("second", "1");
    cluster.settle();
    assertThat(cluster.nodeOf("second")).isEmpty();

    cluster.delete(Resources.PODS, podName("first"));
    cluster.settle();
    assertThat(cluster.nodeOf("second")).isEqualTo("node1");
  }

  @Test
  void whatHasEndedTakesNoRoom() {
    cluster.node("node1", "1");
    cluster.schedule();
    cluster.pod("first", "1");
    cluster.settle();
    cluster.patchStatus(Resources.PODS, podName("first"), "{'status':{'phase':'Succeeded'}}");

    cluster.pod("second", "1");
    cluster.settle();
    assertThat(cluster.nodeOf("second")).isEqualTo("node1");
  }

  @Test
  void aPodOfHigherPriorityHasRoomMadeForIt() {
    cluster.priority("low", 10);
    cluster.priority("high", 1000);
    cluster.node("node1", "2");
    cluster.schedule();
    cluster.pod("a", "1", "{'priorityClassName':'low'}");
    cluster.pod("b", "1", "{'priorityClassName':'low'}");
    cluster.settle();

    cluster.pod("important", "1", "{'priorityClassName':'high'}");
    cluster.advance(Duration.ofSeconds(5));

    assertThat(cluster.nodeOf("important")).isEqualTo("node1");
    List<String> left = List.of("a", "b").stream().filter(cluster::exists).toList();
    assertThat(left).hasSize(1);
    String victim = left.contains("a") ? "b" : "a";
    String uid = cluster.getPod("important").object("metadata").text("uid", "");
    assertThat(cluster.events(victim, "Preempted"))
        .containsExactly("Preempted by pod " + uid + " on node node1");
    assertThat(cluster.metrics("scheduler")).contains("scheduler_preemption_attempts_total 1");
  }

  @Test
  void aVictimThatTakesItsTimeIsMarkedAndWaitedFor() {
    cluster.priority("high", 1000);
    cluster.node("node1", "1");
    cluster.schedule();
    cluster.pod("slow", "1", "{'terminationGracePeriodSeconds':30}");
    cluster.settle();
    cluster.patchStatus(Resources.PODS, podName("slow"), "{'status':{'phase':'Running'}}");

    cluster.pod("important", "1", "{'priorityClassName':'high'}");
    cluster.advance(Duration.ofSeconds(20));

    assertThat(cluster.getPod("slow").object("metadata").has("deletionTimestamp")).isTrue();
    assertThat(cluster.getPod("slow").object("status").array("conditions").objects())
        .anySatisfy(condition -> {
          assertThat(condition.text("type")).isEqualTo("DisruptionTarget");
          assertThat(condition.text("reason")).isEqualTo("PreemptionByScheduler");
          assertThat(condition.text("message"))
              .isEqualTo("default-scheduler: preempting to accommodate a higher priority pod");
          assertThat(condition.integer("observedGeneration")).hasValue(1);
        });
    assertThat(cluster.getPod("important").object("status").text("nominatedNodeName"))
        .isEqualTo("node1");
    assertThat(cluster.nodeOf("important")).isEmpty();

    cluster.delete(Resources.PODS, podName("slow"));
    cluster.advance(Duration.ofSeconds(10));
    assertThat(cluster.nodeOf("important")).isEqualTo("node1");
  }

  @Test
  void aPodThatPreemptionCannotHelpPreemptsNobody() {
    cluster.priority("high", 1000);
    cluster.node("node1", "1");
    cluster.schedule();
    cluster.pod("bystander", "1");
    cluster.settle();

    cluster.pod("huge", "2", "{'priorityClassName':'high'}");
    cluster.advance(Duration.ofMinutes(1));

    assertThat(cluster.exists("bystander")).isTrue();
    assertThat(cluster.events("bystander", "Preempted")).isEmpty();
  }

  @Test
  void whoComesAfterACrashGoesOn() {
    cluster.node("node1", "2");
    cluster.schedule();
    cluster.pod("first", "1");
    cluster.settle();
    cluster.crash("scheduler");
    cluster.pod("second", "1");
    cluster.pod("third", "1");

    cluster.schedule();

    assertThat(List.of(cluster.nodeOf("second"), cluster.nodeOf("third")))
        .containsExactlyInAnyOrder("node1", "");
  }

  /** Of 40 pods that were given a place at once, 32 are being bound when the node changes. */
  @Test
  void aNodeThatChangesBetweenDecisionAndBindingIsNoticed() {
    cluster.node("node1", "40");
    Api api = cluster.schedulersApi();
    AtomicBoolean tainted = new AtomicBoolean();
    cluster.schedule(
        ConfigurationReader.defaults(),
        new Api() {
          @Override
          public ApiResult send(ApiRequest request) {
            if (request instanceof ApiRequest.Create(Target target, JsonObject _)
                && target.subresource().equals("binding")
                && tainted.compareAndSet(false, true)) {
              cluster.taint("node1", "[{'key':'k','effect':'NoSchedule'}]");
            }
            return api.send(request);
          }

          @Override
          public ListResult list(ListRequest request) {
            return api.list(request);
          }

          @Override
          public ApiWatch watch(WatchRequest request, Runnable onReady) {
            return api.watch(request, onReady);
          }
        });
    for (int i = 0; i < 40; i++) {
      cluster.pod("pod" + i, "1");
    }
    cluster.settle();

    assertThat(cluster.list(Resources.PODS))
        .filteredOn(pod -> pod.object("spec").text("nodeName", "").equals("node1"))
        .hasSize(32);
    assertThat(cluster.list(Resources.PODS))
        .filteredOn(pod -> pod.object("spec").text("nodeName", "").isEmpty())
        .allSatisfy(pod ->
            assertThat(cluster.scheduled(pod.object("metadata").text("name", "")).text("message"))
                .startsWith("0/1 nodes are available: 1 node(s) had untolerated taint(s)."));
  }

  /** As an earlier leader does whose last bindings arrive late, while the node changes too. */
  @Test
  void aPodThatSomebodyElseBindsMeanwhileCountsOnce() {
    cluster.node("node1", "40");
    Api admin = cluster.admin();
    AtomicBoolean interfered = new AtomicBoolean();
    cluster.schedule(
        ConfigurationReader.defaults(),
        new InterceptedApi(
            cluster.schedulersApi(),
            (request, real) -> {
              if (request instanceof ApiRequest.Create(Target target, JsonObject _)
                  && target.subresource().equals("binding")
                  && interfered.compareAndSet(false, true)) {
                for (int i = 0; i < 40; i++) {
                  bind(admin, "pod" + i, "node1");
                }
                cluster.patchStatus(
                    Resources.NODES,
                    ObjectName.of("node1"),
                    "{'status':{'allocatable':{'cpu':'41'}}}");
              }
              return real.send(request);
            }));
    for (int i = 0; i < 40; i++) {
      cluster.pod("pod" + i, "1");
    }
    cluster.advance(Duration.ofMinutes(1));
    cluster.pod("last", "1");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(cluster.nodeOf("last")).isEqualTo("node1");
  }

  /** As with a disk that answers too late: nobody may be told that the pod has no node. */
  @Test
  void aPodThatWasBoundThoughTheServerFailedIsLeftThere() {
    cluster.node("node1", "1");
    AtomicBoolean failed = new AtomicBoolean();
    cluster.schedule(
        ConfigurationReader.defaults(),
        new InterceptedApi(
            cluster.schedulersApi(),
            (request, real) -> {
              ApiResult result = real.send(request);
              return request instanceof ApiRequest.Create(Target target, JsonObject _)
                      && target.subresource().equals("binding")
                      && failed.compareAndSet(false, true)
                  ? new ApiResult.Refused(ApiError.of(500, "the disk did not answer in time"))
                  : result;
            }));
    cluster.pod("pod1", "1");
    cluster.advance(Duration.ofMinutes(1));

    assertThat(failed).isTrue();
    assertThat(cluster.nodeOf("pod1")).isEqualTo("node1");
    assertThat(cluster.events("pod1", "FailedScheduling")).isEmpty();
  }

  /** Nothing was written: the pod is told why, and is tried again. */
  @Test
  void aPodThatAServersFailureKeptFromBeingBoundIsTriedAgain() {
    cluster.node("node1", "1");
    AtomicBoolean failed = new AtomicBoolean();
    cluster.schedule(
        ConfigurationReader.defaults(),
        new InterceptedApi(
            cluster.schedulersApi(),
            (request, real) ->
                request instanceof ApiRequest.Create(Target target, JsonObject _)
                        && target.subresource().equals("binding")
                        && failed.compareAndSet(false, true)
                    ? new ApiResult.Refused(ApiError.of(500, "the disk is full"))
                    : real.send(request)));
    cluster.pod("pod1", "1");
    cluster.advance(Duration.ofMinutes(1));

    assertThat(cluster.events("pod1", "FailedScheduling"))
        .singleElement()
        .asString()
        .contains("binding to node1: the disk is full");
    assertThat(cluster.nodeOf("pod1")).isEqualTo("node1");
  }

  private static void bind(Api api, String pod, String node) {
    JsonObject binding =
        JsonObject.of("metadata", JsonObject.of("name", pod))
            .with("target", JsonObject.of("kind", "Node").with("name", node));
    ObjectName name = new ObjectName("default", pod);
    assertThat(api.create(Target.of(Resources.PODS, name).subresource("binding"), binding))
        .isInstanceOf(ApiResult.Done.class);
  }

  @Test
  void attemptsAndWaitingPodsAreCounted() {
    cluster.node("node1", "1");
    cluster.schedule();
    cluster.pod("first", "1");
    cluster.pod("second", "1");
    cluster.settle();

    assertThat(cluster.metrics("scheduler"))
        .contains(
            "scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"scheduled\"}"
                + " 1",
            "scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"unschedulable\"}"
                + " 1",
            "scheduler_pending_pods{queue=\"unschedulable\"} 1",
            "scheduler_stage_duration_seconds_count{stage=\"bind\"} 1");
  }

  @Test
  void aNodeThatIsCordonedTakesNoMore() {
    cluster.node("node1", "4");
    cluster.schedule();
    cluster.patch(Resources.NODES, ObjectName.of("node1"), "{'spec':{'unschedulable':true}}");
    cluster.settle();

    cluster.pod("web", "1");
    cluster.settle();
    assertThat(cluster.scheduled("web").text("message", ""))
        .startsWith("0/1 nodes are available: 1 node(s) were unschedulable.");

    cluster.patch(Resources.NODES, ObjectName.of("node1"), "{'spec':{'unschedulable':false}}");
    cluster.settle();
    assertThat(cluster.nodeOf("web")).isEqualTo("node1");
  }
}
