package dev.berth.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.layout.KubernetesLayout;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.embedded.ValueTransformer.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects are encrypted in etcd as by a kube-apiserver, bound to their keys there. */
class EncryptedInEtcdTest {
  private static final KubernetesLayout LAYOUT = new KubernetesLayout("/registry");
  private static final String RECORDED = "kube-apiserver-encrypted.tsv";

  @TempDir Path directory;

  /** An object as a kube-apiserver had it. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  private record Recorded(String etcdKey, byte[] value) {
    String key() {
      return LAYOUT.storeKey(etcdKey).orElseThrow();
    }

    String name() {
      return etcdKey.substring(etcdKey.lastIndexOf('/') + 1);
    }
  }

  private static List<Recorded> recorded() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(EncryptedInEtcdTest.class.getResourceAsStream(RECORDED))) {
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .map(columns -> new Recorded(columns[0], Base64.getDecoder().decode(columns[1])))
          .toList();
    }
  }

  /** With the key of the recording, by which the first of these writes and all read. */
  private ValueTransformer providers(String... names) throws IOException {
    String secret = Base64.getEncoder().encodeToString("a".repeat(32).getBytes(UTF_8));
    StringBuilder providers = new StringBuilder();
    Stream.of(names)
        .forEach(name ->
            providers.append("  - %s: {keys: [{name: k1, secret: %s}]}\n".formatted(name, secret)));
    return EncryptionConfiguration.read(
        Files.writeString(
            directory.resolve("encryption.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: EncryptionConfiguration
            resources:
            - resources: ['*.*']
              providers:
            """
                + providers));
  }

  private static JsonObject decoded(String key, Reading reading) {
    assertThat(reading).as(key).isInstanceOf(Reading.Value.class);
    byte[] json = LAYOUT.decode(key, ((Reading.Value) reading).value());
    return JsonReader.object(json, JsonLimits.TRUSTED);
  }

  @Test
  void whatAKubeApiserverEncryptedIsRead() throws IOException {
    ValueTransformer encryption = providers("aesgcm", "secretbox", "aescbc");
    for (Recorded object : recorded()) {
      Reading reading = encryption.read(object.key(), object.etcdKey(), object.value());
      assertThat(Metadata.of(decoded(object.key(), reading)).name()).isEqualTo(object.name());
    }
  }

  @Test
  void whatIsEncryptedForEtcdIsBoundToItsKeyThere() throws IOException {
    Recorded deployment =
        recorded().stream()
            .filter(object -> object.etcdKey().startsWith("/registry/deployments/"))
            .findFirst()
            .orElseThrow();
    ValueTransformer encryption = providers("aesgcm", "secretbox", "aescbc");
    String key = deployment.key();
    assertThat(encryption.read(key, key, deployment.value()))
        .isInstanceOf(Reading.Unreadable.class);

    JsonObject read = decoded(key, encryption.read(key, deployment.etcdKey(), deployment.value()));
    byte[] written =
        encryption
            .form(key)
            .orElseThrow()
            .write(deployment.etcdKey(), LAYOUT.encode(key, read.toString().getBytes(UTF_8)));
    assertThat(decoded(key, encryption.read(key, deployment.etcdKey(), written))).isEqualTo(read);
    assertThat(encryption.read(key, "/registry/deployments/default/other", written))
        .isInstanceOf(Reading.Unreadable.class);
  }
}
