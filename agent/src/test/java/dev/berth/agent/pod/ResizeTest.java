package dev.berth.agent.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.CpuQuota;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources of pods that change while they run. */
final class ResizeTest {
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

  private static String requesting(String cpu) {
    return "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'%s'}}}]}"
        .formatted(cpu);
  }

  private void resize(String pod, String cpu) {
    TestNode.done(
        node.admin()
            .patch(
                Target.of(Resources.PODS, new ObjectName("default", pod)).subresource("resize"),
                PatchType.STRATEGIC,
                tree(
                    "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'%s'}}}]}}"
                        .formatted(cpu))));
  }

  private void nodeHas(String cpu) {
    TestNode.done(
        node.admin()
            .patch(
                Target.of(Resources.NODES, ObjectName.of(TestNode.NAME)).subresource("status"),
                PatchType.MERGE,
                tree("{'status':{'allocatable':{'cpu':'%s'}}}".formatted(cpu))));
  }

  private JsonObject pending(String pod) {
    return Conditions.find(node.status(pod).array("conditions"), "PodResizePending")
        .orElse(JsonObject.EMPTY);
  }

  @Test
  void aContainerGetsMoreWhileItRuns() {
    node.pod("web", requesting("1"));
    resize("web", "2");
    node.settle();

    assertThat(node.runtime().journal())
        .containsExactly("sandbox web", "start web/c 0", "resize web/c 2048");
    assertThat(node.container("web", "c").object("allocatedResources").text("cpu")).isEqualTo("2");
    assertThat(node.condition("web", "PodResizeInProgress")).isEqualTo("Unknown");
    assertThat(node.events("web"))
        .anyMatch(event -> event.startsWith("ResizeStarted: "))
        .anyMatch(event -> event.startsWith("ResizeCompleted: "));
  }

  /** Until then it has what it had, however long it takes to end. */
  @Test
  void aContainerThatIsStartedAgainIsResizedOnceItRuns() {
    node.runtime().deafToTerm("c");
    node.pod(
        "web",
        "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'1'}},'resizePolicy':[{'resourceName':'cpu','restartPolicy':'RestartContainer'}]}]}");
    resize("web", "2");
    node.settle();
    assertThat(node.condition("web", "PodResizeInProgress")).isEqualTo("True");
    assertThat(node.container("web", "c").object("allocatedResources").text("cpu")).isEqualTo("2");
    assertThat(actual("web")).isEqualTo("1");
    assertThat(node.events("web")).noneMatch(event -> event.startsWith("ResizeCompleted: "));

    node.advanceSeconds(60);
    assertThat(node.runtime().journal()).contains("start web/c 1");
    assertThat(node.condition("web", "PodResizeInProgress")).isEqualTo("Unknown");
    assertThat(actual("web")).isEqualTo("2");
    assertThat(node.events("web")).anyMatch(event -> event.startsWith("ResizeCompleted: "));
  }

  private String actual(String pod) {
    return node.container(pod, "c").object("resources").object("requests").text("cpu", "");
  }

  @Test
  void whatTheNodeDoesNotHaveNowIsDeferred() {
    node.pod("web", requesting("1"));
    node.pod("other", requesting("2"));
    resize("web", "3");
    node.settle();
    assertThat(pending("web").text("reason")).isEqualTo("Deferred");
    assertThat(node.container("web", "c").object("allocatedResources").text("cpu")).isEqualTo("1");

    node.delete("other");
    assertThat(pending("web").isEmpty()).isTrue();
    assertThat(node.runtime().journal()).contains("resize web/c 3072");
  }

  @Test
  void whatTheNodeWillNeverHaveIsInfeasible() {
    node.pod("web", requesting("1"));
    nodeHas("8"); // or else the server refuses what comes next
    resize("web", "5");
    nodeHas("4");
    node.settle();

    assertThat(pending("web").text("reason")).isEqualTo("Infeasible");
    assertThat(pending("web").text("message"))
        .isEqualTo("Node didn't have enough capacity: cpu, requested: 5000, capacity: 4000");
  }

  /** A pod with a container that has limits of its own, and one that has the pod's. */
  private static final String AS_A_WHOLE =
      "{'resources':{'requests':{'cpu':'1','memory':'64Mi'},'limits':{'cpu':'2','memory':'128Mi'}},"
          + "'containers':[{'name':'c','image':'i'},"
          + "{'name':'own','image':'i','resources':{'limits':{'cpu':'1','memory':'32Mi'},'requests':{'cpu':'500m','memory':'32Mi'}}}]}";

