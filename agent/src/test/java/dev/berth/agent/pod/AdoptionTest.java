package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs outlives agents and servers, and is found again. */
final class AdoptionTest {
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
  void aNewAgentTakesOverWhatRunsAndStartsNothingTwice() {
    node.pod("web");
    node.stop();
    node.advanceSeconds(60);
    assertThat(node.runtime().running()).containsExactly("web/c");

    node.start();
    assertThat(node.runtime().journal()).containsExactly("sandbox web", "start web/c 0");
    assertThat(node.isReady("web")).isTrue();
    node.delete("web");
    assertThat(node.exists("web")).isFalse();
  }

  @Test
  void whatEndedWhileNoAgentRanIsStartedAgainAndItsExitCodeIsTold() {
    node.pod("web");
    node.stop();
    node.runtime().exit("web", "c", 7);
    node.start();

    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(
            node.container("web", "c").object("lastState").object("terminated").integer("exitCode"))
        .hasValue(7);
    assertThat(node.container("web", "c").integer("restartCount")).hasValue(1);
  }

  @Test
  void aJobThatEndedWhileNoAgentRanIsNotRunAgain() {
    node.pod("job", "{'restartPolicy':'Never'}");
    node.stop();
    node.runtime().exit("job", "c", 0);
    node.start();

    assertThat(node.phase("job")).isEqualTo("Succeeded");
    assertThat(node.runtime().running()).isEmpty();
  }

  @Test
  void aPodThatWasDeletedWhileNoAgentRanIsEnded() {
    node.pod("web");
    node.stop();
    node.delete("web", 0);
    assertThat(node.exists("web")).isFalse();
    assertThat(node.runtime().running()).containsExactly("web/c");

    node.start();
    assertThat(node.runtime().running()).isEmpty();
    assertThat(node.runtime().journal()).endsWith("TERM web/c", "stop web", "remove web");
    assertThat(node.volumes().prepared()).isEmpty();
  }

  @Test
  void nothingIsEndedBeforeTheServerHasSaidWhatShouldRun() {
    node.pod("web");
    node.stop();
    node.cut(true);
    node.start();
    node.advanceSeconds(600);
    assertThat(node.runtime().running()).containsExactly("web/c");

    node.cut(false);
    node.advanceSeconds(120);
    assertThat(node.runtime().journal()).containsExactly("sandbox web", "start web/c 0");
  }

  @Test
  void aReadyContainerStaysReadyWhenItsAgentIsStartedAgain() {
    node.pod(
        "web",
        "{'containers':[{'name':'c','image':'i','readinessProbe':{'httpGet':{'port':80},"
            + "'periodSeconds':10}}]}");
    node.advanceSeconds(1);
    assertThat(node.isReady("web")).isTrue();

    node.start();
    assertThat(node.isReady("web")).isTrue();
    node.connections().answer(500);
    node.advanceSeconds(40);
    assertThat(node.isReady("web")).isFalse();
  }

  @Test
  void whatWasSaidOfAPodThatFailedStaysWhenItsAgentIsStartedAgain() {
    node.pod("job", "{'activeDeadlineSeconds':60}");
    node.pod("bad", "{'os':{'name':'windows'}}");
    node.advanceSeconds(60);
    JsonObject job = node.status("job");
    JsonObject bad = node.status("bad");
    assertThat(job.text("reason")).isEqualTo("DeadlineExceeded");

    node.advanceSeconds(60);
    node.start();
    assertThat(node.status("job")).isEqualTo(job);
    assertThat(node.status("bad")).isEqualTo(bad);
  }

  /** T13: a partition ends nothing, and what was missed is made up for. */
  @Test
  void whileTheServerCannotBeReachedPodsGoOnAndAreReconciledAfterwards() {
    node.pod("web");
    node.pod("old");
    node.cut(true);
    node.runtime().exit("web", "c", 1);
    node.settle();
    assertThat(node.runtime().running()).containsExactlyInAnyOrder("web/c", "old/c");
    node.delete("old");
    node.advanceSeconds(3600);
    assertThat(node.runtime().running()).containsExactlyInAnyOrder("web/c", "old/c");
    assertThat(node.container("web", "c").integer("restartCount")).hasValue(0);

    node.cut(false);
    node.advanceSeconds(120);
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.exists("old")).isFalse();
    assertThat(node.container("web", "c").integer("restartCount")).hasValue(1);
    assertThat(node.isReady("web")).isTrue();
  }

  @Test
  void afterTheMachineWasRestartedPodsBeginFromTheirFirstInitContainer() {
    node.pod("web", "{'initContainers':[{'name':'one','image':'i'}]}");
    node.runtime().exit("web", "one", 0);
    node.settle();
    node.stop();
    node.advanceSeconds(5);
    node.runtime().reboot();
    node.advanceSeconds(5);
    node.start();

    assertThat(node.runtime().running()).containsExactly("web/one");
    node.runtime().exit("web", "one", 0);
    node.advanceSeconds(15);
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.container("web", "c").integer("restartCount")).hasValue(1);
  }

  @Test
  void ofDeadContainersTheLastTwoStay() {
    node.pod("web");
    for (int i = 0; i < 6; i++) {
      node.runtime().exit("web", "c", i + 1);
      node.advanceSeconds(301);
    }
    assertThat(node.runtime().sandboxes().getFirst().containers()).hasSize(2);
    assertThat(node.container("web", "c").integer("restartCount")).hasValue(6);
  }
}
