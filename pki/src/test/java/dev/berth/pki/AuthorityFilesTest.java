package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An authority that others keep in files. */
class AuthorityFilesTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

  @TempDir Path folder;
  private Path certificate;
  private Path key;

  @BeforeEach
  void name() {
    certificate = folder.resolve("ca.crt");
    key = folder.resolve("ca.key");
  }

  private CertificateAuthority write(KeyPair pair, String keyText) throws IOException {
    CertificateAuthority authority = Signing.selfSigned(pair, NOW);
    Files.writeString(certificate, Pem.encode(authority.certificate()));
    Files.writeString(key, keyText);
    return authority;
  }

  private CertificateAuthority write(KeyPair pair) throws IOException {
    return write(pair, Pem.encode(pair.getPrivate()));
  }

  private static SigningRequest request(Duration validity) {
    String pem =
        SigningRequestFixture.pem(SigningRequestFixture.key(), SigningRequestFixture.names("me"));
    return new SigningRequest(pem, List.of("client auth"), validity);
  }

  private static X509Certificate sign(AuthorityFiles files) {
    return ((SigningResult.Signed) files.sign(request(Duration.ofHours(1)), NOW)).certificate();
  }

  @Test
  void theOlderFormsOfKeysAreRead() throws Exception {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair rsa = generator.generateKeyPair();
    byte[] pkcs1 =
        PrivateKeyInfo.getInstance(rsa.getPrivate().getEncoded())
            .parsePrivateKey()
            .toASN1Primitive()
            .getEncoded();
    CertificateAuthority authority = write(rsa, Pem.encode("RSA PRIVATE KEY", pkcs1));
    sign(AuthorityFiles.open(certificate, key)).verify(authority.certificate().getPublicKey());

    KeyPair ecdsa = KeyPairs.generate();
    authority = Signing.selfSigned(ecdsa, NOW);
    write(ecdsa, ClientKey.pem(new Credential(ecdsa.getPrivate(), authority.certificate())));
    sign(AuthorityFiles.open(certificate, key)).verify(ecdsa.getPublic());
  }

  @Test
  void filesThatAreReplacedSignFromThenOnOnceTheyBelongTogether() throws Exception {
    CertificateAuthority old = write(KeyPairs.generate());
    AuthorityFiles files = AuthorityFiles.open(certificate, key);
    String oldKey = Files.readString(key);
    CertificateAuthority replacement = write(KeyPairs.generate());
    String newKey = Files.readString(key);

    Files.writeString(key, oldKey);
    sign(files).verify(old.certificate().getPublicKey());
    Files.writeString(key, newKey);
    sign(files).verify(replacement.certificate().getPublicKey());
    Files.delete(key);
    sign(files).verify(replacement.certificate().getPublicKey());
  }

  @Test
  void nothingIsSignedForLongerThanTheAuthorityLastsNorAfterIt() throws Exception {
    CertificateAuthority authority = write(KeyPairs.generate());
    AuthorityFiles files = AuthorityFiles.open(certificate, key);
    Instant end = authority.certificate().getNotAfter().toInstant();
    SigningRequest year = request(Duration.ofDays(365));
    assertThat(
            ((SigningResult.Signed) files.sign(year, end.minusSeconds(1)))
                .certificate()
                .getNotAfter()
                .toInstant())
        .isEqualTo(end);
    assertThat(files.sign(year, end))
        .isEqualTo(
            new SigningResult.Unavailable(
                "The authority's certificate expired at %s: renew it.".formatted(end)));
  }

  @Test
  void whatCannotBeUsedIsRefused() throws Exception {
    assertRefused("cannot be read");
    write(KeyPairs.generate());
    Files.writeString(key, Pem.encode(KeyPairs.generate().getPrivate()));
    assertRefused("does not belong to the key");
    CertificateAuthority authority = write(KeyPairs.generate());
    Files.writeString(certificate, Pem.encode(authority.certificate()).repeat(2));
    assertRefused("holds 2 certificates");
    Files.writeString(certificate, "rubbish");
    assertRefused("no \"BEGIN CERTIFICATE\" block");
    write(KeyPairs.generate(), Pem.encode("RSA PRIVATE KEY", new byte[] {1, 2, 3}));
    assertRefused("the key is damaged");
  }

  private void assertRefused(String why) {
    assertThatThrownBy(() -> AuthorityFiles.open(certificate, key))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining(why);
  }
}
