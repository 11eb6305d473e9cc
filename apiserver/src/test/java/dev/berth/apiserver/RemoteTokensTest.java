package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.fixture.TestKey;
import dev.berth.access.token.oidc.AuthenticationConfiguration;
import dev.berth.apiserver.fixture.JsonServer;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import dev.berth.serving.rest.ApiHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests with tokens that an issuer signed or a webhook knows, both over real HTTPS. */
class RemoteTokensTest {
  private static final TestKey KEY = TestKey.generate("one", "ES256");
  private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster();
  private final JsonServer other = new JsonServer();
  private @Nullable ClusterAccess access;
  private @Nullable ApiHandler handler;

  @AfterEach
  void close() {
    if (handler != null) {
      handler.close();
    }
    if (access != null) {
      access.close();
    }
    other.close();
  }

  private void start(String configuration, Optional<String> webhookCa) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("authentication.yaml"),
            "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n"
                + configuration);
    Optional<AccessConfig.TokenWebhook> webhook = Optional.empty();
    if (webhookCa.isPresent()) {
      webhook =
          Optional.of(
              new AccessConfig.TokenWebhook(
                  Kubeconfig.read(kubeconfig(webhookCa.get())).connection(),
                  Duration.ofMinutes(2)));
    }
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), "static,bob,1\n");
    Path pki = directory.resolve("pki");
    ClusterAccess opened =
        ClusterAccess.open(
            cluster.registry,
            ClusterCa.open(pki, cluster.time.now()).clientCertificates(),
            ServiceAccountKey.open(pki),
            new AccessConfig(
                tokens,
                AccessConfig.DEFAULT.issuer(),
                AuthenticationConfiguration.read(file, AccessConfig.DEFAULT.issuer()),
                webhook));
    access = opened;
    opened.begin(Runnable::run);
    handler = Requests.handler(cluster, opened.control(), opened.endpoints());
  }

  private Path kubeconfig(String authority) throws IOException {
    return Files.writeString(
        directory.resolve("webhook.kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: webhook
          cluster:
            server: %s/review
            certificate-authority-data: %s
        contexts:
        - {name: webhook, context: {cluster: webhook, user: me}}
        users:
        - {name: me, user: {}}
        current-context: webhook
        """
            .formatted(other.url(), Base64.getEncoder().encodeToString(authority.getBytes(UTF_8))));
  }

  private String issuer(String authority) {
    return """
    jwt:
    - issuer:
        url: %s
        audiences: [berth]
        certificateAuthority: |
          %s
      claimMappings:
        username: {claim: sub, prefix: 'oidc:'}
        groups: {claim: groups, prefix: 'oidc:'}
    """
        .formatted(other.url(), authority.strip().replace("\n", "\n      "));
  }

  private void serveKeys() {
    other.serve(
        "/.well-known/openid-configuration",
        _ ->
            new JsonObject.Builder()
                .put("issuer", other.url())
                .put("jwks_uri", other.url() + "/keys")
                .build());
    other.serve("/keys", _ -> JsonObject.of("keys", JsonArray.of(KEY.webKey())));
  }

  private String token(Duration lifetime) {
    return KEY.sign(
        new JsonObject.Builder()
            .put("iss", other.url())
            .put("aud", "berth")
            .put("sub", "ann")
            .put("groups", JsonArray.of("staff"))
            .put("exp", cluster.time.now().plus(lifetime).getEpochSecond())
            .build());
  }

  private FakeExchange ask(String token) throws Exception {
    FakeExchange exchange =
        new FakeExchange("POST", WHO)
            .with("Content-Type", "application/json")
            .with("Authorization", "Bearer " + token)
            .body("{}");
    Objects.requireNonNull(handler).handle(exchange);
    return exchange;
  }

  private static JsonObject user(FakeExchange answered) {
    assertThat(answered.status()).isEqualTo(201);
    return JsonReader.object(answered.answer().getBytes(UTF_8), JsonLimits.TRUSTED)
        .object("status")
        .object("userInfo");
  }

  @Test
  void anIssuersTokenIsGoodUntilItExpires() throws Exception {
    serveKeys();
    start(issuer(other.authorityPem()), Optional.empty());
    String token = token(Duration.ofMinutes(5));
    JsonObject user = user(ask(token));
    assertThat(user.text("username")).isEqualTo("oidc:ann");
    assertThat(user.array("groups").texts()).containsExactly("oidc:staff", "system:authenticated");
    assertThat(user(ask("static")).text("username")).isEqualTo("bob");
    assertThat(ask(token + "x").status()).isEqualTo(401);
    cluster.time.advance(Duration.ofMinutes(5).plusSeconds(1));
    assertThat(ask(token).status()).isEqualTo(401);
    assertThat(other.requests())
        .containsExactly("GET /.well-known/openid-configuration", "GET /keys");
  }

  @Test
  void anIssuerIsTrustedByItsOwnAuthorityOnly() throws Exception {
    serveKeys();
    try (JsonServer stranger = new JsonServer()) {
      start(issuer(stranger.authorityPem()), Optional.empty());
      assertThat(ask(token(Duration.ofMinutes(5))).status()).isEqualTo(401);
      assertThat(other.requests()).isEmpty();
    }
  }

  @Test
  void anIssuerThatIsGoneKeepsNobodyElseOut() throws Exception {
    start(issuer(other.authorityPem()), Optional.empty());
    String token = token(Duration.ofMinutes(5));
    other.close();
    assertThat(ask(token).status()).isEqualTo(401);
    assertThat(user(ask("static")).text("username")).isEqualTo("bob");
  }

  @Test
  void aWebhookIsAskedLastAndOnce() throws Exception {
    other.serve(
        "/review",
        review -> {
          boolean known = review.object("spec").text("token", "").equals("remote");
          return Fixtures.tree(
              known
                  ? "{'kind':'TokenReview','apiVersion':'authentication.k8s.io/v1','status':"
                      + "{'authenticated':true,'user':{'username':'eve','groups':['far']}}}"
                  : "{'kind':'TokenReview','apiVersion':'authentication.k8s.io/v1','status':"
                      + "{'authenticated':false}}");
        });
    start("jwt: []\n", Optional.of(other.authorityPem()));
    assertThat(user(ask("static")).text("username")).isEqualTo("bob");
    assertThat(other.requests()).isEmpty();
    for (int i = 0; i < 3; i++) {
      JsonObject user = user(ask("remote"));
      assertThat(user.text("username")).isEqualTo("eve");
      assertThat(user.array("groups").texts()).containsExactly("far", "system:authenticated");
    }
    assertThat(other.requests()).containsExactly("POST /review");
    assertThat(ask("wrong").status()).isEqualTo(401);
    cluster.time.advance(Duration.ofMinutes(2));
    assertThat(user(ask("remote")).text("username")).isEqualTo("eve");
    assertThat(other.requests()).hasSize(3);
  }

  @Test
  void anonymousRequestsAreLetInWhereTheConfigurationSays() throws Exception {
    start("anonymous: {enabled: true, conditions: [{path: /livez}]}\n", Optional.empty());
    assertThat(anonymous("/livez")).isEqualTo(200);
    assertThat(anonymous("/readyz")).isEqualTo(401);
    assertThat(anonymous("/api/v1/pods")).isEqualTo(401);
    assertThat(user(ask("static")).text("username")).isEqualTo("bob");
  }

  private int anonymous(String path) throws Exception {
    FakeExchange exchange = new FakeExchange("GET", path);
    Objects.requireNonNull(handler).handle(exchange);
    return exchange.status();
  }
}
