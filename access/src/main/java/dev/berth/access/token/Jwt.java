package dev.berth.access.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.pki.ServiceAccountKey;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * JSON web tokens that the key of service accounts signs, and that key and those before and after
 * it as others need them in order to verify tokens.
 */
final class Jwt {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final int P256_BYTES = 32;

  private final ServiceAccountKey key;

  Jwt(ServiceAccountKey key) {
    this.key = key;
  }

  /** The keys as they are now: the same object as long as nothing changes. */
  ServiceAccountKey.Keys keys() {
    return key.keys();
  }

  /** The name of a key: the digest of its encoding, as Kubernetes has it. */
  private static String keyId(PublicKey key) {
    try {
      return text(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }

  private static String text(byte[] bytes) {
    return ENCODER.encodeToString(bytes);
  }

  /** A token with these claims. */
  String sign(JsonObject claims) {
    KeyPair pair = key.pair();
    String algorithm = ServiceAccountKey.algorithm(pair.getPublic());
    JsonObject header =
        new JsonObject.Builder().put("alg", algorithm).put("kid", keyId(pair.getPublic())).build();
    String signed = text(JsonWriter.toBytes(header)) + "." + text(JsonWriter.toBytes(claims));
    try {
      Signature signature = signature(algorithm);
      signature.initSign(pair.getPrivate());
      signature.update(signed.getBytes(US_ASCII));
      return signed + "." + text(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The service account key cannot sign.", e);
    }
  }

  private static Signature signature(String algorithm) throws GeneralSecurityException {
    return Signature.getInstance(
        algorithm.equals("ES256") ? "SHA256withECDSAinP1363Format" : "SHA256withRSA");
  }

  /** The claims of a token, whoever signed it; empty if it is none. */
  static Optional<JsonObject> claims(String token) {
    String[] parts = token.split("\\.", -1);
    return parts.length == 3 ? json(parts[1]) : Optional.empty();
  }

  private static Optional<JsonObject> json(String part) {
    try {
      return Optional.of(
          JsonReader.object(Base64.getUrlDecoder().decode(part), JsonLimits.REQUEST));
    } catch (IllegalArgumentException | JsonException _) {
      return Optional.empty();
    }
  }

  /** Whether one of the keys signed the token, in the one way that it signs. */
  boolean isSigned(String token) {
    return key.keys().verifying().stream().anyMatch(each -> isSigned(token, each));
  }

  private static boolean isSigned(String token, PublicKey key) {
    String[] parts = token.split("\\.", -1);
    Optional<JsonObject> header = parts.length == 3 ? json(parts[0]) : Optional.empty();
    String algorithm = ServiceAccountKey.algorithm(key);
    if (header.isEmpty()
        || !algorithm.equals(header.get().get("alg"))
        || (header.get().has("kid") && !keyId(key).equals(header.get().get("kid")))) {
      return false;
    }
    try {
      Signature signature = signature(algorithm);
      signature.initVerify(key);
      signature.update((parts[0] + "." + parts[1]).getBytes(US_ASCII));
      return signature.verify(Base64.getUrlDecoder().decode(parts[2]));
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      return false;
    }
  }

  /** The names of all signatures that are good. */
  List<String> algorithms() {
    return key.keys().verifying().stream().map(ServiceAccountKey::algorithm).distinct().toList();
  }

  /** The public keys. */
  JsonObject keySet() {
    return JsonObject.of(
        "keys", JsonArray.copyOf(key.keys().verifying().stream().map(Jwt::webKey).toList()));
  }

  private static JsonObject webKey(PublicKey key) {
    JsonObject.Builder web = new JsonObject.Builder().put("use", "sig");
    String algorithm = ServiceAccountKey.algorithm(key);
    switch (key) {
      case ECPublicKey ec ->
          web.put("kty", "EC")
              .put("kid", keyId(key))
              .put("crv", "P-256")
              .put("alg", algorithm)
              .put("x", text(bytes(ec.getW().getAffineX(), P256_BYTES)))
              .put("y", text(bytes(ec.getW().getAffineY(), P256_BYTES)));
      case RSAPublicKey rsa ->
          web.put("kty", "RSA")
              .put("kid", keyId(key))
              .put("alg", algorithm)
              .put("n", text(bytes(rsa.getModulus(), (rsa.getModulus().bitLength() + 7) / 8)))
              .put("e", text(bytes(rsa.getPublicExponent(), 3)));
      default -> throw new IllegalStateException("Tokens are signed with ECDSA or RSA.");
    }
    return web.build();
  }

  /** A number in so many bytes, the highest first. */
  private static byte[] bytes(BigInteger number, int length) {
    byte[] signed = number.toByteArray();
    byte[] plain = new byte[length];
    int kept = Math.min(signed.length, length);
    System.arraycopy(signed, signed.length - kept, plain, length - kept, kept);
    return plain;
  }
}
