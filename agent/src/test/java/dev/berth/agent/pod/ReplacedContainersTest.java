package dev.berth.agent.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.probe.Outcome;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.resource.ObjectName;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that are ended to be started again, whatever they end with. */
final class ReplacedContainersTest {
  private static final String NEVER = "{'restartPolicy':'Never'}";

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

  private void setImage(String image) {
    patch("", "{'spec':{'containers':[{'name':'c','image':'%s'}]}}".formatted(image));
  }

  private void patch(String subresource, String json) {
    TestNode.done(
        node.admin()
            .patch(
                Target.of(Resources.PODS, new ObjectName("default", "web"))
                    .subresource(subresource),
                PatchType.STRATEGIC,
                tree(json)));
    node.settle();
  }

  private long restarts() {
    return node.container("web", "c").integer("restartCount").orElse(0);
  }

  @Test
  void anotherImageStartsAContainerAgainEvenIfItsPolicyIsNever() {
    node.pod("web", NEVER);
    setImage("j");

    assertThat(node.runtime().journal())
        .containsExactly("sandbox web", "start web/c 0", "TERM web/c", "start web/c 1");
    assertThat(node.runtime().spec("web", "c").image()).isEqualTo("j");
    assertThat(node.events("web"))
        .contains("Killing: Container c definition changed, will be restarted");
    assertThat(node.state("web", "c")).isEqualTo("running");
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(restarts()).isEqualTo(1);
    assertThat(
            node.container("web", "c").object("lastState").object("terminated").integer("exitCode"))
        .hasValue(0);
  }

  @Test
  void aContainerGetsItsGracePeriodBeforeAnotherImageTakesItsPlace() {
    node.runtime().deafToTerm("c");
    node.pod("web", "{'terminationGracePeriodSeconds':7}");
    setImage("j");
    node.advanceSeconds(6);
    assertThat(node.runtime().spec("web", "c").image()).isEqualTo("i");
    node.advanceSeconds(1);
    assertThat(node.runtime().spec("web", "c").image()).isEqualTo("j");
  }

  @Test
  void anotherImageIsNoCrash() {
    node.pod("web");
    for (int i = 1; i <= 4; i++) {
      setImage("j" + i);
      assertThat(node.runtime().spec("web", "c").image()).isEqualTo("j" + i);
    }
  }

  @Test
  void aContainerThatCrashedIsStartedAtOnceWithAnotherImage() {
    node.pod("web");
    node.runtime().exit("web", "c", 1);
    node.settle();
    node.runtime().exit("web", "c", 1);
    node.settle();
    assertThat(node.state("web", "c")).isEqualTo("CrashLoopBackOff");

    setImage("j");
    assertThat(node.state("web", "c")).isEqualTo("running");
  }

  @Test
  void aContainerWaitsForTheImageThatReplacesItsOwnAndHasNotEnded() {
    node.runtime().registry("r.example/a:1", "r.example/a:3");
    node.pod(
        "web", "{'restartPolicy':'Never','containers':[{'name':'c','image':'r.example/a:1'}]}");
    setImage("r.example/a:2");
    node.advanceSeconds(2);
    assertThat(node.state("web", "c")).isEqualTo("ImagePullBackOff");
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.isReady("web")).isFalse();

    // Another agent knows it, too.
    node.start();
    node.advanceSeconds(2);
    assertThat(node.state("web", "c")).isEqualTo("ImagePullBackOff");
    assertThat(node.phase("web")).isEqualTo("Running");

    setImage("r.example/a:3");
    assertThat(node.state("web", "c")).isEqualTo("running");
    assertThat(restarts()).isEqualTo(1);
  }

  @Test
  void anAgentThatWasAwayReplacesWhatWasChangedMeanwhile() {
    node.pod("web", NEVER);
    node.stop();
    setImage("j");
    node.start();
    assertThat(node.runtime().spec("web", "c").image()).isEqualTo("j");
    assertThat(node.state("web", "c")).isEqualTo("running");
  }

  @Test
  void aPodThatIsDeletedMeanwhileEnds() {
    node.runtime().deafToTerm("c");
    node.pod("web", NEVER);
    setImage("j");
    node.advanceSeconds(29);
    node.delete("web", 10);
    node.advanceSeconds(1);
    assertThat(node.runtime().journal()).contains("KILL web/c").doesNotContain("start web/c 1");
    assertThat(node.exists("web")).isFalse();
  }

  @Test
  void aSidecarIsReplacedBesideWhatItServes() {
    node.pod(
        "web",
        "{'restartPolicy':'Never','initContainers':[{'name':'side','image':'i','restartPolicy':'Always'}]}");
    patch("", "{'spec':{'initContainers':[{'name':'side','image':'j'}]}}");
    assertThat(node.runtime().spec("web", "side").image()).isEqualTo("j");
    assertThat(node.runtime().running()).containsExactlyInAnyOrder("web/c", "web/side");
    assertThat(node.runtime().journal()).doesNotContain("TERM web/c");
    assertThat(node.events("web")).contains("Killing: Init container side definition changed");
  }

  @Test
  void whatFailedItsProbeIsStartedAgainAlthoughItEndsWell() {
    node.pod(
        "web",
        "{'restartPolicy':'OnFailure','containers':[{'name':'c','image':'i','livenessProbe':{'tcpSocket':{'port':80},'initialDelaySeconds':5,'failureThreshold':1}}]}");
    node.connections().answer(Outcome.failure("refused"));
    node.advanceSeconds(5);
    node.connections().answer(200);
    node.advanceSeconds(1);
    assertThat(node.runtime().journal()).contains("TERM web/c", "start web/c 1");
    assertThat(node.state("web", "c")).isEqualTo("running");
    assertThat(node.phase("web")).isEqualTo("Running");
  }

  @Test
  void whatHasToBeStartedAgainToBeResizedIsAlthoughItEndsWell() {
    node.pod(
        "web",
        "{'restartPolicy':'OnFailure','containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'1'}},'resizePolicy':[{'resourceName':'cpu','restartPolicy':'RestartContainer'}]}]}");
    patch("resize", "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'2'}}}]}}");
    assertThat(node.events("web")).contains("Killing: Container c resize requires restart");
    assertThat(node.runtime().journal()).contains("start web/c 1");
    assertThat(node.runtime().spec("web", "c").limits().cpuShares()).isEqualTo(2048);
    assertThat(node.state("web", "c")).isEqualTo("running");
  }
}
