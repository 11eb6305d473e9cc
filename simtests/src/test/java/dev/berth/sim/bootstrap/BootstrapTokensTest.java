package dev.berth.sim.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.bootstrap.BootstrapSigner;
import dev.berth.controllers.bootstrap.TokenCleaner;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.DetachedSignature;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens sign {@code cluster-info} while they last, and go when they end. */
class BootstrapTokensTest {
  private static final ObjectName INFO = new ObjectName("kube-public", "cluster-info");

  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void start() {
    cluster.run("signer", () -> BootstrapSigner.start(cluster.parts(BootstrapSigner.ACCOUNT)));
    cluster.run("cleaner", () -> TokenCleaner.start(cluster.parts(TokenCleaner.ACCOUNT)));
  }

  @AfterEach
  void close() {
    assertThat(cluster.warnings()).isEmpty();
    cluster.close();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private void clusterInfo() {
    cluster.create(
        Resources.CONFIG_MAPS,
        "{'metadata':{'namespace':'kube-public','name':'cluster-info'},'data':{'kubeconfig':'here'}}");
    cluster.settle();
  }

  private void token(String id, Duration life) {
    cluster.create(
        Resources.SECRETS,
        ("{'metadata':{'namespace':'kube-system','name':'bootstrap-token-%s'},'type':'bootstrap.kubernetes.io/token',"
                + "'data':{'token-id':'%s','token-secret':'%s','usage-bootstrap-signing':'%s','expiration':'%s'}}")
            .formatted(
                id,
                base64(id),
                base64("0123456789abcdef"),
                base64("true"),
                base64(cluster.time().now().plus(life).toString())));
    cluster.settle();
  }

  private JsonObject data() {
    return ((ApiResult.Done) cluster.admin().get(Resources.CONFIG_MAPS, INFO))
        .object()
        .object("data");
  }

  private boolean exists(String id) {
    return cluster
        .admin()
        .get(Resources.SECRETS, new ObjectName("kube-system", "bootstrap-token-" + id))
        .isDone();
  }

  @Test
  void tokensSignWhicheverComesFirst() {
    token("aaaaaa", Duration.ofHours(1));
    clusterInfo();
    assertThat(data().text("jws-kubeconfig-aaaaaa"))
        .isEqualTo(DetachedSignature.of("here", "aaaaaa", "0123456789abcdef"));
    token("bbbbbb", Duration.ofHours(2));
    assertThat(data().has("jws-kubeconfig-bbbbbb")).isTrue();

    cluster.patch(Resources.CONFIG_MAPS, INFO, "{'data':{'kubeconfig':'there'}}");
    cluster.settle();
    assertThat(data().text("jws-kubeconfig-aaaaaa"))
        .isEqualTo(DetachedSignature.of("there", "aaaaaa", "0123456789abcdef"));
  }

  @Test
  void aTokenGoesAtItsTimeAndItsSignatureWithIt() {
    clusterInfo();
    token("aaaaaa", Duration.ofHours(1));
    token("bbbbbb", Duration.ofHours(2));
    cluster.advance(Duration.ofMinutes(59));
    assertThat(exists("aaaaaa")).isTrue();
    assertThat(data().has("jws-kubeconfig-aaaaaa")).isTrue();
    cluster.advance(Duration.ofMinutes(1));
    assertThat(exists("aaaaaa")).isFalse();
    assertThat(data().has("jws-kubeconfig-aaaaaa")).isFalse();
    assertThat(exists("bbbbbb")).isTrue();
    assertThat(data().has("jws-kubeconfig-bbbbbb")).isTrue();
  }

  @Test
  void aSignatureEndsWithItsTokenEvenIfNobodyCleans() {
    cluster.crash("cleaner");
    clusterInfo();
    token("aaaaaa", Duration.ofHours(1));
    cluster.advance(Duration.ofHours(1));
    assertThat(exists("aaaaaa")).isTrue();
    assertThat(data().has("jws-kubeconfig-aaaaaa")).isFalse();
  }

  @Test
  void aTokenThatEndedWhileNobodyLookedGoesAtTheNextStart() {
    token("aaaaaa", Duration.ofHours(1));
    cluster.crash("cleaner");
    cluster.advance(Duration.ofHours(2));
    assertThat(exists("aaaaaa")).isTrue();
    cluster.restart("cleaner");
    assertThat(exists("aaaaaa")).isFalse();
  }

  @Test
  void anEndThatIsPutOffCounts() {
    token("aaaaaa", Duration.ofHours(1));
    cluster.patch(
        Resources.SECRETS,
        new ObjectName("kube-system", "bootstrap-token-aaaaaa"),
        "{'data':{'expiration':'%s'}}"
            .formatted(base64(cluster.time().now().plus(Duration.ofHours(3)).toString())));
    cluster.advance(Duration.ofHours(2));
    assertThat(exists("aaaaaa")).isTrue();
    cluster.advance(Duration.ofHours(1));
    assertThat(exists("aaaaaa")).isFalse();
  }

  @Test
  void otherSecretsAreLeftAlone() {
    cluster.create(
        Resources.SECRETS,
        "{'metadata':{'namespace':'kube-system','name':'bootstrap-token-cccccc'},'type':'Opaque','data':{'expiration':'%s'}}"
            .formatted(base64("2000-01-01T00:00:00Z")));
    cluster.advance(Duration.ofHours(1));
    assertThat(exists("cccccc")).isTrue();
  }
}
