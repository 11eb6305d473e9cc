package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.pki.ClientCertificates.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster's keys are replaced step by step, and nothing that is in use is ever distrusted. */
class RotationTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final ServerNames NAMES = ServerNames.of(List.of());

  @TempDir Path data;
  private Path pki;

  @BeforeEach
  void begin() {
    pki = data.resolve("pki");
    ClusterCa.open(pki, NOW);
    ServiceAccountKey.open(pki);
  }

  private ClusterCa authority() {
    return ClusterCa.reopen(pki, NOW);
  }

  private X509Certificate client() {
    return authority().issueClient("jane", List.of(), Duration.ofDays(1), NOW).certificate();
  }

  private Verdict verdict(X509Certificate certificate) {
    return authority().clientCertificates().verify(List.of(certificate), NOW);
  }

  private static boolean isSignedBy(X509Certificate certificate, PublicKey key) {
    try {
      certificate.verify(key);
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  @Test
  void theAuthorityIsReplacedInThreeSteps() {
    Rotation rotation = Rotation.ofAuthority(pki);
    X509Certificate old = authority().certificate();
    X509Certificate oldClient = client();
    X509Certificate oldServer = authority().server(NAMES, NOW).certificate();
    assertThat(rotation.stage()).isEqualTo(Rotation.Stage.NONE);

    rotation.prepare(NOW);
    assertThat(rotation.stage()).isEqualTo(Rotation.Stage.PREPARED);
    assertThat(authority().certificate()).as("the old one signs").isEqualTo(old);
    assertThat(authority().trusted()).hasSize(2).startsWith(old);
    assertThat(authority().server(NAMES, NOW).certificate()).isEqualTo(oldServer);
    assertThat(authority().pem()).contains("-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE");

    rotation.switchOver();
    assertThat(rotation.stage()).isEqualTo(Rotation.Stage.SWITCHED);
    X509Certificate replacement = authority().certificate();
    assertThat(replacement).isNotEqualTo(old);
    assertThat(authority().trusted()).containsExactly(old, replacement);
    assertThat(isSignedBy(authority().server(NAMES, NOW).certificate(), replacement.getPublicKey()))
        .isTrue();
    X509Certificate newClient = client();
    assertThat(verdict(oldClient)).isInstanceOf(Verdict.Valid.class);
    assertThat(verdict(newClient)).isInstanceOf(Verdict.Valid.class);

    rotation.finish();
    assertThat(rotation.stage()).isEqualTo(Rotation.Stage.NONE);
    assertThat(authority().trusted()).containsExactly(replacement);
    assertThat(verdict(newClient)).isInstanceOf(Verdict.Valid.class);
    assertThat(verdict(oldClient)).isInstanceOf(Verdict.Rejected.class);
  }

  @Test
  void aRunningServersTrustFollows() {
    ClientCertificates running = authority().clientCertificates();
    Rotation rotation = Rotation.ofAuthority(pki);
    rotation.prepare(NOW);
    rotation.switchOver();
    X509Certificate client = client();
    assertThat(running.verify(List.of(client), NOW)).isInstanceOf(Verdict.Rejected.class);
    running.trust(authority().trusted());
    assertThat(running.verify(List.of(client), NOW)).isInstanceOf(Verdict.Valid.class);
  }

  @Test
  void theKeyOfServiceAccountsIsReplacedInThreeSteps() {
    Rotation rotation = Rotation.ofServiceAccountKey(pki);
    ServiceAccountKey running = ServiceAccountKey.open(pki);
    PublicKey old = running.pair().getPublic();
    ServiceAccountKey.Keys before = running.keys();
    running.refresh();
    assertThat(running.keys()).isSameAs(before);

    rotation.prepare(NOW);
    running.refresh();
    assertThat(running.pair().getPublic()).isEqualTo(old);
    assertThat(running.keys().verifying()).hasSize(2).startsWith(old);

    rotation.switchOver();
    running.refresh();
    PublicKey replacement = running.pair().getPublic();
    assertThat(replacement).isNotEqualTo(old);
    assertThat(running.keys().verifying()).containsExactly(old, replacement);

    rotation.finish();
    running.refresh();
    assertThat(running.keys().verifying()).containsExactly(replacement);
    assertThat(running.pair().getPublic()).isEqualTo(replacement);
  }

  @Test
  void whatIsPreparedCanBeCancelled() throws IOException {
    String bundle = Files.readString(pki.resolve("ca.crt"));
    Rotation rotation = Rotation.ofAuthority(pki);
    rotation.prepare(NOW);
    rotation.cancel();
    assertThat(rotation.stage()).isEqualTo(Rotation.Stage.NONE);
    assertThat(pki.resolve("ca.crt")).hasContent(bundle.strip());
    assertThat(pki.resolve("ca-next.key")).doesNotExist();
    rotation.prepare(NOW);
    assertThat(rotation.stage()).isEqualTo(Rotation.Stage.PREPARED);
  }

  @Test
  void aCrashBetweenTwoFilesLeavesTheStateBefore() throws IOException {
    String bundle = Files.readString(pki.resolve("ca.crt"));
    Rotation rotation = Rotation.ofAuthority(pki);
    rotation.prepare(NOW);
    Files.writeString(pki.resolve("ca.crt"), bundle);
    assertThat(rotation.stage()).isEqualTo(Rotation.Stage.NONE);
    assertThat(authority().trusted()).hasSize(1);
    rotation.prepare(NOW);
    assertThat(rotation.stage()).isEqualTo(Rotation.Stage.PREPARED);
  }

  @Test
  void stepsOutOfOrderAreRefused() {
    Rotation rotation = Rotation.ofAuthority(pki);
    assertRefused(rotation::switchOver, "none is under way: prepare one first");
    assertRefused(rotation::finish, "none is under way");
    rotation.prepare(NOW);
    assertRefused(() -> rotation.prepare(NOW), "it is prepared: switch or cancel it");
    assertRefused(rotation::finish, "it is prepared");
    rotation.switchOver();
    assertRefused(rotation::switchOver, "it is switched: finish it");
    assertRefused(rotation::cancel, "it is switched");
    assertRefused(
        () -> Rotation.ofAuthority(data.resolve("nowhere")).prepare(NOW),
        "has this cluster ever been started?");
  }

  @Test
  void filesThatAreMissingAreNotMadeAnewWhileAServerRuns() throws IOException {
    ServiceAccountKey running = ServiceAccountKey.open(pki);
    Files.delete(pki.resolve("ca.key"));
    Files.delete(pki.resolve("ca.crt"));
    Files.delete(pki.resolve("sa.key"));
    Files.delete(pki.resolve("sa.pub"));
    assertRefused(this::authority, "is missing in");
    assertRefused(running::refresh, "sa.key is missing in");
  }

  private static void assertRefused(Runnable step, String why) {
    assertThatThrownBy(step::run).isInstanceOf(PkiException.class).hasMessageContaining(why);
  }
}
