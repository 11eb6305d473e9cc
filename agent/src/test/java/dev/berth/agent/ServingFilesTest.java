package dev.berth.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.config.KubeletConfigurationFile;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServingFilesTest {
  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final List<ServingFiles.Content> told = new ArrayList<>();

  @TempDir private Path folder;
  private ServingFiles files;

  @BeforeEach
  void begin() throws Exception {
    make("first");
    Path config = folder.resolve("kubelet.yaml");
    Files.writeString(
        config,
        """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        tlsCertFile: %1$s/cert
        tlsPrivateKeyFile: %1$s/key
        authentication: {x509: {clientCAFile: %1$s/cert}}
        """
            .formatted(folder));
    AgentSettings.Port port =
        KubeletConfigurationFile.read(
                Optional.of(config),
                Optional.empty(),
                JsonObject.EMPTY,
                AgentSettings.of("n1", folder),
                _ -> {})
            .port();
    files = ServingFiles.watch(time, port, ServingFiles.Content.read(port), told::add);
  }

  @AfterEach
  void end() {
    files.close();
  }

  private void make(String name) throws IOException, InterruptedException {
    String command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
            + " -subj /CN=%1$s -keyout %2$s/key -out %2$s/cert".formatted(name, folder);
    Process process = new ProcessBuilder(command.split(" ", -1)).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private List<String> names() {
    return told.stream()
        .map(each ->
            each.credential().orElseThrow().certificate().getSubjectX500Principal()
                + " for clients of "
                + each.authorities().orElseThrow().getFirst().getSubjectX500Principal())
        .toList();
  }

  @Test
  void filesThatAreReplacedAreServedWithinTenSeconds() throws Exception {
    time.advance(Duration.ofSeconds(30));
    assertThat(told).isEmpty();

    make("second");
    time.advance(Duration.ofSeconds(10));
    time.advance(Duration.ofSeconds(30));
    assertThat(names()).containsExactly("CN=second for clients of CN=second");
  }

  @Test
  void filesThatCannotBeUsedChangeNothing() throws Exception {
    Files.delete(folder.resolve("key"));
    time.advance(Duration.ofSeconds(20));
    assertThat(told).isEmpty();

    make("second");
    time.advance(Duration.ofSeconds(10));
    assertThat(names()).containsExactly("CN=second for clients of CN=second");
  }
}