  private void resizeAsAWhole(String requests, String limits) {
    TestNode.done(
        node.admin()
            .patch(
                Target.of(Resources.PODS, new ObjectName("default", "web")).subresource("resize"),
                PatchType.STRATEGIC,
                tree(
                    "{'spec':{'resources':{'requests':{'cpu':'%s'},'limits':{'cpu':'%s'}}}}"
                        .formatted(requests, limits))));
    node.settle();
  }

  @Test
  void aContainerWithoutLimitsHasThoseOfItsPod() {
    node.pod("web", AS_A_WHOLE);
    assertThat(node.runtime().limits("web").memoryBytes()).hasValue(128L << 20);
    assertThat(node.runtime().limits("web", "c").memoryBytes()).hasValue(128L << 20);
    assertThat(node.runtime().limits("web", "c").cpuQuota().map(CpuQuota::micros))
        .hasValue(200_000L);
    assertThat(node.runtime().limits("web", "own").memoryBytes()).hasValue(32L << 20);
  }

  @Test
  void theStatusSaysWhatThePodAsAWholeHas() {
    node.pod("web", AS_A_WHOLE);
    assertThat(node.status("web").object("allocatedResources"))
        .isEqualTo(tree("{'cpu':'1','memory':'64Mi'}"));
    assertThat(node.status("web").object("resources"))
        .isEqualTo(
            tree("{'limits':{'cpu':'2','memory':'128Mi'},'requests':{'cpu':'1','memory':'64Mi'}}"));
  }

  @Test
  void thePodHasWhatItsContainersHaveIfItAsksForNothingAsAWhole() {
    node.pod(
        "web",
        "{'containers':[{'name':'c','image':'i','resources':{'limits':{'cpu':'1','memory':'1Gi'}}},"
            + "{'name':'d','image':'i','resources':{'requests':{'memory':'1Gi'},'limits':{'cpu':'1'}}}]}");
    assertThat(node.status("web").object("allocatedResources"))
        .isEqualTo(tree("{'cpu':'2','memory':'2Gi'}"));
    // The memory of one of them is not limited, so that of the pod is not.
    assertThat(node.status("web").object("resources"))
        .isEqualTo(tree("{'limits':{'cpu':'2'},'requests':{'cpu':'2','memory':'2Gi'}}"));
  }

  @Test
  void aPodGetsMoreAsAWholeAndSoDoContainersWithoutLimits() {
    node.pod("web", AS_A_WHOLE);
    resizeAsAWhole("2", "3");

    assertThat(node.runtime().limits("web").cpuQuota().map(CpuQuota::micros)).hasValue(300_000L);
    assertThat(node.runtime().limits("web").cpuShares()).isEqualTo(2048);
    assertThat(node.runtime().limits("web", "c").cpuQuota().map(CpuQuota::micros))
        .hasValue(300_000L);
    assertThat(node.runtime().journal()).noneMatch(each -> each.startsWith("resize web/own"));
    assertThat(node.status("web").object("allocatedResources").text("cpu")).isEqualTo("2");
    assertThat(node.status("web").object("resources").object("limits").text("cpu")).isEqualTo("3");
    assertThat(node.condition("web", "PodResizeInProgress")).isEqualTo("Unknown");
    assertThat(node.events("web"))
        .anyMatch(event -> event.startsWith("ResizeStarted: "))
        .anyMatch(event -> event.startsWith("ResizeCompleted: "));
  }

  @Test
  void aPodThatGetsMoreAsAWholeWaitsForItsNodeAlsoUnderAnotherAgent() {
    node.pod("other", requesting("2"));
    node.pod("web", AS_A_WHOLE);
    resizeAsAWhole("3", "3");
    assertThat(pending("web").text("reason")).isEqualTo("Deferred");

    node.start();
    assertThat(node.status("web").object("allocatedResources").text("cpu")).isEqualTo("1");
    assertThat(node.runtime().limits("web").cpuQuota().map(CpuQuota::micros)).hasValue(200_000L);

    node.delete("other");
    assertThat(pending("web").isEmpty()).isTrue();
    assertThat(node.runtime().limits("web").cpuQuota().map(CpuQuota::micros)).hasValue(300_000L);
  }

  @Test
  void aContainerThatHasToBeStartedAgainForItsPodsLimitIs() {
    node.pod(
        "web",
        "{'resources':{'requests':{'cpu':'1'},'limits':{'cpu':'2'}},'containers':[{'name':'c','image':'i','resizePolicy':[{'resourceName':'cpu','restartPolicy':'RestartContainer'}]}]}");
    resizeAsAWhole("1", "3");
    assertThat(node.runtime().journal()).contains("TERM web/c", "start web/c 1");
    assertThat(node.runtime().limits("web", "c").cpuQuota().map(CpuQuota::micros))
        .hasValue(300_000L);
    assertThat(node.runtime().limits("web").cpuQuota().map(CpuQuota::micros)).hasValue(300_000L);
  }
}
