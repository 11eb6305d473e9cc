package dev.berth.agent.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
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
}
