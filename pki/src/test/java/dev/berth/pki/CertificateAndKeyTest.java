package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Go says of a certificate and a key that do not belong together. */
class CertificateAndKeyTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final Credential SERVER =
      ClusterCa.inMemory(NOW).server(ServerNames.of(List.of("a")), NOW);
  private static final String CERTIFICATE = Pem.encode(SERVER.certificate());
  private static final String KEY = Pem.encode(SERVER.key());

  private static String problem(String certificate, String key) {
    return CertificateAndKey.problem(certificate, key).orElse("");
  }

  @Test
  void aPairThatBelongsTogetherIsFine() {
    assertThat(problem(CERTIFICATE, KEY)).isEmpty();
  }

  @Test
  void saysWhatIsMissingOrSwitched() {
    assertThat(problem("", KEY)).isEqualTo("tls: failed to find any PEM data in certificate input");
    assertThat(problem(KEY, CERTIFICATE))
        .isEqualTo(
            "tls: failed to find certificate PEM data in certificate input, but did find a private"
                + " key; PEM inputs may have been switched");
    assertThat(problem(CERTIFICATE, "x"))
        .isEqualTo("tls: failed to find any PEM data in key input");
    assertThat(problem(CERTIFICATE, CERTIFICATE))
        .isEqualTo("tls: found a certificate rather than a key in the PEM for the private key");
    String damaged = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
    assertThat(problem(CERTIFICATE, damaged)).isEqualTo("tls: failed to parse private key");
  }

  @Test
  void saysThatTheKeyIsAnother() throws Exception {
    assertThat(problem(CERTIFICATE, Pem.encode(KeyPairs.generate().getPrivate())))
        .isEqualTo("tls: private key does not match public key");
    KeyPair rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    assertThat(problem(CERTIFICATE, Pem.encode(rsa.getPrivate())))
        .isEqualTo("tls: private key type does not match public key type");
  }
}
