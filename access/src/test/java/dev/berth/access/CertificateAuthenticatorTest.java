package dev.berth.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.Authenticator.Answer;
import dev.berth.model.user.User;
import dev.berth.pki.ClusterCa;
import dev.berth.registry.fixture.TestCluster;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates are verified once, and are good for their time only. */
class CertificateAuthenticatorTest {
  @TempDir Path data;

  private final TestCluster cluster = new TestCluster();

  @Test
  void aChainIsRememberedWhileItIsGood() {
    ClusterCa authority = ClusterCa.open(data.resolve("pki"), cluster.time.now());
    CertificateAuthenticator authenticator =
        new CertificateAuthenticator(authority.clientCertificates(), cluster.time);
    X509Certificate certificate =
        authority
            .issueClient("ann", List.of("staff"), Duration.ofHours(1), cluster.time.now())
            .certificate();
    Answer first = authenticator.identify(List.of(certificate));
    assertThat(first)
        .isInstanceOfSatisfying(
            Answer.Known.class,
            known -> {
              assertThat(known.user().name()).isEqualTo("ann");
              assertThat(known.user().groups()).containsExactly("staff", User.AUTHENTICATED);
              assertThat(known.user().extra().get(User.CREDENTIAL_ID))
                  .singleElement()
                  .asString()
                  .matches("X509SHA256=[0-9a-f]{64}");
            });
    assertThat(authenticator.identify(List.of(certificate))).isSameAs(first);

    cluster.time.advance(Duration.ofHours(2));
    assertThat(authenticator.identify(List.of(certificate))).isInstanceOf(Answer.Rejected.class);
    assertThat(authenticator.identify(List.of())).isEqualTo(new Answer.NoProof());
  }

  @Test
  void onlySoManyAreRemembered() {
    BoundedCache<Integer, String> cache = new BoundedCache<>(2);
    cache.put(1, "a");
    cache.put(2, "b");
    assertThat(cache.get(1)).contains("a");
    cache.put(3, "c");
    assertThat(cache.size()).isEqualTo(2);
    assertThat(cache.get(2)).isEmpty();
    assertThat(cache.get(1)).contains("a");
  }
}
