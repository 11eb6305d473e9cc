package dev.berth.access.token.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.fixture.TestKey;
import dev.berth.access.token.TokenVerifier.Verdict;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OidcTokensTest {
  private static final String ISSUER = "https://issuer.example";
  private static final String SERVER = "https://server";
  private static final List<String> AUDIENCES = List.of(SERVER);
  private static final TestKey KEY = TestKey.generate("one", "RS256");

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.cause());
          });
  private final List<URI> fetched = new ArrayList<>();
  private List<JsonObject> keys = List.of(KEY.webKey());
  private String failure = "";

  private JsonObject fetch(URI address) throws IOException {
    fetched.add(address);
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
    return address.getPath().endsWith("/openid-configuration")
        ? new JsonObject.Builder().put("issuer", ISSUER).put("jwks_uri", ISSUER + "/keys").build()
        : JsonObject.of("keys", JsonArray.copyOf(keys));
  }

  private static JwtIssuer issuer() {
    return new JwtIssuer(
        ISSUER,
        "",
        List.of(),
        List.of("berth", "other"),
        EnumSet.allOf(SigningAlgorithm.class),
        Map.of(),
        new JwtIssuer.PrefixedClaim("sub", "oidc:"),
        Optional.of(new JwtIssuer.PrefixedClaim("groups", "oidc:")),
        "uid");
  }

  private OidcTokens tokens(JwtIssuer issuer) {
    return new OidcTokens(issuer, this::fetch, time, SERVER);
  }

  private JsonObject claims() {
    return new JsonObject.Builder()
        .put("iss", ISSUER)
        .put("aud", "berth")
        .put("sub", "ann")
        .put("uid", "7")
        .put("groups", JsonArray.of("staff", "night"))
        .put("jti", "j1")
        .put("exp", time.now().plusSeconds(60).getEpochSecond())
        .build();
  }

  private Verdict verify(JsonObject claims) {
    return tokens(issuer()).verify(KEY.sign(claims), AUDIENCES);
  }

  private static void rejected(Verdict verdict, String why) {
    assertThat(verdict).isEqualTo(new Verdict.Rejected(why));
  }

  @Test
  void aTokenIsItsUser() {
    assertThat(verify(claims()))
        .isEqualTo(
            new Verdict.Known(
                new User("oidc:ann", List.of("oidc:staff", "oidc:night"))
                    .withUid("7")
                    .withExtra(User.CREDENTIAL_ID, "JTI=j1"),
                AUDIENCES));
    assertThat(fetched)
        .containsExactly(
            URI.create(ISSUER + "/.well-known/openid-configuration"), URI.create(ISSUER + "/keys"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"})
  void allAsymmetricWaysToSignAreUnderstood(String algorithm) {
    TestKey key = TestKey.generate("k", algorithm);
    keys = List.of(KEY.webKey(), key.webKey());
    OidcTokens tokens = tokens(issuer());
    String token = key.sign(claims());
    assertThat(tokens.verify(token, AUDIENCES)).isInstanceOf(Verdict.Known.class);
    int end = token.lastIndexOf('.');
    String changed =
        token.substring(0, end + 1)
            + (token.charAt(end + 1) == 'A' ? "B" : "A")
            + token.substring(end + 2);
    rejected(
        tokens.verify(changed, AUDIENCES),
        "oidc: verify token: failed to verify signature: failed to verify id token signature");
  }

  @Test
  void onlyTheAllowedWaysAreAccepted() {
    OidcTokens strict = tokens(issuer().with(Set.of(SigningAlgorithm.ES256)));
    rejected(
        strict.verify(KEY.sign(claims()), AUDIENCES),
        "oidc: verify token: id token signed with unsupported algorithm, expected [ES256] got"
            + " \"RS256\"");
    JsonObject none = new JsonObject.Builder().put("alg", "none").put("kid", "one").build();
    assertThat(tokens(issuer()).verify(KEY.sign(none, claims()), AUDIENCES))
        .isInstanceOf(Verdict.Rejected.class);
    assertThat(fetched).isEmpty();
  }

  /** A key says how it signs; a token cannot choose another way. */
  @Test
  void aKeyIsUsedInItsOwnWayOnly() {
    JsonObject header = new JsonObject.Builder().put("alg", "PS256").put("kid", "one").build();
    assertThat(tokens(issuer()).verify(KEY.sign(header, claims()), AUDIENCES))
        .isInstanceOf(Verdict.Rejected.class);
  }

  @Test
  void criticalExtensionsAreRefused() {
    JsonObject header =
        new JsonObject.Builder()
            .put("alg", "RS256")
            .put("kid", "one")
            .put("crit", JsonArray.of("b64"))
            .build();
    assertThat(tokens(issuer()).verify(KEY.sign(header, claims()), AUDIENCES))
        .isInstanceOf(Verdict.Rejected.class);
  }

  @Test
  void tokensOfOthersAreLeftToOthers() {
    assertThat(verify(claims().with("iss", "https://else"))).isEqualTo(new Verdict.Unknown());
    assertThat(tokens(issuer()).verify("abc", AUDIENCES)).isEqualTo(new Verdict.Unknown());
    assertThat(tokens(issuer()).verify("a.b.c", AUDIENCES)).isEqualTo(new Verdict.Unknown());
    assertThat(fetched).isEmpty();
    assertThat(tokens(issuer()).verify(KEY.sign(claims()), List.of("elsewhere")))
        .isEqualTo(new Verdict.Unknown());
  }

  @Test
  void aTokenExpires() {
    OidcTokens tokens = tokens(issuer());
    String token = KEY.sign(claims());
    time.advance(Duration.ofSeconds(60));
    assertThat(tokens.verify(token, AUDIENCES)).isInstanceOf(Verdict.Known.class);
    time.advance(Duration.ofSeconds(1));
    rejected(
        tokens.verify(token, AUDIENCES),
        "oidc: verify token: token is expired (Token Expiry: 2030-01-01T00:01:00Z)");
    assertThat(verify(claims().without("exp"))).isInstanceOf(Verdict.Rejected.class);
  }

  @Test
  void aTokenBeginsGiveOrTakeFiveMinutes() {
    JsonObject early =
        claims()
            .with("nbf", time.now().plusSeconds(301).getEpochSecond())
            .with("exp", time.now().plusSeconds(900).getEpochSecond());
    OidcTokens tokens = tokens(issuer());
    rejected(
        tokens.verify(KEY.sign(early), AUDIENCES),
        "oidc: verify token: current time 2030-01-01T00:00:00Z before the nbf (not before) time:"
            + " 2030-01-01T00:05:01Z");
    time.advance(Duration.ofSeconds(1));
    assertThat(tokens.verify(KEY.sign(early), AUDIENCES)).isInstanceOf(Verdict.Known.class);
  }

  @Test
  void aTokenIsForOneOfTheAudiences() {
    assertThat(verify(claims().with("aud", JsonArray.of("x", "other"))))
        .isInstanceOf(Verdict.Known.class);
    rejected(
        verify(claims().with("aud", "x")),
        "oidc: verify token: expected audience in [berth, other] got [x]");
    rejected(
        verify(claims().without("aud")),
        "oidc: verify token: expected audience in [berth, other] got []");
  }

  @Test
  void whatMakesTheUserMustBeThere() {
    rejected(
        verify(claims().without("sub")), "oidc: parse username claims \"sub\": claim not present");
    rejected(
        verify(claims().with("sub", 5L)),
        "oidc: parse username claims \"sub\": it is not a string");
    rejected(verify(claims().with("sub", "")), "oidc: parse username claims \"sub\": it is empty");
    rejected(verify(claims().without("uid")), "oidc: parse uid claim \"uid\": claim not present");
    rejected(
        verify(claims().with("groups", JsonArray.of(1L))),
        "oidc: parse groups claim \"groups\": it is neither a string nor a list of strings");
    assertThat(verify(claims().with("groups", "staff")))
        .isInstanceOfSatisfying(
            Verdict.Known.class,
            known -> assertThat(known.user().groups()).containsExactly("oidc:staff"));
    assertThat(verify(claims().without("groups")))
        .isInstanceOfSatisfying(
            Verdict.Known.class, known -> assertThat(known.user().groups()).isEmpty());
  }

  @Test
  void anAddressMustBeVerifiedIfTheTokenSaysAnythingOfThat() {
    JwtIssuer byEmail =
        new JwtIssuer(
            ISSUER,
            "",
            List.of(),
            List.of("berth"),
            EnumSet.allOf(SigningAlgorithm.class),
            Map.of("hd", "example.com"),
            new JwtIssuer.PrefixedClaim("email", ""),
            Optional.empty(),
            "");
    JsonObject claims = claims().with("email", "ann@example.com").with("hd", "example.com");
    OidcTokens tokens = tokens(byEmail);
    assertThat(tokens.verify(KEY.sign(claims), AUDIENCES)).isInstanceOf(Verdict.Known.class);
    assertThat(tokens.verify(KEY.sign(claims.with("email_verified", true)), AUDIENCES))
        .isInstanceOf(Verdict.Known.class);
    rejected(
        tokens.verify(KEY.sign(claims.with("email_verified", false)), AUDIENCES),
        "oidc: email not verified");
    rejected(
        tokens.verify(KEY.sign(claims.with("hd", "evil.example")), AUDIENCES),
        "oidc: required claim hd value does not match. Got = evil.example, want = example.com");
    rejected(
        tokens.verify(KEY.sign(claims.without("hd")), AUDIENCES),
        "oidc: required claim hd not present in ID token");
  }

  @Test
  void newKeysAreFetchedButNotAtEverybodysWish() {
    OidcTokens tokens = tokens(issuer());
    assertThat(tokens.verify(KEY.sign(claims()), AUDIENCES)).isInstanceOf(Verdict.Known.class);
    TestKey next = TestKey.generate("two", "ES256");
    keys = List.of(KEY.webKey(), next.webKey());
    String token = next.sign(claims());

    for (int i = 0; i < 5; i++) {
      assertThat(tokens.verify(token, AUDIENCES)).isInstanceOf(Verdict.Rejected.class);
    }
    assertThat(fetched).as("fetched a moment ago").hasSize(2);

    time.advance(Duration.ofSeconds(10));
    assertThat(tokens.verify(token, AUDIENCES)).isInstanceOf(Verdict.Known.class);
    assertThat(tokens.verify(KEY.sign(claims()), AUDIENCES)).isInstanceOf(Verdict.Known.class);
    assertThat(fetched).hasSize(4);
  }

  @Test
  void anIssuerThatDoesNotAnswerIsNotAskedAgainAtOnceAndItsKnownKeysStayGood() {
    OidcTokens tokens = tokens(issuer());
    failure = "no route";
    rejected(
        tokens.verify(KEY.sign(claims()), AUDIENCES),
        "oidc: verify token: the keys of https://issuer.example cannot be fetched: no route");
    failure = "";
    assertThat(tokens.verify(KEY.sign(claims()), AUDIENCES)).isInstanceOf(Verdict.Rejected.class);
    assertThat(fetched).hasSize(1);
    time.advance(Duration.ofSeconds(10));
    assertThat(tokens.verify(KEY.sign(claims()), AUDIENCES)).isInstanceOf(Verdict.Known.class);

    failure = "no route";
    time.advance(Duration.ofSeconds(10));
    String unknown = TestKey.generate("three", "ES256").sign(claims());
    assertThat(tokens.verify(unknown, AUDIENCES)).isInstanceOf(Verdict.Rejected.class);
    assertThat(tokens.verify(KEY.sign(claims()), AUDIENCES)).isInstanceOf(Verdict.Known.class);
  }
}
