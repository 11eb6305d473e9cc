package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Init containers and sidecars: who runs before whom, and who ends after whom. */
final class InitContainersTest {
  private static final String TWO_INITS =
      "{'initContainers':[{'name':'one','image':'i'},{'name':'two','image':'i'}]}";
  private static final String SIDECARS =
      "{'restartPolicy':'Never','initContainers':["
          + "{'name':'log','image':'i','restartPolicy':'Always'},"
          + "{'name':'net','image':'i','restartPolicy':'Always'}]}";

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
  void initContainersRunOneAfterTheOtherBeforeAllOthers() {
    node.pod("web", TWO_INITS);
    assertThat(node.runtime().running()).containsExactly("web/one");
    assertThat(node.phase("web")).isEqualTo("Pending");
    assertThat(node.state("web", "c")).isEqualTo("PodInitializing");
    assertThat(node.condition("web", "Initialized")).isEqualTo("False");

    node.runtime().exit("web", "one", 0);
    node.settle();
    assertThat(node.runtime().running()).containsExactly("web/two");

    node.runtime().exit("web", "two", 0);
    node.settle();
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.condition("web", "Initialized")).isEqualTo("True");
    assertThat(node.container("web", "one").flag("ready", false)).isTrue();
  }

  @Test
  void anInitContainerThatFailsIsTriedAgain() {
    node.pod("web", TWO_INITS);
    node.runtime().exit("web", "one", 1);
    node.settle();
    node.runtime().exit("web", "one", 1);
    node.settle();
    assertThat(node.state("web", "one")).isEqualTo("CrashLoopBackOff");
    assertThat(node.phase("web")).isEqualTo("Pending");

    node.advanceSeconds(10);
    assertThat(node.runtime().running()).containsExactly("web/one");
  }

  @Test
  void anInitContainerThatFailsForGoodFailsItsPod() {
    node.pod("job", "{'restartPolicy':'Never','initContainers':[{'name':'one','image':'i'}]}");
    node.runtime().exit("job", "one", 1);
    node.settle();

    assertThat(node.phase("job")).isEqualTo("Failed");
    assertThat(node.state("job", "c")).isEqualTo("PodInitializing");
  }

  @Test
  void aContainerThatIsStartedAgainDoesNotRepeatInitContainers() {
    node.pod("web", TWO_INITS);
    node.runtime().exit("web", "one", 0);
    node.settle();
    node.runtime().exit("web", "two", 0);
    node.settle();
    node.runtime().exit("web", "c", 1);
    node.settle();

    assertThat(node.runtime().journal())
        .containsExactly(
            "sandbox web", "start web/one 0", "start web/two 0", "start web/c 0", "start web/c 1");
  }

  @Test
  void sidecarsRunBesideContainersAndEndAfterThemInReverse() {
    node.pod("job", SIDECARS);
    assertThat(node.runtime().running()).containsExactly("job/log", "job/net", "job/c");
    assertThat(node.phase("job")).isEqualTo("Running");

    node.runtime().exit("job", "c", 0);
    node.settle();
    assertThat(node.phase("job")).isEqualTo("Succeeded");
    assertThat(node.runtime().journal())
        .containsSubsequence("TERM job/net", "TERM job/log", "stop job");
  }

  @Test
  void aSidecarWaitsForContainersWhenItsPodIsDeleted() {
    node.runtime().slowToStop("c", Duration.ofSeconds(5));
    node.pod("job", SIDECARS);
    node.delete("job");

    node.advanceSeconds(4);
    assertThat(node.runtime().running()).containsExactly("job/log", "job/net", "job/c");
    node.advanceSeconds(1);
    assertThat(node.runtime().running()).isEmpty();
    assertThat(node.exists("job")).isFalse();
  }

  @Test
  void aSidecarThatEndsIsStartedAgain() {
    node.pod("job", SIDECARS);
    node.runtime().exit("job", "log", 0);
    node.settle();

    assertThat(node.runtime().running()).contains("job/log", "job/c");
  }

  @Test
  void whoComesAfterASidecarWaitsForItsStartupProbe() {
    node.connections().answer(500);
    node.pod(
        "web",
        "{'initContainers':[{'name':'net','image':'i','restartPolicy':'Always',"
            + "'startupProbe':{'httpGet':{'port':80},'periodSeconds':1,'failureThreshold':30}}]}");
    node.advanceSeconds(5);
    assertThat(node.runtime().running()).containsExactly("web/net");
    assertThat(node.phase("web")).isEqualTo("Pending");

    node.connections().answer(200);
    node.advanceSeconds(1);
    assertThat(node.runtime().running()).containsExactly("web/net", "web/c");
  }

  @Test
  void aRuleMayRestartAllContainers() {
    node.pod(
        "job",
        "{'restartPolicy':'Never','initContainers':[{'name':'one','image':'i'}],"
            + "'containers':[{'name':'c','image':'i','restartPolicy':'Never','restartPolicyRules':["
            + "{'action':'RestartAllContainers','exitCodes':{'operator':'In','values':[88]}}]},"
            + "{'name':'d','image':'i'}]}");
    node.runtime().exit("job", "one", 0);
    node.settle();
    node.runtime().exit("job", "c", 88);
    node.settle();

    assertThat(node.runtime().journal()).contains("TERM job/d");
    assertThat(node.runtime().running()).containsExactly("job/one");
    assertThat(node.phase("job")).isNotEqualTo("Failed");
    node.runtime().exit("job", "one", 0);
    node.settle();
    assertThat(node.runtime().running()).containsExactly("job/c", "job/d");
    assertThat(node.container("job", "d").integer("restartCount")).hasValue(1);
  }
}
