package dev.berth.agent.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonObject;
import dev.berth.pki.CertificateHash;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.DetachedSignature;
import dev.berth.pki.KubeconfigFile;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterDiscoveryTest {
  private static final URI ADDRESS = URI.create("https://192.0.2.1:6443");
  private static final JoinToken TOKEN = JoinToken.parse("abcdef.0123456789abcdef");
  private static final ClusterCa CA = ClusterCa.inMemory(Instant.parse("2030-01-01T00:00:00Z"));
  private static final String HASH = CertificateHash.of(CA.certificate());

  private static JsonObject info(String kubeconfig, String id, String secret) {
    return JsonObject.of(
        "data",
        new JsonObject.Builder()
            .put("kubeconfig", kubeconfig)
            .put("jws-kubeconfig-" + id, DetachedSignature.of(kubeconfig, id, secret))
            .build());
  }

  private static String kubeconfig() {
    return KubeconfigFile.withoutUser(ADDRESS, CA.trusted());
  }

  @Test
  void aClusterThatKnowsTheTokenAndHasTheAuthorityIsTrusted() {
    JsonObject genuine = info(kubeconfig(), TOKEN.id(), TOKEN.secret());
    ClusterDiscovery.Cluster cluster =
        ClusterDiscovery.verify(genuine, TOKEN, Set.of(HASH), ADDRESS);
    assertThat(cluster.server()).isEqualTo(ADDRESS);
    assertThat(cluster.authorities()).containsExactly(CA.certificate());
    assertThat(ClusterDiscovery.verify(genuine, TOKEN, Set.of(), ADDRESS)).isEqualTo(cluster);
    assertThat(HASH).matches("sha256:[0-9a-f]{64}");
  }

  @Test
  void aClusterThatDoesNotKnowTheTokenIsNot() {
    assertThatThrownBy(() ->
            ClusterDiscovery.verify(
                info(kubeconfig(), "ffffff", TOKEN.secret()), TOKEN, Set.of(), ADDRESS))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining("knows no bootstrap token with the id abcdef");
    assertThatThrownBy(() ->
            ClusterDiscovery.verify(
                info(kubeconfig(), TOKEN.id(), "another0secret00"), TOKEN, Set.of(), ADDRESS))
        .hasMessageContaining("has another secret");
  }

  @Test
  void aClusterWithAnotherAuthorityIsNot() {
    assertThatThrownBy(() ->
            ClusterDiscovery.verify(
                info(kubeconfig(), TOKEN.id(), TOKEN.secret()),
                TOKEN,
                Set.of("sha256:" + "0".repeat(64)),
                ADDRESS))
        .hasMessageContaining("not the one of --ca-hash")
        .hasMessageContaining(HASH);
  }

  /** Whoever pretends to be the cluster may show its authority, beside one of his own. */
  @Test
  void ofAuthoritiesThatNobodySignedOnlyTheNamedOneIsTrusted() {
    var foreign = ClusterCa.inMemory(Instant.parse("2030-01-01T00:00:00Z")).certificate();
    var claimed = new ClusterDiscovery.Cluster(ADDRESS, List.of(foreign, CA.certificate()));
    assertThat(ClusterDiscovery.pinned(claimed, Set.of(HASH)).authorities())
        .containsExactly(CA.certificate());
    var other = new ClusterDiscovery.Cluster(ADDRESS, List.of(foreign));
    assertThatThrownBy(() -> ClusterDiscovery.pinned(other, Set.of(HASH)))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining("not the one of --ca-hash");
  }

  @Test
  void whatIsSignedMustBeAKubeconfig() {
    assertThatThrownBy(() ->
            ClusterDiscovery.verify(
                info("{}", TOKEN.id(), TOKEN.secret()), TOKEN, Set.of(), ADDRESS))
        .isInstanceOf(JoinException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "abcdef", "abcdef.0123", "ABCDEF.0123456789abcdef", "abcdef:0123456789abcdef"})
  void whatIsNoTokenIsRefused(String text) {
    assertThatThrownBy(() -> JoinToken.parse(text))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining("abcdef.0123456789abcdef");
  }
}
