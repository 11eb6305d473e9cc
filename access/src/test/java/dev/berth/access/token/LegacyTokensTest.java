package dev.berth.access.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.token.TokenVerifier.Verdict;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.TokenSecret;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens in secrets: they are good as long as the secret and the account are there. */
class LegacyTokensTest {
  private static final String SERVER = "https://issuer";
  private static final ObjectName SECRET = new ObjectName("default", "robot-token");

  private final TestCluster cluster = new TestCluster();
  private final ServiceAccountKey key = ServiceAccountKey.inMemory();
  private final LegacyTokens tokens = new LegacyTokens(cluster.registry, key, SERVER);
  private String token = "";

  @BeforeEach
  void fill() {
    JsonObject account = cluster.create("serviceaccounts", "{'metadata':{'name':'robot'}}").tree();
    JsonObject secret =
        cluster
            .create(
                "secrets",
                "{'type':'kubernetes.io/service-account-token','metadata':{'name':'robot-token','annotations':{'kubernetes.io/service-account.name':'robot'}}}")
            .tree();
    change(_ -> new TokenSecret(secret).filled(account, "PEM", new TokenSigner(key)));
    token = new TokenSecret(secret()).token();
  }

  private JsonObject secret() {
    return cluster.registry.get(cluster.core("secrets"), SECRET).tree();
  }

  private void change(UnaryOperator<JsonObject> change) {
    cluster.registry.modify(cluster.core("secrets"), SECRET, WriteOptions.DEFAULT, change);
  }

  private void label(String key, String value) {
    change(object ->
        Metadata.update(
            object, metadata -> metadata.update("labels", all -> all.with(key, value))));
  }

  private Verdict verify(String shown) {
    return tokens.verify(shown, List.of(SERVER));
  }

  private void assertRejected(String why) {
    assertThat(verify(token)).isEqualTo(new Verdict.Rejected(why));
  }

  @Test
  void aGoodOneIsItsAccountsAndTheDayOfItsUseIsWrittenDown() {
    Verdict.Known known = (Verdict.Known) verify(token);
    assertThat(known.user().name()).isEqualTo("system:serviceaccount:default:robot");
    assertThat(known.user().groups())
        .contains("system:serviceaccounts", "system:serviceaccounts:default");
    assertThat(known.user().uid()).isNotEmpty();
    String today = cluster.registry.now().toString().substring(0, 10);
    assertThat(Metadata.of(secret()).label(TokenSecret.LAST_USED)).contains(today);

    String revision = Metadata.of(secret()).resourceVersion();
    verify(token);
    assertThat(Metadata.of(secret()).resourceVersion()).isEqualTo(revision);
    cluster.time.advance(Duration.ofDays(2));
    verify(token);
    assertThat(Metadata.of(secret()).label(TokenSecret.LAST_USED))
        .contains(cluster.registry.now().toString().substring(0, 10));
  }

  @Test
  void oneOfOthersIsUnknown() {
    assertThat(verify("a.b.c")).isEqualTo(new Verdict.Unknown());
    String other =
        new TokenSigner(ServiceAccountKey.inMemory()).apply(Jwt.claims(token).orElseThrow());
    assertThat(verify(other)).isEqualTo(new Verdict.Unknown());
  }

  @Test
  void itIsForTheServerAlone() {
    assertThat(tokens.verify(token, List.of("elsewhere"))).isInstanceOf(Verdict.Rejected.class);
  }

  @Test
  void itEndsWithItsSecret() {
    cluster.registry.delete(cluster.core("secrets"), SECRET, DeletionOptions.DEFAULT);
    assertRejected("Token has been invalidated");
  }

  @Test
  void itEndsWhenTheSecretHoldsAnother() {
    change(object -> object.update("data", data -> data.with("token", "eA==")));
    assertRejected("Token does not match server's copy");
  }

  @Test
  void itEndsWithItsAccount() {
    ObjectName robot = new ObjectName("default", "robot");
    cluster.registry.delete(cluster.core("serviceaccounts"), robot, DeletionOptions.DEFAULT);
    assertRejected("ServiceAccount default/robot has been deleted");
    JsonObject next = cluster.create("serviceaccounts", "{'metadata':{'name':'robot'}}").tree();
    assertThat(verify(token))
        .asString()
        .contains(
            "ServiceAccount UID (%s) does not match claim".formatted(Metadata.of(next).uid()));
  }

  @Test
  void itIsRefusedWhileItIsMarkedInvalid() {
    label(TokenSecret.INVALID_SINCE, "2026-01-01");
    assertRejected(
        "the token in secret default/robot-token for service account default/robot has been marked"
            + " invalid. Use tokens from the TokenRequest API or manually created secret-based"
            + " tokens, or remove the 'kubernetes.io/legacy-token-invalid-since' label from the"
            + " secret to temporarily allow use of this token");
    assertThat(Metadata.of(secret()).label(TokenSecret.LAST_USED)).isPresent();
  }
}
