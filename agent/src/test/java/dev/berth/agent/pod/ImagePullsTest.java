package dev.berth.agent.pod;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Images of a runtime that pulls them: when, with which secrets, and what the pod says meanwhile.
 */
final class ImagePullsTest {
  @TempDir private Path root;
  private TestNode node;

  @BeforeEach
  void begin() {
    node = new TestNode(root);
    node.runtime().registry("registry.example/web:1", "registry.example/web:latest");
    node.start();
  }

  @AfterEach
  void end() {
    node.close();
  }

  private void pod(String image, String policy) {
    node.pod(
        "web",
        "{'imagePullSecrets':[{'name':'pull'}],'containers':[{'name':'c','image':'%s','imagePullPolicy':'%s'}]}"
            .formatted(image, policy));
  }

  private String message() {
    return node.container("web", "c").object("state").object("waiting").text("message", "");
  }

  @Test
  void pullsAnImageThatIsNotThereOnce() {
    pod("registry.example/web:1", "IfNotPresent");
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.events("web"))
        .contains("Pulling: Pulling image \"registry.example/web:1\"")
        .anyMatch(event ->
            event.matches(
                "Pulled: Successfully pulled image \"registry.example/web:1\" in \\S+ \\(\\S+"
                    + " including waiting\\)\\. Image size: 1 bytes\\."))
        .contains(
            "FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (pull);"
                + " attempting to pull the image may not succeed.");

    node.runtime().exit("web", "c", 1);
    node.advanceSeconds(20);
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.runtime().journal()).containsOnlyOnce("pull registry.example/web:1");
  }

  @Test
  void pullsEachTimeIfThePolicyIsAlwaysAndTakesTheLatestWithoutATag() {
    pod("registry.example/web", "Always");
    node.runtime().exit("web", "c", 1);
    node.advanceSeconds(20);
    assertThat(node.runtime().journal().stream().filter("pull registry.example/web:latest"::equals))
        .hasSize(2);
  }

  @Test
  void neverPullsIfThePolicyIsNever() {
    pod("registry.example/web:1", "Never");
    assertThat(node.state("web", "c")).isEqualTo("ErrImageNeverPull");
    assertThat(message())
        .isEqualTo(
            "Container image \"registry.example/web:1\" is not present with pull policy of Never");
    assertThat(node.events("web"))
        .contains(
            "ErrImageNeverPull: Container image \"registry.example/web:1\" is not present with pull"
                + " policy of Never")
        .contains("Failed: Error: ErrImageNeverPull");
    assertThat(node.runtime().journal()).noneMatch(line -> line.startsWith("pull"));
  }

  @Test
  void saysWhyAnImageCannotBeHadAndBacksOff() {
    pod("registry.example/absent:1", "IfNotPresent");
    assertThat(node.state("web", "c")).isEqualTo("ErrImagePull");
    assertThat(node.events("web"))
        .contains(
            "Failed: Failed to pull image \"registry.example/absent:1\": registry.example/absent:1:"
                + " not found")
        .contains("Failed: Error: ErrImagePull");
    node.advanceSeconds(1);
    assertThat(node.state("web", "c")).isEqualTo("ImagePullBackOff");
    assertThat(message())
        .isEqualTo(
            "Back-off pulling image \"registry.example/absent:1\": ErrImagePull:"
                + " registry.example/absent:1: not found");
    node.advanceSeconds(9);
    assertThat(node.runtime().journal().stream().filter("pull registry.example/absent:1"::equals))
        .hasSize(2);
  }

  @Test
  void saysThatANameIsNoImages() {
    pod("Web/APP", "IfNotPresent");
    assertThat(node.state("web", "c")).isEqualTo("InvalidImageName");
    assertThat(message())
        .isEqualTo(
            "Failed to apply default image tag \"Web/APP\": couldn't parse image name \"Web/APP\":"
                + " invalid reference format: repository name (Web/APP) must be lowercase");
    assertThat(node.events("web")).contains("InspectFailed: " + message());
  }

  @Test
  void logsInWithThePodsSecrets() {
    String login =
        Base64.getEncoder()
            .encodeToString(
                "{\"auths\":{\"registry.example\":{\"username\":\"u\",\"password\":\"p\"}}}"
                    .getBytes(UTF_8));
    node.objects()
        .typedSecret(
            "pull",
            JsonObject.of("type", "kubernetes.io/dockerconfigjson")
                .with("data", JsonObject.of(".dockerconfigjson", login)));
    pod("registry.example/web:1", "IfNotPresent");
    assertThat(node.runtime().journal()).contains("pull registry.example/web:1 as [u:***]");
  }

  @Test
  void waitsForARuntimeThatCannotSayWhatItRuns() {
    pod("registry.example/web:1", "IfNotPresent");
    node.runtime().failLists(new RuntimeFailure("RuntimeError", "down"));
    node.runtime().exit("web", "c", 1);
    node.advanceSeconds(10);
    assertThat(node.state("web", "c")).isEqualTo("running");

    node.runtime().failLists(null);
    node.advanceSeconds(2);
    assertThat(node.container("web", "c").integer("restartCount")).hasValue(1);
  }

  @Test
  void beginsOnceTheRuntimeSaysWhatItRuns() {
    pod("registry.example/web:1", "IfNotPresent");
    node.stop();
    node.runtime().failLists(new RuntimeFailure("RuntimeError", "down"));
    node.start();
    node.advanceSeconds(30);
    node.runtime().failLists(null);
    node.advanceSeconds(2);
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.runtime().journal()).containsOnlyOnce("start web/c 0");
  }
}
