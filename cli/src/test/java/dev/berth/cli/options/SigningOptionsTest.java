package dev.berth.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.standalone.ControllersCommand;
import dev.berth.controllers.certificates.SigningSettings;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.PkiException;
import dev.berth.policy.certificates.KubernetesSigner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who signs certificates, as the flags say it. */
class SigningOptionsTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

  @TempDir Path folder;
  private String certificate = "";
  private String key = "";

  @BeforeEach
  void makeAuthority() {
    ClusterCa.open(folder, NOW);
    certificate = folder.resolve("ca.crt").toString();
    key = folder.resolve("ca.key").toString();
  }

  private static SigningSettings read(String... words) {
    return SigningOptions.read(Arguments.parse(new ControllersCommand(), List.of(words)));
  }

  @Test
  void withoutFilesNobodySigns() {
    assertThat(read().isAnybody()).isFalse();
    assertThat(read().longest()).isEqualTo(Duration.ofHours(8760));
    assertThat(read("--cluster-signing-duration=24h").longest()).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void oneAuthoritySignsForAll() {
    assertThat(
            read("--cluster-signing-cert-file", certificate, "--cluster-signing-key-file", key)
                .signers())
        .containsOnlyKeys(KubernetesSigner.values());
  }

  @Test
  void eachSignerMayHaveItsOwn() {
    assertThat(
            read(
                    "--cluster-signing-kubelet-serving-cert-file",
                    certificate,
                    "--cluster-signing-kubelet-serving-key-file",
                    key)
                .signers())
        .containsOnlyKeys(KubernetesSigner.KUBELET_SERVING);
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> read("--cluster-signing-cert-file", certificate))
        .isInstanceOf(UsageException.class)
        .hasMessage("--cluster-signing-cert-file needs --cluster-signing-key-file, too.");
    assertThatThrownBy(() -> read("--cluster-signing-kubelet-client-key-file", key))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("needs --cluster-signing-kubelet-client-cert-file, too.");
    assertThatThrownBy(() ->
            read(
                "--cluster-signing-cert-file",
                certificate,
                "--cluster-signing-key-file",
                key,
                "--cluster-signing-legacy-unknown-cert-file",
                certificate,
                "--cluster-signing-legacy-unknown-key-file",
                key))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("give either these or files for each signer");
    assertThatThrownBy(
            () -> read("--cluster-signing-cert-file", key, "--cluster-signing-key-file", key))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("holds no \"BEGIN CERTIFICATE\" block");
    assertThatThrownBy(() -> read("--cluster-signing-duration=soon"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("must be a duration");
  }
}
