package dev.berth.access.token;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.token.TokenVerifier.Verdict;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.status.Status;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of service accounts: what they say, and when they end. */
class ServiceAccountTokensTest {
  private static final String ISSUER = "https://issuer";
  private static final ObjectName ROBOT = new ObjectName("default", "robot");

  private final TestCluster cluster = new TestCluster();
  private final ServiceAccountKey key = key("EC", 256);
  private final ServiceAccountTokens tokens =
      new ServiceAccountTokens(cluster.registry, key, ISSUER);
  private final TokenRequests requests = new TokenRequests(cluster.registry, key, ISSUER);
  private final List<String> warnings = new ArrayList<>();
  private String accountUid = "";

  private static ServiceAccountKey key(String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(bits);
      return new ServiceAccountKey(generator.generateKeyPair());
    } catch (java.security.GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void createAccount() {
    accountUid = uid(cluster.create("serviceaccounts", "{'metadata':{'name':'robot'}}").tree());
  }

  private static String uid(JsonObject object) {
    return Metadata.of(object).uid();
  }

  private JsonObject request(String spec) {
    return requests.answer(ROBOT, tree("{'spec':{%s}}".formatted(spec)), warnings::add);
  }

  private String token(String spec) {
    return request(spec).object("status").text("token", "");
  }

  private JsonObject podOf(String account) {
    return cluster
        .create(
            "pods",
            "{'metadata':{'name':'p'},'spec':{'nodeName':'n1','serviceAccountName':'%s','containers':[{'name':'c','image':'i'}]}}"
                .formatted(account))
        .tree();
  }

  private Verdict verify(String token) {
    return tokens.verify(token, List.of(ISSUER));
  }

  private static User user(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Known.class);
    return ((Verdict.Known) verdict).user();
  }

  private void assertRejected(String token, String why) {
    assertThat(verify(token)).isEqualTo(new Verdict.Rejected(why));
  }

  private void delete(String plural, ObjectName name) {
    cluster.registry.delete(cluster.core(plural), name, DeletionOptions.DEFAULT.grace(0));
  }

  @Test
  void aTokenSaysWhoseItIs() {
    JsonObject answer = request("");
    JsonObject claims = Jwt.claims(answer.object("status").text("token", "")).orElseThrow();
    assertThat(claims.names())
        .containsExactly("aud", "exp", "iat", "iss", "jti", "kubernetes.io", "nbf", "sub");
    assertThat(claims.text("sub")).isEqualTo("system:serviceaccount:default:robot");
    assertThat(claims.array("aud").texts()).containsExactly(ISSUER);
    long issued = cluster.time.now().getEpochSecond();
    assertThat(claims.integer("iat")).hasValue(issued);
    assertThat(claims.integer("exp")).hasValue(issued + 3600);
    assertThat(claims.object("kubernetes.io"))
        .isEqualTo(
            tree(
                "{'namespace':'default','serviceaccount':{'name':'robot','uid':'%s'}}"
                    .formatted(accountUid)));
    assertThat(answer.object("status").text("expirationTimestamp"))
        .isEqualTo("2030-01-01T01:00:00Z");
    assertThat(answer.object("spec").integer("expirationSeconds")).hasValue(3600);
  }

  @ParameterizedTest
  @CsvSource({"EC, 256", "RSA, 2048"})
  void bothKindsOfKeysSign(String algorithm, int bits) {
    ServiceAccountKey other = key(algorithm, bits);
    String token =
        new TokenRequests(cluster.registry, other, ISSUER)
            .answer(ROBOT, JsonObject.EMPTY, warnings::add)
            .object("status")
            .text("token", "");
    assertThat(
            new ServiceAccountTokens(cluster.registry, other, ISSUER)
                .verify(token, List.of(ISSUER)))
        .isInstanceOf(Verdict.Known.class);
    assertThat(verify(token)).isEqualTo(new Verdict.Unknown());
    assertThat(new Jwt(other).keySet().array("keys").objects().getFirst().text("kty"))
        .isEqualTo(algorithm);
  }

  @Test
  void theUserIsTheAccount() {
    User user = user(verify(token("")));
    assertThat(user.name()).isEqualTo("system:serviceaccount:default:robot");
    assertThat(user.uid()).isEqualTo(accountUid);
    assertThat(user.groups())
        .containsExactly("system:serviceaccounts", "system:serviceaccounts:default");
    assertThat(user.extra().get(User.CREDENTIAL_ID)).singleElement().asString().startsWith("JTI=");
  }

  @Test
  void aTokenExpires() {
    String token = token("'expirationSeconds':600");
    cluster.time.advance(Duration.ofSeconds(660));
    assertThat(verify(token)).isInstanceOf(Verdict.Known.class);
    cluster.time.advance(Duration.ofSeconds(1));
    assertRejected(token, "service account token has expired");
  }

