package dev.berth.agent.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.PodId;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod from its start to its deletion. */
final class PodLifecycleTest {
  @TempDir private Path root;
  private TestNode node;

  @BeforeEach
  void begin() {
    node = new TestNode(root).start();
  }

  @AfterEach
  void end() {
    node.close();
  }

  @Test
  void aPodThatIsBoundToTheNodeRuns() {
    node.pod("web");

    assertThat(node.runtime().running()).containsExactly("web/c");
    JsonObject status = node.status("web");
    assertThat(status.text("phase")).isEqualTo("Running");
    assertThat(status.text("hostIP")).isEqualTo("192.168.0.1");
    assertThat(status.text("podIP")).isEqualTo("10.0.0.2");
    assertThat(status.text("qosClass")).isEqualTo("BestEffort");
    assertThat(status.integer("observedGeneration")).hasValue(1);
    assertThat(status.has("startTime")).isTrue();
    for (String condition :
        new String[] {
          "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"
        }) {
      assertThat(node.condition("web", condition)).as(condition).isEqualTo("True");
    }
    JsonObject container = node.container("web", "c");
    assertThat(container.object("state").has("running")).isTrue();
    assertThat(container.text("containerID")).isEqualTo("fake://id1");
    assertThat(container.text("imageID")).isEqualTo("fake:i");
    assertThat(container.flag("ready", false)).isTrue();
    assertThat(container.flag("started", false)).isTrue();
    assertThat(container.integer("restartCount")).hasValue(0);
  }

  @Test
  void itsEventsAreAKubelets() {
    node.pod("web");

    assertThat(node.events("web"))
        .containsExactly(
            "Pulled: Container image \"i\" already present on machine and can be accessed by the"
                + " pod",
            "Created: Container created",
            "Started: Container started");
  }

  @Test
  void aContainerThatEndsIsStartedAgainAtOnceAndThenAfterABackOffThatDoubles() {
    node.pod("web");

    node.runtime().exit("web", "c", 1);
    node.settle();
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.container("web", "c").integer("restartCount")).hasValue(1);
    JsonObject last = node.container("web", "c").object("lastState").object("terminated");
    assertThat(last.text("reason")).isEqualTo("Error");
    assertThat(last.integer("exitCode")).hasValue(1);

