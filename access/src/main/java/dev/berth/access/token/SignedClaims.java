package dev.berth.access.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.BoundedCache;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.ServiceAccountKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The claims of tokens that this cluster's key signed under an issuer's name. That a signature is
 * good is remembered, for as long as the keys are the same.
 */
final class SignedClaims {
  private static final int REMEMBERED = 10_000;

  private final Jwt jwt;
  private final String issuer;
  private final BoundedCache<ByteBuffer, Verified> verified = new BoundedCache<>(REMEMBERED);

  /**
   * The claims of a token that was found to be signed.
   *
   * @param keys those of that time; it counts for no others
   */
  private record Verified(ServiceAccountKey.Keys keys, JsonObject claims) {
    @SuppressWarnings("ReferenceEquality") // They are another object whenever they change.
    boolean isWith(ServiceAccountKey.Keys now) {
      return keys == now;
    }
  }

  SignedClaims(ServiceAccountKey key, String issuer) {
    this.jwt = new Jwt(key);
    this.issuer = issuer;
  }

  /** The claims of a token; empty if it is not one of these. */
  Optional<JsonObject> of(String token) {
    ByteBuffer digest = digest(token);
    ServiceAccountKey.Keys keys = jwt.keys();
    Optional<JsonObject> known =
        verified.get(digest).filter(v -> v.isWith(keys)).map(Verified::claims);
    if (known.isPresent()) {
      return known;
    }
    Optional<JsonObject> claims =
        Jwt.claims(token).filter(c -> issuer.equals(c.get("iss"))).filter(_ -> jwt.isSigned(token));
    claims.ifPresent(c -> verified.put(digest, new Verified(keys, c)));
    return claims;
  }

  /** Tokens themselves are not kept. */
  private static ByteBuffer digest(String token) {
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }
}