  @Test
  void aTokenIsForItsAudience() {
    String token = token("'audiences':['vault']");
    assertThat(tokens.verify(token, List.of("vault", "other")))
        .isInstanceOfSatisfying(
            Verdict.Known.class, known -> assertThat(known.audiences()).containsExactly("vault"));
    assertRejected(
        token,
        "token audiences [\"vault\"] is invalid for the target audiences [\"https://issuer\"]");
  }

  @Test
  void aTokenEndsWithItsAccount() {
    String token = token("");
    assertThat(verify(token)).isInstanceOf(Verdict.Known.class);
    delete("serviceaccounts", ROBOT);
    assertRejected(token, "service account default/robot has been deleted");
    String next = uid(cluster.create("serviceaccounts", "{'metadata':{'name':'robot'}}").tree());
    assertRejected(
        token, "service account UID (%s) does not match claim (%s)".formatted(next, accountUid));
  }

  @Test
  void aTokenEndsWithThePodThatItIsBoundTo() {
    JsonObject node = cluster.create("nodes", "{'metadata':{'name':'n1'}}").tree();
    JsonObject pod = podOf("robot");
    String token = token("'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p'}");
    User user = user(verify(token));
    assertThat(user.extra())
        .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
        .containsEntry("authentication.kubernetes.io/pod-uid", List.of(uid(pod)))
        .containsEntry("authentication.kubernetes.io/node-name", List.of("n1"))
        .containsEntry("authentication.kubernetes.io/node-uid", List.of(uid(node)));
    delete("nodes", ObjectName.of("n1"));
    assertThat(verify(token)).isInstanceOf(Verdict.Known.class);
    delete("pods", new ObjectName("default", "p"));
    assertRejected(token, "service account token has been invalidated");
    podOf("robot");
    assertRejected(token, "service account token has been invalidated");
  }

  @Test
  void aTokenEndsWithTheSecretOrTheNodeThatItIsBoundTo() {
    cluster.create("secrets", "{'metadata':{'name':'s'}}");
    cluster.create("nodes", "{'metadata':{'name':'n1'}}");
    String ofSecret = token("'boundObjectRef':{'kind':'Secret','apiVersion':'v1','name':'s'}");
    String ofNode = token("'boundObjectRef':{'kind':'Node','apiVersion':'v1','name':'n1'}");
    assertThat(verify(ofSecret)).isInstanceOf(Verdict.Known.class);
    assertThat(user(verify(ofNode)).extra())
        .containsEntry("authentication.kubernetes.io/node-name", List.of("n1"));
    delete("secrets", new ObjectName("default", "s"));
    delete("nodes", ObjectName.of("n1"));
    assertRejected(ofSecret, "service account token has been invalidated");
    assertRejected(ofNode, "service account token has been invalidated");
  }

  @Test
  void whatWasChangedIsNotOurs() {
    String[] parts = token("").split("\\.", -1);
    String other = token("'expirationSeconds':7200").split("\\.", -1)[1];
    assertThat(verify(parts[0] + "." + other + "." + parts[2])).isEqualTo(new Verdict.Unknown());
    assertThat(verify("eyJhbGciOiJub25lIn0." + parts[1] + ".")).isEqualTo(new Verdict.Unknown());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "a.b.c", "..", "e30.e30.e30"})
  void whatIsNoTokenIsUnknown(String text) {
    assertThat(verify(text)).isEqualTo(new Verdict.Unknown());
  }

  @Test
  void theLifetimeHasBounds() {
    Status status = TestCluster.refused(() -> request("'expirationSeconds':599"));
    assertThat(status.code()).isEqualTo(422);
    assertThat(status.message())
        .isEqualTo(
            "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds:"
                + " Invalid value: 599: may not specify a duration less than 10 minutes");
    assertThat(TestCluster.refused(() -> request("'expirationSeconds':4294967297")).message())
        .endsWith("may not specify a duration larger than 2^32 seconds");
    assertThat(request("'expirationSeconds':63072000").object("spec").integer("expirationSeconds"))
        .hasValue(31536000);
    assertThat(warnings)
        .containsExactly("requested expiration of 63072000 seconds shortened to 31536000 seconds");
  }

  @Test
  void aTokenIsBoundOnlyToWhatFits() {
    podOf("other");
    String pod = "'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'%s','uid':'%s'}";
    assertThat(TestCluster.refused(() -> request(pod.formatted("p", ""))).message())
        .isEqualTo(
            "cannot bind token for serviceaccount \"robot\" to pod running with different"
                + " serviceaccount name.");
    assertThat(TestCluster.refused(() -> request(pod.formatted("none", ""))).message())
        .isEqualTo("pods \"none\" not found");
    assertThat(TestCluster.refused(() -> request(pod.formatted("p", "stale"))).message())
        .isEqualTo(
            "Operation cannot be fulfilled on Pod \"p\": the UID in the bound object reference"
                + " (stale) does not match the UID in record. The object might have been deleted"
                + " and then recreated");
    assertThat(
            TestCluster.refused(() ->
                    request("'boundObjectRef':{'kind':'Lease','apiVersion':'x/v1','name':'l'}"))
                .message())
        .isEqualTo("cannot bind token to object of type x/v1, Kind=Lease");
  }
}
