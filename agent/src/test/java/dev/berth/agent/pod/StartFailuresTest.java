package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.volume.VolumeFailure;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pod says that cannot be started, and when it is tried again. */
final class StartFailuresTest {
  private static final String NEEDS_CONFIG =
      "{'containers':[{'name':'c','image':'i','env':[{'name':'A','valueFrom':"
          + "{'configMapKeyRef':{'name':'settings','key':'a'}}}]}]}";

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

  private String message() {
    return node.container("web", "c").object("state").object("waiting").text("message", "");
  }

  @Test
  void aContainerWaitsForTheConfigMapThatItNeeds() {
    node.pod("web", NEEDS_CONFIG);
    assertThat(node.state("web", "c")).isEqualTo("CreateContainerConfigError");
    assertThat(message()).isEqualTo("configmap \"settings\" not found");
    assertThat(node.events("web")).contains("Failed: Error: configmap \"settings\" not found");
    assertThat(node.phase("web")).isEqualTo("Pending");

    node.objects().configMap("settings", JsonObject.of("b", "x"));
    node.advanceSeconds(16);
    assertThat(message()).isEqualTo("couldn't find key a in ConfigMap default/settings");

    node.objects().configMap("settings", JsonObject.of("a", "value"));
    node.advanceSeconds(16);
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.runtime().spec("web", "c").environment()).containsEntry("A", "value");
  }

  @Test
  void aContainerThatCannotBeCreatedIsTriedAgainAfterTenToFifteenSeconds() {
    node.runtime().failStarts("c", new RuntimeFailure("CreateContainerError", "no such program"));
    node.pod("web");
    assertThat(node.state("web", "c")).isEqualTo("CreateContainerError");
    assertThat(message()).isEqualTo("no such program");

    node.runtime().failStarts("c", null);
    node.advanceSeconds(9);
    assertThat(node.runtime().running()).isEmpty();
    node.advanceSeconds(6);
    assertThat(node.runtime().running()).containsExactly("web/c");
  }

  @Test
  void anImageThatCannotBeHadIsAskedForLessAndLessOften() {
    node.runtime().failStarts("c", new RuntimeFailure("ErrImagePull", "no registry"));
    node.pod("web");
    assertThat(node.state("web", "c")).isEqualTo("ErrImagePull");

    node.advanceSeconds(1);
    assertThat(node.state("web", "c")).isEqualTo("ImagePullBackOff");
    assertThat(message()).isEqualTo("Back-off pulling image \"i\": ErrImagePull: no registry");
    node.advanceSeconds(9);
    assertThat(node.state("web", "c")).isEqualTo("ErrImagePull");
    node.advanceSeconds(19);
    node.runtime().failStarts("c", null);
    assertThat(node.runtime().running()).isEmpty();
    node.advanceSeconds(1);
    assertThat(node.runtime().running()).containsExactly("web/c");
  }

  @Test
  void aContainerThatRanAndCannotBeStartedAgainSaysWhy() {
    node.pod("web");
    node.runtime().failStarts("c", new RuntimeFailure("CreateContainerError", "no"));
    node.runtime().exit("web", "c", 3);
    node.settle();

    assertThat(node.state("web", "c")).isEqualTo("CreateContainerError");
    assertThat(
            node.container("web", "c").object("lastState").object("terminated").integer("exitCode"))
        .hasValue(3);
    assertThat(node.phase("web")).isEqualTo("Running");
    node.runtime().failStarts("c", null);
    node.advanceSeconds(15);
    assertThat(node.runtime().running()).containsExactly("web/c");
  }

  @Test
  void oneContainerThatCannotBeStartedDoesNotHoldUpTheOthers() {
    node.runtime().failStarts("c", new RuntimeFailure("CreateContainerError", "no"));
    node.pod("web", "{'containers':[{'name':'c','image':'i'},{'name':'d','image':'i'}]}");

    assertThat(node.runtime().running()).containsExactly("web/d");
    assertThat(node.phase("web")).isEqualTo("Pending");
  }

  @Test
  void aSandboxThatCannotBeMadeIsTriedAgain() {
    node.runtime().failSandboxes(new RuntimeFailure("", "no addresses left"));
    node.pod("web");
    assertThat(node.state("web", "c")).isEqualTo("ContainerCreating");
    assertThat(node.condition("web", "PodReadyToStartContainers")).isEqualTo("False");
    assertThat(node.events("web"))
        .contains("FailedCreatePodSandBox: Failed to create pod sandbox: no addresses left");

    node.runtime().failSandboxes(null);
    node.advanceSeconds(15);
    assertThat(node.phase("web")).isEqualTo("Running");
  }

  @Test
  void aVolumeThatCannotBeMadeIsTriedAgainAfterHalfASecondAndThenLater() {
    String why = "MountVolume.SetUp failed for volume \"data\" : not there";
    node.volumes().fail(new VolumeFailure("data", why));
    node.pod("web");
    assertThat(node.events("web")).contains("FailedMount: " + why);
    assertThat(node.runtime().journal()).isEmpty();

    node.volumes().fail(null);
    node.advance(Duration.ofMillis(499));
    assertThat(node.runtime().running()).isEmpty();
    node.advance(Duration.ofMillis(1));
    assertThat(node.runtime().running()).containsExactly("web/c");
  }

  @Test
  void aPodThatNeverStartedCanBeDeleted() {
    node.pod("web", NEEDS_CONFIG);
    node.delete("web");

    assertThat(node.exists("web")).isFalse();
  }
}
