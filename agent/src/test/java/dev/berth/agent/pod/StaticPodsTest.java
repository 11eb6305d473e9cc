package dev.berth.agent.pod;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.pod.PodSettings.StaticSources;
import dev.berth.model.meta.Metadata;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods that come from files and from an address. */
final class StaticPodsTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
      spec:
        containers:
        - name: c
          image: i
      """;

  @TempDir private Path root;
  private Path manifests;
  private TestNode node;

  @BeforeEach
  void begin() throws IOException {
    manifests = Files.createDirectory(root.resolve("manifests"));
    node = new TestNode(root);
    node.with(from(Optional.of(manifests), Optional.empty(), Map.of()));
  }

  private static UnaryOperator<PodSettings> from(
      Optional<Path> path, Optional<URI> url, Map<String, List<String>> headers) {
    Duration check = Duration.ofSeconds(20);
    StaticSources sources = new StaticSources(path, check, url, headers, check);
    return given ->
        new PodSettings(
            given.specs(),
            sources,
            given.syncFrequency(),
            given.maxParallelStarts(),
            given.maxParallelPulls(),
            given.longestBackOff(),
            given.allowedSysctls());
  }

  @AfterEach
  void end() {
    node.close();
  }

  private void write(String content) throws IOException {
    Files.writeString(manifests.resolve("web.yaml"), content);
  }

  @Test
  void aFileIsAPodAndTheServerShowsItsMirror() throws IOException {
    write(POD);
    node.start();

    assertThat(node.runtime().running()).containsExactly("web-n1/c");
    assertThat(node.phase("web-n1")).isEqualTo("Running");
    assertThat(node.isReady("web-n1")).isTrue();
    Metadata mirror = Metadata.of(node.get("web-n1"));
    assertThat(mirror.annotation("kubernetes.io/config.source")).contains("file");
    assertThat(mirror.annotation("kubernetes.io/config.mirror"))
        .isEqualTo(mirror.annotation("kubernetes.io/config.hash"));
    assertThat(mirror.ownerReferences()).hasSize(1);
  }

  @Test
  void aFileThatIsAddedOrRemovedIsNoticed() throws IOException {
    node.start();
    write(POD);
    node.advanceSeconds(20);
    assertThat(node.runtime().running()).containsExactly("web-n1/c");

    Files.delete(manifests.resolve("web.yaml"));
    node.advanceSeconds(20);
    assertThat(node.runtime().running()).isEmpty();
    assertThat(node.exists("web-n1")).isFalse();
  }

  @Test
  void aMirrorThatIsDeletedIsMadeAgain() throws IOException {
    write(POD);
    node.start();
    String before = Metadata.of(node.get("web-n1")).uid();
    node.delete("web-n1");
    node.advanceSeconds(5);

    assertThat(node.runtime().journal()).doesNotContain("TERM web-n1/c");
    assertThat(Metadata.of(node.get("web-n1")).uid()).isNotEqualTo(before);
    assertThat(node.phase("web-n1")).isEqualTo("Running");
  }

  @Test
  void aFileThatIsEditedIsAnotherPodWhichWaitsForTheEndOfTheFirst() throws IOException {
    node.runtime().slowToStop("c", Duration.ofSeconds(5));
    write(POD);
    node.start();
    write(POD.replace("image: i", "image: other"));
    node.advanceSeconds(21);
    assertThat(node.runtime().journal()).containsOnlyOnce("TERM web-n1/c");
    assertThat(node.runtime().running()).containsExactly("web-n1/c");

    node.advanceSeconds(10);
    assertThat(node.runtime().spec("web-n1", "c").image()).isEqualTo("other");
    assertThat(node.get("web-n1").object("spec").array("containers").objects().getFirst())
        .satisfies(c -> assertThat(c.text("image")).isEqualTo("other"));
  }

  @Test
  void whatHappensToAFileIsNoticedWithinASecond() throws IOException {
    node.start();
    write(POD);
    node.advanceSeconds(2);
    assertThat(node.runtime().running()).containsExactly("web-n1/c");

    Files.delete(manifests.resolve("web.yaml"));
    node.advanceSeconds(3);
    assertThat(node.runtime().running()).isEmpty();
    assertThat(node.exists("web-n1")).isFalse();
  }

  @Test
  void aDirectoryMayComeLaterAndBeReplaced() throws IOException {
    Files.delete(manifests);
    node.start();
    Files.createDirectory(manifests);
    write(POD);
    node.advanceSeconds(2);
    assertThat(node.runtime().running()).containsExactly("web-n1/c");

    Files.move(manifests, root.resolve("old"));
    Files.createDirectory(manifests);
    write(POD.replace("web", "other"));
    node.advanceSeconds(3);
    assertThat(node.runtime().running()).containsExactly("other-n1/c");
  }

  @Test
  void aMirrorStaysUntilItsPodHasEnded() throws IOException {
    node.runtime().slowToStop("c", Duration.ofSeconds(15));
    write(POD);
    node.start();
    String mirror = Metadata.of(node.get("web-n1")).uid();
    write(POD.replace("image: i", "image: other"));
    node.advanceSeconds(14);
    assertThat(Metadata.of(node.get("web-n1")).uid()).isEqualTo(mirror);
    assertThat(node.phase("web-n1")).isEqualTo("Running");

    node.advanceSeconds(5);
    assertThat(Metadata.of(node.get("web-n1")).uid()).isNotEqualTo(mirror);
    Files.delete(manifests.resolve("web.yaml"));
    node.advanceSeconds(10);
    assertThat(node.phase("web-n1")).isEqualTo("Running");
    node.advanceSeconds(10);
    assertThat(node.exists("web-n1")).isFalse();
  }

  /** It has the same uid, by which its containers are known. */
  @Test
  void aFileThatGoesAndComesBackAtOnceStartsItsPodAgain() throws IOException {
    write(POD);
    node.start();
    Files.delete(manifests.resolve("web.yaml"));
    write(POD);
    node.advanceSeconds(5);
    assertThat(node.runtime().running()).containsExactly("web-n1/c");
    assertThat(node.phase("web-n1")).isEqualTo("Running");
    assertThat(node.container("web-n1", "c").integer("restartCount")).hasValue(1);
    assertThat(node.container("web-n1", "c").object("lastState").has("terminated")).isTrue();
  }

  @Test
  void anAgentThatHasNotReadItsSourcesYetDeletesNoMirrors() throws IOException {
    write(POD);
    node.start();
    String mirror = Metadata.of(node.get("web-n1")).uid();
    URI nobody = URI.create("http://127.0.0.1:1/pods");
    node.with(from(Optional.empty(), Optional.of(nobody), Map.of())).start();
    node.advanceSeconds(60);
    assertThat(Metadata.of(node.get("web-n1")).uid()).isEqualTo(mirror);

    node.with(from(Optional.empty(), Optional.empty(), Map.of())).start();
    node.advanceSeconds(5);
    assertThat(node.exists("web-n1")).isFalse();
  }

  /** As one is while somebody writes it. */
  @Test
  void aFileThatCannotBeReadForNowEndsNothing() throws IOException {
    write(POD);
    node.start();
    write(POD.substring(0, 20));
    node.advanceSeconds(60);
    assertThat(node.runtime().journal()).doesNotContain("TERM web-n1/c");

    Files.delete(manifests.resolve("web.yaml"));
    node.advanceSeconds(20);
    assertThat(node.runtime().running()).isEmpty();
  }

  @Test
  void anAddressIsAskedWithItsHeadersAndMayAnswerWithSeveralPods() throws Exception {
    AtomicReference<String> answer = new AtomicReference<>("{'kind':'PodList','items':[]}");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/pods",
        exchange -> {
          boolean isKnown = "let me in".equals(exchange.getRequestHeaders().getFirst("X-Token"));
          byte[] body = answer.get().replace('\'', '"').getBytes(UTF_8);
          exchange.sendResponseHeaders(isKnown ? 200 : 401, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/pods");
      node.with(from(Optional.empty(), Optional.of(url), Map.of("X-Token", List.of("let me in"))));
      answer.set(
          "{'kind':'PodList','items':[{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i'}]}},"
              + "{'metadata':{'name':'b'},'spec':{'containers':[{'name':'c','image':'i'}]}}]}");
      node.start();
      assertThat(node.runtime().running()).containsExactlyInAnyOrder("a-n1/c", "b-n1/c");

      answer.set("<html>down for maintenance</html>");
      node.advanceSeconds(40);
      assertThat(node.runtime().running()).containsExactlyInAnyOrder("a-n1/c", "b-n1/c");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void whatIsNoPodIsLeftAlone() throws IOException {
    write("just: words");
    node.start();

    assertThat(node.runtime().running()).isEmpty();
  }

  @Test
  void aStaticPodMayNotNeedObjectsOfAServer() throws IOException {
    write(POD + "    envFrom:\n    - secretRef:\n        name: keys\n");
    node.start();

    assertThat(node.runtime().running()).isEmpty();
  }

  @Test
  void staticPodsRunWithoutAServer() throws IOException {
    write(POD);
    node.cut(true);
    node.start();

    assertThat(node.runtime().running()).containsExactly("web-n1/c");
  }
}
