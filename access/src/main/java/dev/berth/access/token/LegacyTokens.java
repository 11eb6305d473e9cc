package dev.berth.access.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.TokenSecret;
import dev.berth.model.user.User;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Verifies the tokens of service accounts that secrets hold and that do not expire.
 *
 * <ol>
 *   <li>This cluster's key signed it, under the issuer's name of such tokens.
 *   <li>Its secret is there, holds this very token, and is not marked invalid.
 *   <li>The account is still there, and is the same one.
 * </ol>
 *
 * The day on which a token was used last is written on its secret. Such tokens are good for the
 * server alone.
 */
public final class LegacyTokens implements TokenVerifier {
  private static final String INVALIDATED = "Token has been invalidated";

  private final Registry registry;
  private final SignedClaims signed;
  private final String server;

  /**
   * @param registry one without policies
   * @param server the audience that is the server itself
   */
  public LegacyTokens(Registry registry, ServiceAccountKey key, String server) {
    this.registry = registry;
    this.signed = new SignedClaims(key, TokenSecret.ISSUER);
    this.server = server;
  }

  @Override
  public Verdict verify(String token, List<String> audiences) {
    Optional<JsonObject> claims = signed.of(token);
    if (claims.isEmpty()) {
      return new Verdict.Unknown();
    }
    if (!audiences.contains(server)) {
      return new Verdict.Rejected(
          "token audiences [\"%s\"] is invalid for the target audiences %s"
              .formatted(server, audiences));
    }
    try {
      return verify(token, claims.get());
    } catch (JsonException e) {
      return new Verdict.Rejected("service account token claims could not be validated");
    }
  }

  private Verdict verify(String token, JsonObject claims) {
    String namespace = claims.text(TokenSecret.NAMESPACE_CLAIM, "");
    ObjectName name = new ObjectName(namespace, claims.text(TokenSecret.ACCOUNT_CLAIM, ""));
    String uid = claims.text(TokenSecret.UID_CLAIM, "");
    ObjectName secretName = new ObjectName(namespace, claims.text(TokenSecret.SECRET_CLAIM, ""));
    if (!claims.text("sub", "").equals(ServiceAccountUsers.userName(name))) {
      return new Verdict.Rejected("sub claim is invalid");
    }
    Optional<TokenSecret> secret =
        find("secrets", secretName)
            .map(TokenSecret::new)
            .filter(found -> !found.metadata().isBeingDeleted());
    if (secret.isEmpty()) {
      return new Verdict.Rejected(INVALIDATED);
    }
    if (!MessageDigest.isEqual(secret.get().token().getBytes(UTF_8), token.getBytes(UTF_8))) {
      return new Verdict.Rejected("Token does not match server's copy");
    }
    Optional<Metadata> account = find("serviceaccounts", name).map(Metadata::of);
    if (account.isEmpty() || account.get().isBeingDeleted()) {
      return new Verdict.Rejected("ServiceAccount %s has been deleted".formatted(name));
    }
    if (!account.get().uid().equals(uid)) {
      return new Verdict.Rejected(
          "ServiceAccount UID (%s) does not match claim (%s)".formatted(account.get().uid(), uid));
    }
    markUsed(secretName, secret.get());
    if (secret.get().metadata().label(TokenSecret.INVALID_SINCE).isPresent()) {
      return new Verdict.Rejected(
          ("the token in secret %s for service account %s has been marked invalid. Use tokens from"
                  + " the TokenRequest API or manually created secret-based tokens, or remove the"
                  + " '%s' label from the secret to temporarily allow use of this token")
              .formatted(secretName, name, TokenSecret.INVALID_SINCE));
    }
    User user =
        new User(ServiceAccountUsers.userName(name), ServiceAccountUsers.groups(namespace))
            .withUid(uid);
    return new Verdict.Known(user, List.of(server));
  }

  private Optional<JsonObject> find(String plural, ObjectName name) {
    return registry.find(registry.catalog().get("", "v1", plural), name).map(Stored::tree);
  }

  /** Writes down that a token was used today, once a day. */
  private void markUsed(ObjectName name, TokenSecret secret) {
    LocalDate today = registry.now().atZone(ZoneOffset.UTC).toLocalDate();
    Optional<String> written = secret.metadata().label(TokenSecret.LAST_USED);
    // Another server's clock may be a little ahead.
    if (written
        .filter(List.of(today.toString(), today.plusDays(1).toString())::contains)
        .isPresent()) {
      return;
    }
    try {
      registry.modify(
          registry.catalog().get("", "v1", "secrets"),
          name,
          WriteOptions.DEFAULT,
          old ->
              Metadata.update(
                  old,
                  metadata ->
                      metadata.update(
                          "labels",
                          labels -> labels.with(TokenSecret.LAST_USED, today.toString()))));
    } catch (StatusException _) {
      // It was deleted just now; whoever uses it next hears so.
    }
  }
}
