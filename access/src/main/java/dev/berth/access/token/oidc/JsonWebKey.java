package dev.berth.access.token.oidc;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A public key of an issuer (RFC 7517).
 *
 * @param id what tokens name it by; empty if it has no name
 * @param algorithm the only way in which it signs; empty if it says nothing of that
 */
record JsonWebKey(String id, String algorithm, PublicKey key) {
  private static final Map<String, String> CURVES =
      Map.of("P-256", "secp256r1", "P-384", "secp384r1", "P-521", "secp521r1");

  /** The keys of a set that can verify signatures; others are for something else, and left out. */
  static List<JsonWebKey> ofSet(JsonObject set) {
    List<JsonWebKey> keys = new ArrayList<>();
    if (set.get("keys") instanceof JsonArray all) {
      for (Object each : all.values()) {
        if (each instanceof JsonObject key) {
          read(key).ifPresent(keys::add);
        }
      }
    }
    return keys;
  }

  private static Optional<JsonWebKey> read(JsonObject key) {
    String use = text(key, "use");
    if (!use.isEmpty() && !use.equals("sig")) {
      return Optional.empty();
    }
    try {
      PublicKey made =
          switch (text(key, "kty")) {
            case "RSA" ->
                KeyFactory.getInstance("RSA")
                    .generatePublic(new RSAPublicKeySpec(number(key, "n"), number(key, "e")));
            case "EC" -> elliptic(key);
            default -> throw new GeneralSecurityException("another kind of key");
          };
      return Optional.of(new JsonWebKey(text(key, "kid"), text(key, "alg"), made));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static PublicKey elliptic(JsonObject key) throws GeneralSecurityException {
    String curve = CURVES.get(text(key, "crv"));
    if (curve == null) {
      throw new GeneralSecurityException("another curve");
    }
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec(curve));
    return KeyFactory.getInstance("EC")
        .generatePublic(
            new ECPublicKeySpec(
                new ECPoint(number(key, "x"), number(key, "y")),
                parameters.getParameterSpec(ECParameterSpec.class)));
  }

  private static BigInteger number(JsonObject key, String name) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(text(key, name)));
  }

  private static String text(JsonObject key, String name) {
    return key.get(name) instanceof String text ? text : "";
  }

  boolean mayHaveSigned(String keyId, SigningAlgorithm how) {
    return (keyId.isEmpty() || keyId.equals(id))
        && (algorithm.isEmpty() || algorithm.equals(how.name()))
        && how.fits(key);
  }
}
