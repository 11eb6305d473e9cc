package dev.berth.sim;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that others are preempted for, and what becomes of their places, on virtual time. */
class NominatedPodsTest {
  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void priorities() {
    cluster.priority("low", 10);
    cluster.priority("medium", 100);
    cluster.priority("high", 1000);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** The seconds in which a scheduler goes on; pods that nothing wakes wait for five minutes. */
  private void passSeconds() {
    cluster.advance(Duration.ofSeconds(3));
  }

  @Test
  void placesThatAreFreedAreTakenByTheMostImportantAndThenByTheNext() {
    for (int node = 0; node < 4; node++) {
      cluster.node("node" + node, "10");
    }
    cluster.schedule();
    create("low", 40);
    cluster.settle();
    assertThat(bound("low")).isEqualTo(40);
    for (int i = 0; i < 40; i++) {
      holdBack("low" + i);
    }

    create("medium", 40);
    passSeconds();
    assertThat(nominated("medium")).isEqualTo(40);
    create("high", 20);
    passSeconds();
    assertThat(nominated("high")).isEqualTo(20);

    for (int i = 0; i < 40; i++) {
      letGo("low" + i);
    }
    passSeconds();

    assertThat(bound("high")).isEqualTo(20);
    assertThat(bound("medium")).isEqualTo(20);
  }

  /** Unlike upstream, where each of several that are nominated waits for all victims to leave. */
  @Test
  void aPlaceThatIsFreeIsTakenThoughAnotherVictimNeverLeaves() {
    cluster.node("node0", "2");
    cluster.schedule();
    create("low", 2);
    cluster.settle();
    holdBack("low0");
    holdBack("low1");
    create("medium", 2);
    passSeconds();
    assertThat(nominated("medium")).isEqualTo(2);

    letGo("low1");
    passSeconds();

    assertThat(bound("medium")).isEqualTo(1);
  }

  @Test
  void whoeverLosesItsPlaceToAMoreImportantPodLooksForAnother() {
    cluster.node("node0", "2");
    cluster.schedule();
    create("low", 2);
    cluster.settle();
    holdBack("low0");
    holdBack("low1");
    cluster.pod("medium0", "2", "{'priorityClassName':'medium'}");
    passSeconds();
    assertThat(nominated("medium")).isEqualTo(1);
    cluster.node("node1", "2");
    cluster.pod("victim", "2", "{'priorityClassName':'low','nodeName':'node1'}");
    passSeconds();
    assertThat(cluster.exists("victim")).as("node0 will do once its pods have left").isTrue();

    cluster.pod("other", "1", "{'priorityClassName':'high','nodeName':'node0'}");
    passSeconds();

    assertThat(cluster.nodeOf("medium0")).isEqualTo("node1");
  }

  /** The reservation of a pod that is gone keeps nobody waiting. */
  @Test
  void aNominatedPodThatIsDeletedLeavesItsPlaceToOthers() {
    cluster.node("node0", "2");
    cluster.schedule();
    cluster.pod("low0", "1", "{'priorityClassName':'low'}");
    cluster.settle();
    holdBack("low0");
    cluster.pod("high0", "2", "{'priorityClassName':'high'}");
    passSeconds();
    cluster.pod("medium0", "1", "{'priorityClassName':'medium'}");
    passSeconds();
    assertThat(cluster.nodeOf("medium0")).as("node0 is kept for high0").isEmpty();

    cluster.delete(Resources.PODS, podName("high0"));
    passSeconds();

    assertThat(cluster.nodeOf("medium0")).isEqualTo("node0");
  }

  private void create(String priority, int count) {
    for (int i = 0; i < count; i++) {
      cluster.pod(priority + i, "1", "{'priorityClassName':'" + priority + "'}");
    }
  }

  /** Has a pod stay when it is deleted. */
  private void holdBack(String pod) {
    cluster.patch(Resources.PODS, podName(pod), "{'metadata':{'finalizers':['example.com/hold']}}");
  }

  private void letGo(String pod) {
    cluster.patch(Resources.PODS, podName(pod), "{'metadata':{'finalizers':null}}");
  }

  private long bound(String prefix) {
    return cluster.list(Resources.PODS).stream()
        .filter(pod -> pod.object("metadata").text("name", "").startsWith(prefix))
        .filter(pod -> !pod.object("spec").text("nodeName", "").isEmpty())
        .count();
  }

  private long nominated(String prefix) {
    return cluster.list(Resources.PODS).stream()
        .filter(pod -> pod.object("metadata").text("name", "").startsWith(prefix))
        .filter(pod -> !pod.object("status").text("nominatedNodeName", "").isEmpty())
        .count();
  }
}
