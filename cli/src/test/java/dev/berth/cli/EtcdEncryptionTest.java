package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grpc.etcd.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server on a real etcd that encrypts what it stores there, and is started again. */
class EtcdEncryptionTest {
  @TempDir Path directory;
  private EtcdProcess etcd;

  @BeforeEach
  void start() throws IOException {
    etcd = EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")), 1);
  }

  @AfterEach
  void stop() {
    etcd.close();
  }

  private Path configuration(String providers) throws IOException {
    String secret =
        Base64.getEncoder().encodeToString("0123456789".repeat(4).substring(0, 32).getBytes(UTF_8));
    return Files.writeString(
        directory.resolve("encryption.yaml"),
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets, deployments.apps]
          providers: [%s]
        """
            .formatted(
                providers.replace("KEY", "keys: [{name: one, secret: %s}]".formatted(secret))));
  }

  private BerthProcess up(Path configuration) throws IOException {
    return BerthProcess.up(
        directory.resolve("data"),
        0,
        "--etcd-servers",
        etcd.endpoints().getFirst().toString(),
        "--encryption-provider-config",
        configuration.toString());
  }

  private String doctor(String... options) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("doctor", "--etcd-servers", etcd.endpoints().getFirst() + ""));
    words.addAll(List.of(options));
    return said(BerthProcess.command(words));
  }

  private String stored(String key) throws IOException {
    return said(
        List.of(
            "etcdctl", "--endpoints=" + etcd.endpoints().getFirst(), "get", "/registry/" + key));
  }

  private static String said(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ETCDCTL_API", "3");
    Process process = builder.start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"aesgcm", "secretbox"})
  void whatIsEncryptedInEtcdIsReadAgain(String provider) throws Exception {
    Path encrypted = configuration("{%s: {KEY}}, {identity: {}}".formatted(provider));
    try (BerthProcess berth = up(encrypted)) {
      assertThat(berth.said("create", "secret", "generic", "door", "--from-literal=a=sesame"))
          .contains("created");
      assertThat(berth.said("create", "deployment", "web", "--image=x", "--replicas=0"))
          .contains("created");
      assertThat(berth.terminate()).isZero();
    }
    String mark = "k8s:enc:%s:v1:one:".formatted(provider);
    assertThat(stored("secrets/default/door")).contains(mark).doesNotContain("sesame");
    assertThat(stored("deployments/default/web")).contains(mark).doesNotContain("replicas");

    assertThat(doctor("--encryption-provider-config", encrypted.toString()))
        .contains("objects can be read.");
    assertThat(doctor())
        .contains(
            "/registry/secrets/default/door: it is encrypted, and no encryption provider is"
                + " configured");
    try (BerthProcess berth = up(encrypted)) {
      assertThat(berth.said("get", "secret", "door", "-o", "jsonpath={.data.a}"))
          .isEqualTo("c2VzYW1l");
      assertThat(berth.said("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}"))
          .isEqualTo("0");
    }
    // Written again without, it is as it was.
    try (BerthProcess berth =
        up(configuration("{identity: {}}, {%s: {KEY}}".formatted(provider)))) {
      assertThat(berth.said("label", "secret", "door", "b=c")).contains("labeled");
    }
    assertThat(stored("secrets/default/door")).doesNotContain("k8s:enc:").contains("sesame");
  }
}
