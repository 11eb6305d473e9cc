package dev.berth.access.token.oidc;

import dev.berth.access.token.TokenVerifier;
import dev.berth.access.token.Tokens;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the tokens of one issuer.
 *
 * <ol>
 *   <li>It names the issuer; tokens of others are left to others.
 *   <li>A key of the issuer signed it, in a way that is allowed.
 *   <li>It is for one of the issuer's audiences.
 *   <li>It has not expired, and is valid already, give or take five minutes.
 *   <li>It has the required claims, and those that make the user.
 * </ol>
 */
public final class OidcTokens implements TokenVerifier {
  /** Issuers' clocks may be ahead of ours. */
  private static final Duration LEEWAY = Duration.ofMinutes(5);

  private static final String EMAIL = "email";
  private static final String EMAIL_VERIFIED = "email_verified";

  private final JwtIssuer issuer;
  private final IssuerKeys keys;
  private final Time time;
  private final String server;

  /** Something that a token says is not so. */
  private static final class Invalid extends Exception {
    private static final long serialVersionUID = 1L;

    Invalid(String why) {
      super("oidc: " + why, null, false, false);
    }
  }

  /**
   * @param server the audience of this server, for which such tokens are good
   */
  public OidcTokens(JwtIssuer issuer, IssuerDocuments documents, Time time, String server) {
    this.issuer = issuer;
    this.keys = new IssuerKeys(issuer, documents, time);
    this.time = time;
    this.server = server;
  }

  @Override
  public Verdict verify(String token, List<String> audiences) {
    Optional<SignedToken> parsed =
        SignedToken.parse(token).filter(t -> issuer.url().equals(t.claimText("iss")));
    if (parsed.isEmpty()) {
      return new Verdict.Unknown();
    }
    try {
      checkSignature(parsed.get());
      JsonObject claims = parsed.get().claims();
      checkAudience(claims);
      checkTime(claims, time.now());
      User user = user(parsed.get());
      checkRequired(claims);
      return Tokens.forServerOnly(user, audiences, server);
    } catch (Invalid e) {
      return new Verdict.Rejected(String.valueOf(e.getMessage()));
    }
  }

  private void checkSignature(SignedToken token) throws Invalid {
    String name = token.headerText("alg");
    SigningAlgorithm how =
        SigningAlgorithm.find(name)
            .filter(issuer.algorithms()::contains)
            .orElseThrow(() ->
                new Invalid(
                    "verify token: id token signed with unsupported algorithm, expected %s got \"%s\""
                        .formatted(issuer.algorithms().stream().sorted().toList(), name)));
    if (token.header().has("crit")) {
      throw new Invalid("verify token: the header has critical extensions, and none is supported");
    }
    List<JsonWebKey> candidates;
    try {
      candidates = keys.candidates(token.headerText("kid"), how);
    } catch (IOException e) {
      throw new Invalid("verify token: " + e.getMessage());
    }
    for (JsonWebKey key : candidates) {
      if (how.isSignedBy(key.key(), token.signed(), token.signature())) {
        return;
      }
    }
    throw new Invalid(
        "verify token: failed to verify signature: failed to verify id token signature");
  }

  private void checkAudience(JsonObject claims) throws Invalid {
    List<String> found = texts(claims.get("aud")).orElse(List.of());
    if (found.stream().noneMatch(issuer.audiences()::contains)) {
      throw new Invalid(
          "verify token: expected audience in %s got %s".formatted(issuer.audiences(), found));
    }
  }

  private static void checkTime(JsonObject claims, Instant now) throws Invalid {
    Instant expiry =
        instant(claims.get("exp"))
            .orElseThrow(() -> new Invalid("verify token: the token has no expiry (exp)"));
    if (now.isAfter(expiry)) {
      throw new Invalid(
          "verify token: token is expired (Token Expiry: %s)".formatted(Times.format(expiry)));
    }
    Optional<Instant> begin = instant(claims.get("nbf"));
    if (begin.isPresent() && now.plus(LEEWAY).isBefore(begin.get())) {
      throw new Invalid(
          "verify token: current time %s before the nbf (not before) time: %s"
              .formatted(Times.format(now), Times.format(begin.get())));
    }
  }

  /** Issuers write seconds with and without a fraction. */
  private static Optional<Instant> instant(@Nullable Object claim) {
    return switch (claim) {
      case Long seconds -> Optional.of(atSecond(seconds));
      case JsonNumber seconds -> Optional.of(atSecond((long) seconds.approximate()));
      case null, default -> Optional.empty();
    };
  }

  private static Instant atSecond(long seconds) {
    return Instant.ofEpochSecond(
        Math.clamp(seconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()));
  }

  private void checkRequired(JsonObject claims) throws Invalid {
    for (Map.Entry<String, String> required : issuer.requiredClaims().entrySet()) {
      String claim = required.getKey();
      switch (claims.get(claim)) {
        case null -> throw new Invalid("required claim " + claim + " not present in ID token");
        case String value when value.equals(required.getValue()) -> {}
        case String value ->
            throw new Invalid(
                "required claim %s value does not match. Got = %s, want = %s"
                    .formatted(claim, value, required.getValue()));
        case Object _ -> throw new Invalid("parse claim " + claim + ": it is not a string");
      }
    }
  }

  private User user(SignedToken token) throws Invalid {
    JsonObject claims = token.claims();
    JwtIssuer.PrefixedClaim username = issuer.username();
    String name = text(claims, username.claim(), "username claims");
    if (username.claim().equals(EMAIL)
        && claims.has(EMAIL_VERIFIED)
        && !Boolean.TRUE.equals(claims.get(EMAIL_VERIFIED))) {
      throw new Invalid("email not verified");
    }
    User user = new User(username.prefix() + name, groups(claims));
    if (!issuer.uidClaim().isEmpty()) {
      user = user.withUid(text(claims, issuer.uidClaim(), "uid claim"));
    }
    String id = token.claimText("jti");
    return id.isEmpty() ? user : user.withExtra(User.CREDENTIAL_ID, "JTI=" + id);
  }

  private List<String> groups(JsonObject claims) throws Invalid {
    if (issuer.groups().isEmpty() || !claims.has(issuer.groups().get().claim())) {
      return List.of();
    }
    JwtIssuer.PrefixedClaim groups = issuer.groups().get();
    List<String> names =
        texts(claims.get(groups.claim()))
            .orElseThrow(() ->
                new Invalid(
                    "parse groups claim \"%s\": it is neither a string nor a list of strings"
                        .formatted(groups.claim())));
    return names.stream().map(name -> groups.prefix() + name).toList();
  }

  private static String text(JsonObject claims, String claim, String what) throws Invalid {
    return switch (claims.get(claim)) {
      case String text when !text.isEmpty() -> text;
      case null -> throw new Invalid("parse %s \"%s\": claim not present".formatted(what, claim));
      case String _ -> throw new Invalid("parse %s \"%s\": it is empty".formatted(what, claim));
      case Object _ ->
          throw new Invalid("parse %s \"%s\": it is not a string".formatted(what, claim));
    };
  }

  /** One string or several; empty if it is something else. */
  private static Optional<List<String>> texts(@Nullable Object claim) {
    return switch (claim) {
      case String one -> Optional.of(List.of(one));
      case JsonArray several -> {
        List<String> all = new ArrayList<>();
        for (Object each : several.values()) {
          if (each instanceof String text) {
            all.add(text);
          }
        }
        yield all.size() == several.size() ? Optional.of(all) : Optional.empty();
      }
      case null, default -> Optional.empty();
    };
  }
}
