package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.log.Log;
import dev.berth.log.LogLevels;
import dev.berth.log.LogSink;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Rotation;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** What a server that runs for years does about its certificates. */
class CertificateUpkeepTest {
  @TempDir Path data;

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final List<String> warnings = new ArrayList<>();
  private final Log.Attachment log =
      Log.attach(LogLevels.of(Level.WARN), LogSink.on(time, line -> warnings.add(line.message())));
  private final Metrics metrics = new Metrics();
  private int changes;

  @AfterEach
  void close() {
    log.close();
  }

  private Path pki() {
    return data.resolve("pki");
  }

  /** A server that was started some time ago. */
  private ServerCertificates started(Duration ago, boolean inMemory) {
    ServerCertificates certificates =
        ServerCertificates.open(inMemory ? null : pki(), List.of(), time.now().minus(ago));
    new CertificateUpkeep(certificates, metrics, time, () -> changes++).start();
    time.settle();
    return certificates;
  }

  private static X509Certificate server(ServerCertificates certificates) {
    return certificates.tls().chain().getFirst();
  }

  @Test
  void certificatesAreRenewedAMonthBeforeTheirEnd() {
    for (boolean inMemory : new boolean[] {true, false}) {
      changes = 0;
      ServerCertificates certificates = started(Duration.ofDays(335).minusSeconds(30), inMemory);
      X509Certificate before = server(certificates);
      assertThat(changes).isZero();
      time.advance(Duration.ofSeconds(20));
      assertThat(server(certificates)).isEqualTo(before);
      time.advance(Duration.ofSeconds(20));
      assertThat(changes).isEqualTo(1);
      assertThat(server(certificates).getNotAfter().toInstant())
          .isAfter(time.now().plus(Duration.ofDays(364)));
      assertThat(certificates.ends().get("admin")).isAfter(time.now().plus(Duration.ofDays(364)));
      assertThat(
              certificates
                  .clients()
                  .verify(List.of(certificates.administrator().certificate()), time.now()))
          .hasToString("Valid[user=kubernetes-admin, groups=[system:masters]]");
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void anAuthorityThatIsAboutToEndIsWarnedOfOnceADayAndWhatItSignsIsNotRenewedInVain() {
    ClusterCa.open(pki(), time.now().minus(Duration.ofDays(3621)));
    ServerCertificates certificates = started(Duration.ZERO, false);
    assertThat(certificates.ends().values()).containsOnly(certificates.ends().get("ca"));
    assertThat(warnings)
        .hasSize(3)
        .containsOnly("a certificate of the cluster is about to expire: see \"berth certs\"");
    time.advance(Duration.ofHours(23));
    assertThat(warnings).hasSize(3);
    time.advance(Duration.ofHours(2));
    assertThat(warnings).hasSize(6);
    assertThat(changes).isZero();
  }

  @Test
  void theirEndsAreMetrics() {
    ServerCertificates certificates = started(Duration.ZERO, true);
    String shown = metrics.text(MetricsText.Format.PROMETHEUS);
    assertThat(certificates.ends()).containsOnlyKeys("ca", "apiserver", "admin");
    certificates
        .ends()
        .forEach((name, end) ->
            assertThat(shown)
                .contains(
                    "berth_certificate_expiration_timestamp_seconds{name=\"%s\"} %d\n"
                        .formatted(name, end.getEpochSecond())));
  }

  @Test
  void aRotationIsFollowedStepByStep() {
    ServerCertificates certificates = started(Duration.ZERO, false);
    X509Certificate oldServer = server(certificates);
    PublicKey oldKey = certificates.serviceAccountKey().pair().getPublic();
    List<Rotation> rotations =
        List.of(Rotation.ofAuthority(pki()), Rotation.ofServiceAccountKey(pki()));

    rotations.forEach(rotation -> rotation.prepare(time.now()));
    time.advance(CertificateUpkeep.PERIOD);
    assertThat(certificates.trusted()).hasSize(2);
    assertThat(server(certificates)).isEqualTo(oldServer);
    assertThat(certificates.serviceAccountKey().keys().verifying()).hasSize(2);

    rotations.forEach(Rotation::switchOver);
    time.advance(CertificateUpkeep.PERIOD);
    assertThat(certificates.trusted()).hasSize(2);
    assertThat(server(certificates)).isNotEqualTo(oldServer);
    assertThat(certificates.serviceAccountKey().pair().getPublic()).isNotEqualTo(oldKey);

    rotations.forEach(Rotation::finish);
    time.advance(CertificateUpkeep.PERIOD);
    assertThat(certificates.trusted()).hasSize(1);
    assertThat(certificates.clients().trusted()).isEqualTo(certificates.trusted());
    assertThat(certificates.serviceAccountKey().keys().verifying()).doesNotContain(oldKey);
    assertThat(changes).isEqualTo(3);
    assertThat(warnings).isEmpty();
  }

  @Test
  void damagedFilesAreWarnedOfAndTheServerGoesOn() throws IOException {
    ServerCertificates certificates = started(Duration.ZERO, false);
    String good = Files.readString(pki().resolve("ca.crt"));
    Files.writeString(pki().resolve("ca.crt"), "rubbish");
    time.advance(Duration.ofMinutes(10));
    assertThat(warnings)
        .containsExactly("cannot read the cluster's certificates, and goes on with the last ones");
    assertThat(certificates.trusted()).hasSize(1);
    Files.writeString(pki().resolve("ca.crt"), good);
    time.advance(CertificateUpkeep.PERIOD);
    assertThat(warnings).hasSize(1);
    assertThat(changes).isZero();
    assertThat(ClusterCa.open(pki(), time.now()).trusted()).isEqualTo(certificates.trusted());
  }
}
