package dev.berth.agent.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a runtime hears of a pod's runtime class, and what the pod says if there is none. */
final class RuntimeClassesTest {
  private static final GroupVersionResource CLASSES =
      new GroupVersionResource("node.k8s.io", "v1", "runtimeclasses");
  private static final String POD =
      "{'runtimeClassName':'apart','containers':[{'name':'c','image':'i','resources':"
          + "{'limits':{'cpu':'1','memory':'64Mi'}}}]}";

  @TempDir private Path root;
  private TestNode node;

  @BeforeEach
  void begin() {
    node = new TestNode(root);
    TestNode.done(
        node.admin()
            .create(
                CLASSES,
                tree(
                    "{'metadata':{'name':'apart'},'handler':'kata',"
                        + "'overhead':{'podFixed':{'cpu':'250m','memory':'120Mi'}}}")));
  }

  @AfterEach
  void end() {
    node.close();
  }

  @Test
  void theRuntimeIsToldTheHandlerAndHowMuchItTakes() {
    node.start();
    node.pod("web", POD);
    SandboxSpec spec = node.runtime().sandboxSpec("web");
    assertThat(spec.runtimeHandler()).isEqualTo("kata");
    assertThat(spec.limits().memoryBytes()).as("in all").hasValue(184L << 20);
    Limits containers = spec.size().containers();
    assertThat(containers.memoryBytes()).hasValue(64L << 20);
    assertThat(containers.cpuQuota().map(CpuQuota::micros)).hasValue(100_000L);
    Limits overhead = spec.size().overhead().orElseThrow();
    assertThat(overhead.memoryBytes()).hasValue(120L << 20);
    assertThat(overhead.cpuQuota().map(CpuQuota::micros)).hasValue(25_000L);
    assertThat(overhead.cpuShares()).isEqualTo(256);

    node.pod("plain");
    SandboxSpec plain = node.runtime().sandboxSpec("plain");
    assertThat(plain.runtimeHandler()).isEmpty();
    assertThat(plain.size().overhead()).isEmpty();
  }

  @Test
  void aClassThatIsGoneKeepsThePodWaitingUntilItIsThere() {
    node.pod("web", POD);
    TestNode.done(node.admin().delete(CLASSES, ObjectName.of("apart")));
    node.start();
    assertThat(node.phase("web")).isEqualTo("Pending");
    assertThat(node.events("web"))
        .contains(
            "FailedCreatePodSandBox: Failed to create pod sandbox: runtimeclass.node.k8s.io"
                + " \"apart\" not found");
    assertThat(node.runtime().running()).isEmpty();

    TestNode.done(
        node.admin().create(CLASSES, tree("{'metadata':{'name':'apart'},'handler':'kata'}")));
    node.advanceSeconds(60);
    assertThat(node.phase("web")).isEqualTo("Running");
  }
}
