package dev.berth.access.token;

import dev.berth.model.tree.JsonObject;
import dev.berth.pki.ServiceAccountKey;
import java.util.function.Function;

/** Makes tokens with the key of service accounts, whatever they say. */
public final class TokenSigner implements Function<JsonObject, String> {
  private final Jwt jwt;

  public TokenSigner(ServiceAccountKey key) {
    this.jwt = new Jwt(key);
  }

  /** A token with these claims. */
  @Override
  public String apply(JsonObject claims) {
    return jwt.sign(claims);
  }
}
