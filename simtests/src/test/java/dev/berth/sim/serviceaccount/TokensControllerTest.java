package dev.berth.sim.serviceaccount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.informer.Informers;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.serviceaccount.LegacyTokenCleaner;
import dev.berth.controllers.serviceaccount.TokenSettings;
import dev.berth.controllers.serviceaccount.TokensController;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.TokenSecret;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Secrets with tokens of service accounts, on virtual time. */
class TokensControllerTest {
  private static final ObjectName ROBOT = new ObjectName("default", "robot");

  private final VirtualCluster cluster = new VirtualCluster(1);
  private String certificates = "PEM";

  @BeforeEach
  void start() {
    cluster.run(
        "tokens",
        () ->
            TokensController.start(
                parts("system:kube-controller-manager"),
                new TokenSettings(claims -> "token of " + claims.text("sub"), () -> certificates)));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** What is heard of is heard by all controllers together, as where they run. */
  private ControllerParts parts(String user) {
    return new ControllerParts(
        cluster.api(user, "tokens"),
        Informers.separate(
            cluster.api("system:kube-controller-manager", "informers"), cluster.time()),
        cluster.time(),
        new Metrics(),
        message -> {
          throw new AssertionError(message);
        });
  }

  private void account() {
    cluster.create(
        Resources.SERVICE_ACCOUNTS, "{'metadata':{'namespace':'default','name':'robot'}}");
  }

  private void secret(String name) {
    cluster.create(
        Resources.SECRETS,
        "{'type':'kubernetes.io/service-account-token','metadata':{'namespace':'default','name':'%s','annotations':{'kubernetes.io/service-account.name':'robot'}}}"
            .formatted(name));
    cluster.settle();
  }

  private JsonObject get(String name) {
    return ((ApiResult.Done)
            cluster.admin().get(Resources.SECRETS, new ObjectName("default", name)))
        .object();
  }

  private boolean exists(String name) {
    return cluster.admin().get(Resources.SECRETS, new ObjectName("default", name)).isDone();
  }

  @Test
  void aSecretIsFilled() {
    account();
    secret("a");
    assertThat(get("a").object("data"))
        .isEqualTo(
            VirtualCluster.tree(
                "{'ca.crt':'UEVN','namespace':'ZGVmYXVsdA==','token':'dG9rZW4gb2Ygc3lzdGVtOnNlcnZpY2VhY2NvdW50OmRlZmF1bHQ6cm9ib3Q='}"));
    assertThat(Metadata.of(get("a")).annotation("kubernetes.io/service-account.uid")).isPresent();
    certificates = "PEM2";
    cluster.advance(Duration.ofMinutes(2));
    assertThat(get("a").object("data").text("ca.crt")).isEqualTo("UEVNMg==");
  }

  @Test
  void oneWithoutAnAccountIsDeletedAndOneGoesWithItsAccount() {
    secret("orphan");
    assertThat(exists("orphan")).isFalse();
    account();
    secret("a");
    cluster.delete(Resources.SERVICE_ACCOUNTS, ROBOT);
    cluster.settle();
    assertThat(exists("a")).isFalse();
  }

  @Test
  void anAccountDoesNotNameASecretThatIsGone() {
    account();
    secret("a");
    cluster.patch(Resources.SERVICE_ACCOUNTS, ROBOT, "{'secrets':[{'name':'a'},{'name':'other'}]}");
    cluster.settle();
    cluster.delete(Resources.SECRETS, new ObjectName("default", "a"));
    cluster.settle();
    JsonObject account =
        ((ApiResult.Done) cluster.admin().get(Resources.SERVICE_ACCOUNTS, ROBOT)).object();
    assertThat(account.array("secrets").toString()).isEqualTo("[{\"name\":\"other\"}]");
  }

  @Test
  void oneThatNobodyUsesIsMarkedInvalidAndDeletedAYearLater() {
    account();
    secret("a");
    cluster.patch(Resources.SERVICE_ACCOUNTS, ROBOT, "{'secrets':[{'name':'a'}]}");
    cluster.create(
        Resources.CONFIG_MAPS,
        "{'metadata':{'namespace':'kube-system','name':'kube-apiserver-legacy-service-account-token-tracking'},'data':{'since':'%s'}}"
            .formatted(cluster.time().now().toString().substring(0, 10)));
    cluster.run(
        "cleaner",
        () ->
            LegacyTokenCleaner.start(
                parts("system:serviceaccount:kube-system:" + LegacyTokenCleaner.ACCOUNT),
                Duration.ofDays(3)));
    cluster.advance(Duration.ofDays(3));
    assertThat(Metadata.of(get("a")).label(TokenSecret.INVALID_SINCE)).isEmpty();
    cluster.advance(Duration.ofDays(3));
    assertThat(Metadata.of(get("a")).label(TokenSecret.INVALID_SINCE)).isPresent();
    cluster.advance(Duration.ofDays(5));
    assertThat(exists("a")).isFalse();
  }
}
