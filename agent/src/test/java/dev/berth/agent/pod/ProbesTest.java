package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.probe.HttpAnswer;
import dev.berth.agent.probe.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What probes of containers do to their pods, and when. */
final class ProbesTest {
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

  private void pod(String probes) {
    node.pod("web", "{'containers':[{'name':'c','image':'i'," + probes + "}]}");
  }

  @Test
  void aPodIsReadyOnceItsReadinessProbeSucceeds() {
    node.connections().answer(503);
    pod(
        "'readinessProbe':{'httpGet':{'port':8080,'path':'/ok'},'initialDelaySeconds':5,"
            + "'periodSeconds':2}");
    node.advanceSeconds(4);
    assertThat(node.connections().asked()).isEmpty();
    node.advanceSeconds(1);
    assertThat(node.connections().asked()).containsExactly("GET http://10.0.0.2:8080/ok");
    assertThat(node.isReady("web")).isFalse();
    assertThat(node.events("web"))
        .contains("Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503");

    node.connections().answer(200);
    node.advanceSeconds(2);
    assertThat(node.isReady("web")).isTrue();
    assertThat(node.phase("web")).isEqualTo("Running");
  }

  @Test
  void aReadyPodIsNotAfterAsManyFailuresAsItsThreshold() {
    pod("'readinessProbe':{'tcpSocket':{'port':80},'periodSeconds':10,'failureThreshold':3}");
    node.settle();
    assertThat(node.isReady("web")).isTrue();

    node.connections().answer(Outcome.failure("refused"));
    node.advanceSeconds(29);
    assertThat(node.isReady("web")).isTrue();
    node.advanceSeconds(1);
    assertThat(node.isReady("web")).isFalse();
    assertThat(node.runtime().running()).containsExactly("web/c");
  }

  @Test
  void aContainerThatIsNotAliveIsStartedAgain() {
    pod("'livenessProbe':{'exec':{'command':['check']},'periodSeconds':5,'failureThreshold':2}");
    node.runtime().commands(_ -> 1);

    node.advanceSeconds(5);
    assertThat(node.runtime().journal()).doesNotContain("TERM web/c");
    node.advanceSeconds(5);
    assertThat(node.runtime().journal()).containsSubsequence("TERM web/c", "start web/c 1");
    assertThat(node.events("web"))
        .contains(
            "Unhealthy: Liveness probe failed: command said 1",
            "Killing: Container c failed liveness probe, will be restarted");
  }

  @Test
  void aProbeMayHaveAGracePeriodOfItsOwn() {
    node.runtime().deafToTerm("c");
    pod(
        "'livenessProbe':{'exec':{'command':['check']},'periodSeconds':10,'failureThreshold':1,"
            + "'terminationGracePeriodSeconds':4}");
    node.runtime().commands(_ -> 1);

    node.advanceSeconds(10 + 3);
    assertThat(node.runtime().journal()).doesNotContain("KILL web/c");
    node.advanceSeconds(1);
    assertThat(node.runtime().journal()).contains("KILL web/c");
  }

  @Test
  void otherProbesWaitForTheStartupProbe() {
    node.connections().answer(Outcome.failure("not yet"));
    pod(
        "'startupProbe':{'tcpSocket':{'port':1},'periodSeconds':1,'failureThreshold':60},"
            + "'livenessProbe':{'httpGet':{'port':2},'periodSeconds':1},"
            + "'readinessProbe':{'httpGet':{'port':3},'periodSeconds':1}");
    node.advanceSeconds(20);
    assertThat(node.connections().asked()).containsOnly("TCP 10.0.0.2:1");
    assertThat(node.container("web", "c").flag("started", true)).isFalse();

    node.connections().answer(Outcome.success(""));
    node.advanceSeconds(1);
    assertThat(node.connections().asked())
        .contains("GET http://10.0.0.2:2/", "GET http://10.0.0.2:3/");
    assertThat(node.isReady("web")).isTrue();
  }

  @Test
  void aContainerThatDoesNotStartInTimeIsStartedAgain() {
    node.connections().answer(Outcome.failure("no"));
    pod("'startupProbe':{'grpc':{'port':1},'periodSeconds':2,'failureThreshold':3}");

    node.advanceSeconds(3);
    assertThat(node.runtime().journal()).doesNotContain("TERM web/c");
    node.advanceSeconds(1);
    assertThat(node.runtime().journal()).containsSubsequence("TERM web/c", "start web/c 1");
    assertThat(node.events("web"))
        .contains("Killing: Container c failed startup probe, will be restarted");
  }

  @Test
  void aPodThatIsBeingDeletedIsNotKilledForNotBeingAlive() {
    node.runtime().deafToTerm("c");
    pod("'livenessProbe':{'httpGet':{'port':2},'periodSeconds':1,'failureThreshold':1}");
    node.delete("web");
    node.connections().answer(500);

    node.advanceSeconds(29);
    assertThat(node.runtime().running()).containsExactly("web/c");
  }

  @Test
  void probesOfAContainerEndWithIt() {
    pod("'readinessProbe':{'tcpSocket':{'port':1},'periodSeconds':1}");
    node.delete("web");
    int asked = node.connections().asked().size();

    node.advanceSeconds(60);
    assertThat(node.connections().asked()).hasSize(asked);
  }

  @Test
  void aRedirectElsewhereCountsAsAliveAndIsToldOf() {
    node.connections().answer(302, "Moved");
    pod("'readinessProbe':{'httpGet':{'port':80}}");
    node.advanceSeconds(10);
    assertThat(node.isReady("web")).isTrue();
    assertThat(node.events("web"))
        .contains(
            "ProbeWarning: Readiness probe warning: Probe terminated redirects, Response body:"
                + " Moved");
  }

  @Test
  void anAnswerThatBreaksOffSaysNothing() {
    pod("'livenessProbe':{'httpGet':{'port':80},'periodSeconds':1,'failureThreshold':1}");
    node.connections().answer("http", new HttpAnswer.BrokenOff("reset"));
    node.advanceSeconds(30);
    assertThat(node.runtime().journal()).doesNotContain("TERM web/c");
    assertThat(node.events("web"))
        .contains("Unhealthy: Liveness probe errored and resulted in failure state: reset");
  }
}
