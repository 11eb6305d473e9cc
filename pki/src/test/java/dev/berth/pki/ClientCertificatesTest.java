package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.pki.ClientCertificates.Verdict;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a client is by its certificate, and why not. */
class ClientCertificatesTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path data;
  private ClusterCa ca;
  private ClientCertificates certificates;

  @BeforeEach
  void open() {
    ca = ClusterCa.open(data.resolve("pki"), NOW);
    certificates = ca.clientCertificates();
  }

  private X509Certificate client(String user, String... groups) {
    return ca.issueClient(user, List.of(groups), HOUR, NOW).certificate();
  }

  private void assertRejected(List<X509Certificate> chain, Instant now, String why) {
    assertThat(certificates.verify(chain, now))
        .isInstanceOfSatisfying(
            Verdict.Rejected.class, rejected -> assertThat(rejected.reason()).endsWith(why));
  }

  @Test
  void noCertificateIsNoProofAndNoOffence() {
    assertThat(certificates.verify(List.of(), NOW)).isEqualTo(new Verdict.Absent());
  }

  @Test
  void theCommonNameIsTheUserAndTheOrganizationsAreTheGroups() {
    String user = "system:node:n-1, \"ü\"";
    assertThat(certificates.verify(List.of(client(user, "system:nodes", "b+c")), NOW))
        .isEqualTo(new Verdict.Valid(user, List.of("system:nodes", "b+c")));
  }

  @Test
  void theAuthorityMayBePresentedToo() {
    assertThat(certificates.verify(List.of(client("me"), ca.certificate()), NOW))
        .isEqualTo(new Verdict.Valid("me", List.of()));
    assertRejected(List.of(ca.certificate()), NOW, "is the authority's own.");
  }

  @Test
  void theTimeMustBeWithinItsValidity() {
    X509Certificate certificate = client("me");
    Instant first = NOW.minus(Duration.ofMinutes(5));
    Instant last = NOW.plus(HOUR);
    for (Instant good : List.of(first, NOW, last)) {
      assertThat(certificates.verify(List.of(certificate), good)).isInstanceOf(Verdict.Valid.class);
    }
    assertRejected(
        List.of(certificate), first.minusMillis(1), "is not valid before 2026-05-01T11:55:00Z.");
    assertRejected(List.of(certificate), last.plusMillis(1), "expired at 2026-05-01T13:00:00Z.");
  }

  @Test
  void anotherAuthoritysIsRejected() {
    ClusterCa other = ClusterCa.open(data.resolve("other"), NOW);
    X509Certificate foreign = other.issueClient("me", List.of(), HOUR, NOW).certificate();
    assertRejected(List.of(foreign), NOW, "is not signed by this cluster's authority.");
    assertRejected(
        List.of(foreign, other.certificate()), NOW, "is not signed by this cluster's authority.");
    assertRejected(
        List.of(foreign, ca.certificate()), NOW, "is not signed by this cluster's authority.");
  }

  @Test
  void aClientCannotSignFurtherClients() {
    Credential client = ca.issueClient("me", List.of(), HOUR, NOW);
    var impostor = new CertificateAuthority(client.key(), client.certificate());
    X509Certificate forged =
        Signing.issue(
                impostor,
                new CertificateSpec(
                    "kubernetes-admin",
                    List.of("system:masters"),
                    SubjectNames.NONE,
                    Set.of(Usage.CLIENT_AUTH),
                    HOUR),
                NOW)
            .certificate();
    assertRejected(
        List.of(forged, client.certificate()), NOW, "is not signed by this cluster's authority.");
  }

  @Test
  void aServersCertificateIsNoClients() {
    X509Certificate server = ca.server(ServerNames.of(List.of()), NOW).certificate();
    assertRejected(List.of(server), NOW, "does not allow client authentication.");
  }

  @Test
  void aUserHasAName() {
    assertRejected(
        List.of(client("", "system:masters")), NOW, "has no common name, which would be the user.");
  }
}