    for (int delay : new int[] {10, 20, 40, 80, 160, 300, 300}) {
      node.runtime().exit("web", "c", 1);
      node.settle();
      assertThat(node.state("web", "c")).isEqualTo("CrashLoopBackOff");
      assertThat(node.phase("web")).isEqualTo("Running");
      assertThat(node.isReady("web")).isFalse();
      node.advanceSeconds(delay - 1);
      assertThat(node.runtime().running()).as("%d s", delay).isEmpty();
      node.advanceSeconds(1);
      assertThat(node.runtime().running()).as("%d s", delay).containsExactly("web/c");
    }
    assertThat(node.isReady("web")).isTrue();
  }

  @Test
  void theMessageOfABackOffNamesTheContainerAndThePod() {
    JsonObject pod = node.pod("web");
    node.runtime().exit("web", "c", 1);
    node.settle();
    node.runtime().exit("web", "c", 1);
    node.settle();

    String uid = pod.object("metadata").text("uid");
    assertThat(node.container("web", "c").object("state").object("waiting").text("message"))
        .isEqualTo("back-off 10s restarting failed container=c pod=web_default(" + uid + ")");
    assertThat(node.events("web"))
        .contains(
            "BackOff: Back-off restarting failed container c in pod web_default(" + uid + ")");
  }

  @Test
  void aContainerThatRanForMoreThanTenMinutesIsForgiven() {
    node.pod("web");
    node.runtime().exit("web", "c", 1);
    node.settle();
    node.runtime().exit("web", "c", 1);
    node.advanceSeconds(10);
    node.advanceSeconds(601);

    node.runtime().exit("web", "c", 1);
    node.settle();
    assertThat(node.runtime().running()).containsExactly("web/c");
  }

  @Test
  void aPodWhoseContainersAreNotRestartedSucceedsOrFails() {
    node.pod("job", "{'restartPolicy':'Never'}");
    node.pod("bad", "{'restartPolicy':'Never'}");
    node.runtime().exit("job", "c", 0);
    node.runtime().exit("bad", "c", 3);
    node.settle();

    assertThat(node.phase("job")).isEqualTo("Succeeded");
    assertThat(node.state("job", "c")).isEqualTo("Completed");
    assertThat(node.phase("bad")).isEqualTo("Failed");
    assertThat(node.container("bad", "c").object("state").object("terminated").integer("exitCode"))
        .hasValue(3);
    assertThat(node.volumes().prepared()).isEmpty();
    node.advanceSeconds(3600);
    assertThat(node.runtime().running()).isEmpty();
  }

  @Test
  void onFailureRestartsFailuresOnly() {
    node.pod("job", "{'restartPolicy':'OnFailure'}");
    node.runtime().exit("job", "c", 1);
    node.settle();
    assertThat(node.runtime().running()).containsExactly("job/c");

    node.runtime().exit("job", "c", 0);
    node.settle();
    assertThat(node.phase("job")).isEqualTo("Succeeded");
  }

  @Test
  void aContainersOwnRulesDecideBeforeItsPod() {
    node.pod(
        "job",
        "{'restartPolicy':'Never','containers':[{'name':'c','image':'i','restartPolicy':'Never',"
            + "'restartPolicyRules':[{'action':'Restart','exitCodes':{'operator':'In','values':[42]}}]}]}");
    node.runtime().exit("job", "c", 42);
    node.settle();
    assertThat(node.runtime().running()).containsExactly("job/c");

    node.runtime().exit("job", "c", 1);
    node.settle();
    assertThat(node.phase("job")).isEqualTo("Failed");
  }

  @Test
  void lackOfMemoryIsTold() {
    node.pod("hog", "{'restartPolicy':'Never'}");
    node.runtime().exhaust("hog", "c");
    node.settle();

    assertThat(node.state("hog", "c")).isEqualTo("OOMKilled");
    assertThat(node.phase("hog")).isEqualTo("Failed");
  }

  @Test
  void aDeletedPodIsToldToEndAndThenRemoved() {
    node.pod("web");
    node.delete("web");

    assertThat(node.exists("web")).isFalse();
    assertThat(node.runtime().journal())
        .containsExactly("sandbox web", "start web/c 0", "TERM web/c", "stop web", "remove web");
    assertThat(node.volumes().prepared()).isEmpty();
    assertThat(node.agent().pods()).isEmpty();
    assertThat(node.events("web")).contains("Killing: Stopping container c");
  }

  @Test
  void whatIgnoresTermIsKilledAtTheEndOfTheGracePeriod() {
    node.runtime().deafToTerm("c");
    node.pod("web", "{'terminationGracePeriodSeconds':30}");
    node.delete("web");

    node.advanceSeconds(29);
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.exists("web")).isTrue();
    node.advanceSeconds(1);
    assertThat(node.runtime().journal()).contains("KILL web/c");
    assertThat(node.exists("web")).isFalse();
  }

  @Test
  void aSecondDeletionMayShortenTheGracePeriod() {
    node.runtime().deafToTerm("c");
    node.pod("web", "{'terminationGracePeriodSeconds':300}");
    node.delete("web");
    node.advanceSeconds(10);
    node.delete("web", 5);

    node.advanceSeconds(5);
    assertThat(node.exists("web")).isFalse();
  }

  @Test
  void aPreStopHookRunsBeforeTerm() {
    node.pod(
        "web",
        "{'containers':[{'name':'c','image':'i','lifecycle':{'preStop':{'sleep':{'seconds':7}}}}]}");
    node.delete("web");

    node.advanceSeconds(6);
    assertThat(node.runtime().journal()).doesNotContain("TERM web/c");
    node.advanceSeconds(1);
    assertThat(node.runtime().journal()).contains("TERM web/c");
    assertThat(node.exists("web")).isFalse();
  }

  @Test
  void aPreStopHookThatTakesTooLongLeavesTwoSeconds() {
    node.runtime().deafToTerm("c");
    node.pod(
        "web",
        "{'terminationGracePeriodSeconds':10,'containers':[{'name':'c','image':'i',"
            + "'lifecycle':{'preStop':{'sleep':{'seconds':10}}}}]}");
    node.delete("web");

    node.advanceSeconds(10);
    assertThat(node.runtime().journal()).contains("TERM web/c").doesNotContain("KILL web/c");
    node.advanceSeconds(2);
    assertThat(node.runtime().journal()).contains("KILL web/c");
  }

  @Test
  void aContainerCountsAsRunningOnceItsPostStartHookIsDone() {
    node.pod(
        "web",
        "{'containers':[{'name':'c','image':'i','lifecycle':{'postStart':{'sleep':{'seconds':5}}}}]}");

    node.advanceSeconds(4);
    assertThat(node.state("web", "c")).isEqualTo("ContainerCreating");
    assertThat(node.phase("web")).isEqualTo("Pending");
    node.advanceSeconds(1);
    assertThat(node.state("web", "c")).isEqualTo("running");
    assertThat(node.isReady("web")).isTrue();
  }

  @Test
  void aPostStartHookThatFailsEndsItsContainer() {
    node.runtime().commands(_ -> 1);
    node.pod(
        "web",
        "{'restartPolicy':'Never','containers':[{'name':'c','image':'i',"
            + "'lifecycle':{'postStart':{'exec':{'command':['x']}}}}]}");

    assertThat(node.events("web")).contains("FailedPostStartHook: PostStartHook failed");
    assertThat(node.runtime().journal()).contains("TERM web/c");
  }

  @Test
  void aPodThatIsActiveForTooLongFails() {
    node.pod("job", "{'activeDeadlineSeconds':60}");
    node.advanceSeconds(59);
    assertThat(node.phase("job")).isEqualTo("Running");

    node.advanceSeconds(1);
    assertThat(node.phase("job")).isEqualTo("Failed");
    assertThat(node.status("job").text("reason")).isEqualTo("DeadlineExceeded");
    assertThat(node.status("job").text("message"))
        .isEqualTo("Pod was active on the node longer than the specified deadline");
    assertThat(node.runtime().running()).isEmpty();
  }

  @Test
  void readinessGatesOfOthersKeepAPodFromBeingReady() {
    node.pod("web", "{'readinessGates':[{'conditionType':'example.com/ok'}]}");
    assertThat(node.condition("web", "ContainersReady")).isEqualTo("True");
    assertThat(node.isReady("web")).isFalse();

    node.patchStatus("web", "{'conditions':[{'type':'example.com/ok','status':'True'}]}");
    assertThat(node.isReady("web")).isTrue();
  }

  @Test
  void whatOthersSayOfAPodThatRunsIsPutRight() {
    node.pod("web");
    node.patchStatus("web", "{'conditions':[{'type':'Ready','status':'False'}]}");

    assertThat(node.isReady("web")).isTrue();
  }

  @Test
  void anEvictedPodFailsWithItsReason() {
    JsonObject pod = node.pod("web");
    node.agent()
        .evict(
            new PodId("default", "web", pod.object("metadata").text("uid", "")),
            new RunningPods.Eviction(
                "Evicted", "The node was low on resource: memory.", Optional.of("why")),
            Duration.ZERO);
    node.settle();

    assertThat(node.phase("web")).isEqualTo("Failed");
    assertThat(node.status("web").text("reason")).isEqualTo("Evicted");
    assertThat(node.condition("web", "DisruptionTarget")).isEqualTo("True");
    assertThat(node.events("web")).contains("Evicted: The node was low on resource: memory.");
    assertThat(node.runtime().running()).isEmpty();
  }

  /** As at the end of a shutdown: who uses up all of the time there is must be told of, too. */
  @Test
  void whoWaitsForWhatIsToldWaitsForAPodThatIsBeingKilled() {
    node.runtime().deafToTerm("c");
    JsonObject pod = node.pod("web");
    AtomicBoolean told = new AtomicBoolean();
    node.agent()
        .end(
            Map.of(pod.object("metadata").text("uid", ""), Duration.ofSeconds(5)),
            new RunningPods.Eviction("Terminated", "The node shuts down.", Optional.empty()),
            () -> {});
    node.advanceSeconds(4);
    node.agent().whenTold(Duration.ofSeconds(2), () -> told.set(true));
    node.settle();
    assertThat(told).isFalse();

    node.advanceSeconds(1);
    assertThat(node.phase("web")).isEqualTo("Failed");
    assertThat(node.status("web").text("reason")).isEqualTo("Terminated");
    node.advanceSeconds(1); // before which nobody would have given up
    assertThat(told).isTrue();
  }

  @Test
  void anEphemeralContainerIsStartedOnce() {
    node.pod("web");
    TestNode.done(
        node.admin()
            .patch(
                Target.of(Resources.PODS, new ObjectName("default", "web"))
                    .subresource("ephemeralcontainers"),
                PatchType.STRATEGIC,
                tree("{'spec':{'ephemeralContainers':[{'name':'debug','image':'i'}]}}")));
    node.settle();
    assertThat(node.runtime().running()).containsExactly("web/c", "web/debug");

    node.runtime().exit("web", "debug", 0);
    node.advanceSeconds(600);
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.state("web", "debug")).isEqualTo("Completed");
  }

  /** They show labels and annotations; what else they show is told apart. */
  @Test
  void volumesAreRefreshedAtOnceWhenAPodIsLabelled() {
    node.pod("web");
    assertThat(node.volumes().refreshes()).isZero();

    node.patch("web", "{'metadata':{'labels':{'a':'1'}}}");
    assertThat(node.volumes().refreshes()).isEqualTo(1);
    node.patch("web", "{'metadata':{'annotations':{'a':'1'}}}");
    assertThat(node.volumes().refreshes()).isEqualTo(2);
    node.patch("web", "{'spec':{'activeDeadlineSeconds':1000}}");
    assertThat(node.volumes().refreshes()).isEqualTo(2);
  }
}
