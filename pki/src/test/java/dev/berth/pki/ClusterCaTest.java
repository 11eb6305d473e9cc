package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authority and what it signs, at its first start and at later ones. */
class ClusterCaTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path data;
  private Path pki;

  @BeforeEach
  void name() {
    pki = data.resolve("pki");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void isMadeAtTheFirstStartAndKept() throws Exception {
    X509Certificate made = ClusterCa.open(pki, NOW).certificate();
    assertThat(made.getPublicKey()).isInstanceOf(ECPublicKey.class);
    assertThat(made.getBasicConstraints()).isNotNegative();
    assertThat(made.getNotAfter().toInstant()).isEqualTo(NOW.plus(DAY.multipliedBy(3650)));
    made.verify(made.getPublicKey());

    assertThat(ClusterCa.open(pki, NOW.plus(DAY)).certificate()).isEqualTo(made);
    assertThat(permissions(pki)).isEqualTo("rwx------");
    assertThat(permissions(pki.resolve("ca.key"))).isEqualTo("rw-------");
    assertThat(permissions(pki.resolve("ca.crt"))).isEqualTo("rw-------");
    try (var files = Files.list(pki)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("ca.key", "ca.crt");
    }
  }

  @Test
  void filesThatOthersCouldReadAreClosedToThem() throws Exception {
    ClusterCa.open(pki, NOW);
    Path key = pki.resolve("ca.key");
    Files.setPosixFilePermissions(pki, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-rw-rw-"));
    ClusterCa.open(pki, NOW);
    assertThat(permissions(pki)).isEqualTo("rwx------");
    assertThat(permissions(key)).isEqualTo("rw-------");
  }

  @Test
  void theCertificateIsMadeAgainFromTheKeyAndWhatItSignedStaysGood() throws Exception {
    ClusterCa before = ClusterCa.open(pki, NOW);
    Credential client = before.issueClient("me", List.of(), DAY, NOW);
    Files.delete(pki.resolve("ca.crt"));
    ClusterCa after = ClusterCa.open(pki, NOW);
    assertThat(after.certificate()).isNotEqualTo(before.certificate());
    assertThat(after.clientCertificates().verify(List.of(client.certificate()), NOW))
        .isInstanceOf(ClientCertificates.Verdict.Valid.class);
  }

  @Test
  void aCertificateWithoutItsKeyIsRefused() throws Exception {
    ClusterCa.open(pki, NOW);
    Files.delete(pki.resolve("ca.key"));
    assertRefused("ca.key is not: bring the key back");
  }

  @Test
  void aMismatchingPairIsRefused() throws Exception {
    ClusterCa.open(pki, NOW);
    Path other = data.resolve("other");
    ClusterCa.open(other, NOW);
    Files.write(pki.resolve("ca.key"), Files.readAllBytes(other.resolve("ca.key")));
    assertRefused("does not belong to the key");
  }

  @Test
  void aDamagedKeyIsRefused() throws Exception {
    ClusterCa.open(pki, NOW);
    Path key = pki.resolve("ca.key");
    String text = Files.readString(key);
    for (String damaged :
        List.of("", "rubbish", text.substring(0, 60), text.replace('M', 'N'), text + text)) {
      Files.writeString(key, damaged);
      assertRefused("ca.key cannot be used (");
    }
  }

  @Test
  void aDamagedCertificateIsRefused() throws Exception {
    ClusterCa.open(pki, NOW);
    Path certificate = pki.resolve("ca.crt");
    String text = Files.readString(certificate);
    for (String damaged : List.of("", text.substring(0, 100), text.replace('M', 'N'))) {
      Files.writeString(certificate, damaged);
      assertRefused("ca.crt is damaged (");
    }
  }

  @Test
  void aCertificateOfNoAuthorityIsRefused() throws Exception {
    Credential leaf = ClusterCa.open(pki, NOW).issueClient("me", List.of(), DAY, NOW);
    Files.writeString(pki.resolve("ca.key"), Pem.encode(leaf.key()));
    Files.writeString(pki.resolve("ca.crt"), Pem.encode(leaf.certificate()));
    assertRefused("is not one of an authority");
  }

  @Test
  void anExpiredAuthorityIsRefused() {
    ClusterCa.open(pki, NOW);
    assertThatThrownBy(() -> ClusterCa.open(pki, NOW.plus(DAY.multipliedBy(3650))))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("expired at 2036-04-28T12:00:00Z: remove it");
  }

  @Test
  void aKeyThatCannotBeReadIsRefused() throws Exception {
    Files.createDirectories(pki.resolve("ca.key"));
    assertRefused("ca.key cannot be used (Is a directory)");
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws Exception {
    Files.writeString(pki, "");
    assertRefused("cannot be used");
  }

  private void assertRefused(String why) {
    assertThatThrownBy(() -> ClusterCa.open(pki, NOW))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining(why)
        .message()
        .endsWith(".")
        .doesNotContain("\n");
  }

  @Test
  void theServersCertificateHasAllItsNames() throws Exception {
    ServerNames names = ServerNames.of(List.of("api.example.com", "192.0.2.7", "2001:db8::0:1"));
    X509Certificate certificate = ClusterCa.open(pki, NOW).server(names, NOW).certificate();
    SubjectNames written = SubjectNames.of(certificate);
    assertThat(written.dns())
        .containsExactlyInAnyOrder(
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local",
            "localhost",
            "api.example.com");
    assertThat(written.addresses())
        .containsExactlyInAnyOrder(
            "127.0.0.1", "0:0:0:0:0:0:0:1", "10.96.0.1", "192.0.2.7", "2001:db8:0:0:0:0:0:1");
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(ServerNames.of(ServerNames.ofThisMachine()).names().addresses())
        .contains("127.0.0.1");
    assertThatThrownBy(() -> ServerNames.of(List.of("no host")))
        .hasMessage("\"no host\" is neither a host name nor an IP address.");
  }

  @Test
  void theServersCertificateIsKeptUntilItsNamesChangeOrItsEndIsNear() {
    ClusterCa ca = ClusterCa.open(pki, NOW);
    ServerNames names = ServerNames.of(List.of("a"));
    Credential first = ca.server(names, NOW);
    Instant lastDay = NOW.plus(DAY.multipliedBy(365 - 30));
    assertThat(ca.server(names, lastDay).certificate()).isEqualTo(first.certificate());

    Credential renamed = ca.server(ServerNames.of(List.of("a", "b")), NOW);
    assertThat(renamed.certificate()).isNotEqualTo(first.certificate());
    Credential renewed = ca.server(ServerNames.of(List.of("a", "b")), lastDay.plusSeconds(1));
    assertThat(renewed.certificate()).isNotEqualTo(renamed.certificate());
    assertThat(KeyPairs.match(renewed.key(), renewed.certificate().getPublicKey())).isTrue();
  }

  @Test
  void aKeptCertificateOfAnotherAuthorityOrADamagedOneIsReplaced() throws Exception {
    Credential first = ClusterCa.open(pki, NOW).administrator(NOW);
    Files.delete(pki.resolve("ca.key"));
    Files.delete(pki.resolve("ca.crt"));
    ClusterCa other = ClusterCa.open(pki, NOW);
    Credential second = other.administrator(NOW);
    assertThat(second.certificate()).isNotEqualTo(first.certificate());
    Files.writeString(pki.resolve("admin.pem"), "rubbish");
    assertThat(other.administrator(NOW).certificate()).isNotEqualTo(second.certificate());
    assertThat(permissions(pki.resolve("admin.pem"))).isEqualTo("rw-------");
  }

  @Test
  void theAdministratorIsAMasterForAYear() {
    ClusterCa ca = ClusterCa.open(pki, NOW);
    X509Certificate certificate = ca.administrator(NOW).certificate();
    assertThat(ca.clientCertificates().verify(List.of(certificate), NOW))
        .isEqualTo(
            new ClientCertificates.Verdict.Valid("kubernetes-admin", List.of("system:masters")));
    assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(365)));
    Instant near = NOW.plus(DAY.multipliedBy(335)).plusSeconds(1);
    assertThat(ca.administrator(near).certificate()).isNotEqualTo(certificate);
  }

  @Test
  void nothingOutlivesTheAuthority() {
    ClusterCa ca = ClusterCa.open(pki, NOW);
    X509Certificate certificate =
        ca.issueClient("me", List.of(), DAY.multipliedBy(9999), NOW).certificate();
    assertThat(certificate.getNotAfter()).isEqualTo(ca.certificate().getNotAfter());
  }

  @Test
  void theServiceAccountKeyIsKeptAndRefusedWhenDamaged() throws Exception {
    ServiceAccountKey made = ServiceAccountKey.open(pki);
    ServiceAccountKey kept = ServiceAccountKey.open(pki);
    assertThat(made.algorithm()).isEqualTo("ES256");
    assertThat(kept.pair().getPublic()).isEqualTo(made.pair().getPublic());
    assertThat(KeyPairs.match(kept.pair().getPrivate(), made.pair().getPublic())).isTrue();
    assertThat(permissions(pki.resolve("sa.key"))).isEqualTo("rw-------");
    assertThat(made.toString()).isEqualTo("ServiceAccountKey[ES256]");

    Files.delete(pki.resolve("sa.pub"));
    assertThat(ServiceAccountKey.open(pki).pair().getPublic()).isEqualTo(made.pair().getPublic());
    String other = Pem.encode(Pem.PUBLIC_KEY, KeyPairs.generate().getPublic().getEncoded());
    for (String wrong : List.of("rubbish", other)) {
      Files.writeString(pki.resolve("sa.pub"), wrong);
      assertThatThrownBy(() -> ServiceAccountKey.open(pki))
          .isInstanceOf(PkiException.class)
          .hasMessageContaining("sa.key: remove it to have it made again.");
    }

    Files.writeString(pki.resolve("sa.key"), "rubbish");
    assertThatThrownBy(() -> ServiceAccountKey.open(pki))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("sa.key cannot be used (it holds 0 \"BEGIN PRIVATE KEY\" blocks");
  }

  @Test
  void anRsaServiceAccountKeyIsUsed() throws Exception {
    Files.createDirectory(pki);
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    var pair = generator.generateKeyPair();
    Files.writeString(pki.resolve("sa.key"), Pem.encode(pair.getPrivate()));
    ServiceAccountKey key = ServiceAccountKey.open(pki);
    assertThat(key.algorithm()).isEqualTo("RS256");
    assertThat(key.pair().getPublic()).isEqualTo(pair.getPublic());
  }
}
