package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.probe.HttpAnswer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lifecycle hooks that tell HTTP servers of containers something. */
final class HooksTest {
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

  private void pod(String get) {
    node.pod(
        "web",
        "{'restartPolicy':'Never','containers':[{'name':'c','image':'i','lifecycle':{'postStart':{'httpGet':%s}}}]}"
            .formatted(get));
  }

  @Test
  void aServerMayAnswerAnything() {
    node.connections().answer(500);
    pod("{'path':'/hello','port':80}");
    assertThat(node.connections().asked()).containsExactly("GET http://10.0.0.2:80/hello");
    assertThat(node.isReady("web")).isTrue();
  }

  @Test
  void aServerThatDoesNotAnswerFailsTheHook() {
    node.connections().answer("http", new HttpAnswer.Unanswered("Get \"…\": EOF"));
    pod("{'path':'/hello','port':80}");
    assertThat(node.runtime().journal()).contains("TERM web/c");
    assertThat(node.events("web")).contains("FailedPostStartHook: PostStartHook failed");
  }

  @Test
  void aServerWithoutTlsIsToldWithoutTls() {
    node.connections().answer("https", new HttpAnswer.WithoutTls("no TLS"));
    pod("{'scheme':'HTTPS','port':80}");
    assertThat(node.connections().asked())
        .containsExactly("GET https://10.0.0.2:80/", "GET http://10.0.0.2:80/");
    assertThat(node.isReady("web")).isTrue();
    assertThat(node.events("web"))
        .contains(
            "LifecycleHTTPFallback: request to HTTPS lifecycle hook 10.0.0.2:80 got HTTP response,"
                + " retry with HTTP succeeded");
  }

  @Test
  void aServerThatAnswersNeitherWayFailsTheHook() {
    node.connections().answer("https", new HttpAnswer.WithoutTls("no TLS"));
    node.connections().answer("http", new HttpAnswer.Unanswered("EOF"));
    pod("{'scheme':'HTTPS','port':80}");
    assertThat(node.events("web"))
        .contains("FailedPostStartHook: PostStartHook failed")
        .noneMatch(event -> event.startsWith("LifecycleHTTPFallback"));
  }
}
