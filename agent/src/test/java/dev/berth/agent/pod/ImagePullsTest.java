package dev.berth.agent.pod;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.metrics.MetricsText;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    assertThat(node.metrics().text(MetricsText.Format.PROMETHEUS))
        .contains("kubelet_image_pull_duration_seconds_count{image_size_in_bytes=\"0-10MB\"} 1\n");
  }

  @ParameterizedTest(name = "{0} bytes: {1}")
  @CsvSource({"0, N/A", "1, 0-10MB", "10485760, 0-10MB", "10485761, 10MB-100MB"})
  void imagesAreCountedBySize(long bytes, String size) {
    assertThat(KubeletMetrics.size(bytes)).isEqualTo(size);
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

  private void login(String name, String user) {
    String login =
        Base64.getEncoder()
            .encodeToString(
                "{\"auths\":{\"registry.example\":{\"username\":\"%s\",\"password\":\"p\"}}}"
                    .formatted(user)
                    .getBytes(UTF_8));
    node.objects()
        .typedSecret(
            name,
            JsonObject.of("type", "kubernetes.io/dockerconfigjson")
                .with(
                    "metadata",
                    JsonObject.of("name", name).with("namespace", "default").with("uid", name))
                .with("data", JsonObject.of(".dockerconfigjson", login)));
  }

  private void pod(String name, String policy, String secret) {
    node.pod(
        name,
        "{'imagePullSecrets':[{'name':'%s'}],'containers':[{'name':'c','image':'registry.example/web:1','imagePullPolicy':'%s'}]}"
            .formatted(secret, policy));
  }

  private long pulls() {
    return node.runtime().journal().stream()
        .filter(line -> line.startsWith("pull registry.example/web:1"))
        .count();
  }

  @Test
  void whatOnePodHasPulledWithASecretAnotherMayUseWithThatLoginAlone() {
    node.runtime().privateRegistry();
    login("pull", "u");
    login("copy", "u");
    login("other", "v");
    pod("first", "IfNotPresent", "pull");
    assertThat(node.phase("first")).isEqualTo("Running");
    assertThat(pulls()).isEqualTo(1);

    pod("same", "IfNotPresent", "copy");
    assertThat(node.phase("same")).isEqualTo("Running");
    assertThat(node.events("same"))
        .contains(
            "Pulled: Container image \"registry.example/web:1\" already present on machine and can"
                + " be accessed by the pod");
    pod("never", "Never", "pull");
    assertThat(node.phase("never")).isEqualTo("Running");
    assertThat(pulls()).isEqualTo(1);

    pod("stranger", "IfNotPresent", "absent");
    assertThat(node.state("stranger", "c")).isEqualTo("ErrImagePull");
    assertThat(node.events("stranger"))
        .contains(
            "Failed: Failed to pull image \"registry.example/web:1\": registry.example/web:1:"
                + " unauthorized");
    pod("hidden", "Never", "absent");
    assertThat(node.state("hidden", "c")).isEqualTo("ErrImageNeverPull");
    assertThat(pulls()).isEqualTo(2);

    pod("allowed", "IfNotPresent", "other");
    assertThat(node.phase("allowed")).as("its own login is good, too").isEqualTo("Running");
    assertThat(pulls()).isEqualTo(3);
    pod("again", "Never", "other");
    assertThat(node.phase("again")).isEqualTo("Running");
  }

  @Test
  void imagesThatAreForAllOrThatOthersBroughtArePulledOnce() {
    pod("first", "IfNotPresent", "absent");
    node.objects().unavailable("no server");
    pod("second", "IfNotPresent", "absent");
    assertThat(node.phase("second")).isEqualTo("Running");
    assertThat(pulls()).isEqualTo(1);

    node.runtime().privateRegistry();
    node.runtime().bring("registry.example/brought:1");
    node.pod(
        "third",
        "{'containers':[{'name':'c','image':'registry.example/brought:1','imagePullPolicy':'Never'}]}");
    assertThat(node.phase("third")).isEqualTo("Running");
  }

  @Test
  void whatWasPulledWithASecretStaysThatWayWhenTheAgentDies() {
    node.runtime().privateRegistry();
    login("pull", "u");
    pod("first", "IfNotPresent", "pull");
    node.stop();
    node.start();
    pod("stranger", "Never", "absent");
    assertThat(node.state("stranger", "c")).isEqualTo("ErrImageNeverPull");
    pod("same", "Never", "pull");
    assertThat(node.phase("same")).isEqualTo("Running");
  }

  @Test
  void logsInWithThePodsSecrets() {
    login("pull", "u");
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

  /** A pod whose container runs in an image that is there, and mounts another one. */
  private void podMounting(String image, String policy) {
    node.pod(
        "web",
        ("{'volumes':[{'name':'v','image':{'reference':'%s','pullPolicy':'%s'}}],'containers':[{'name':'c',"
                + "'image':'registry.example/web:1','imagePullPolicy':'IfNotPresent',"
                + "'volumeMounts':[{'name':'v','mountPath':'/v'}]}]}")
            .formatted(image, policy));
  }

  @Test
  void pullsWhatAVolumeIsMadeFromBeforeTheContainerStarts() {
    node.runtime().registry("registry.example/web:1", "registry.example/files:1");
    podMounting("registry.example/files:1", "IfNotPresent");
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.runtime().journal())
        .containsExactly(
            "sandbox web",
            "pull registry.example/files:1",
            "pull registry.example/web:1",
            "start web/c 0");

    node.runtime().exit("web", "c", 1);
    node.settle();
    assertThat(node.runtime().running()).containsExactly("web/c");
    assertThat(node.events("web"))
        .contains(
            "Pulled: Container image \"registry.example/files:1\" already present on machine and can"
                + " be accessed by the pod");
  }

  @Test
  void saysWhyWhatAVolumeIsMadeFromCannotBeHad() {
    podMounting("registry.example/absent:1", "Always");
    assertThat(node.state("web", "c")).isEqualTo("ErrImagePull");
    node.advanceSeconds(1);
    assertThat(node.state("web", "c")).isEqualTo("ImagePullBackOff");
    assertThat(message())
        .isEqualTo(
            "Back-off pulling image \"registry.example/absent:1\": ErrImagePull:"
                + " registry.example/absent:1: not found");

    node.runtime().registry("registry.example/web:1", "registry.example/absent:1");
    node.advanceSeconds(10);
    assertThat(node.state("web", "c")).isEqualTo("running");
  }

  @Test
  void neverPullsWhatAVolumeIsMadeFromIfItsPolicyIsNever() {
    podMounting("registry.example/files:1", "Never");
    assertThat(node.state("web", "c")).isEqualTo("ErrImageNeverPull");
  }

  @Test
  void whatAVolumeIsMadeFromHasToBeImportedWhereNothingIsPulled() {
    node.runtime().imported();
    podMounting("files:1", "IfNotPresent");
    assertThat(node.state("web", "c")).isEqualTo("ErrImagePull");
    assertThat(message())
        .isEqualTo(
            "the image \"files:1\" was not imported to this node, which pulls none: import it by"
                + " 'berth image import files:1 FILE.tar'");

    node.runtime().imported("files:1");
    node.advanceSeconds(11);
    assertThat(node.state("web", "c")).isEqualTo("running");
  }
}
