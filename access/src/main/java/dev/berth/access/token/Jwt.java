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
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.Optional;

/** JSON web tokens that one key signs, and that key as others need it in order to verify them. */
final class Jwt {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final int P256_BYTES = 32;

  private final ServiceAccountKey key;
  private final String keyId;

  Jwt(ServiceAccountKey key) {
    this.key = key;
    this.keyId = keyId(key.pair().getPublic());
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
    JsonObject header =
        new JsonObject.Builder().put("alg", key.algorithm()).put("kid", keyId).build();
    String signed = text(JsonWriter.toBytes(header)) + "." + text(JsonWriter.toBytes(claims));
    try {
      Signature signature = signature();
      signature.initSign(key.pair().getPrivate());
      signature.update(signed.getBytes(US_ASCII));
      return signed + "." + text(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The service account key cannot sign.", e);
    }
  }

  private Signature signature() throws GeneralSecurityException {
    return Signature.getInstance(
        key.algorithm().equals("ES256") ? "SHA256withECDSAinP1363Format" : "SHA256withRSA");
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

  /** Whether the key signed the token, in the one way that it signs. */
  boolean isSigned(String token) {
    String[] parts = token.split("\\.", -1);
    Optional<JsonObject> header = parts.length == 3 ? json(parts[0]) : Optional.empty();
    if (header.isEmpty() || !key.algorithm().equals(header.get().get("alg"))) {
      return false;
    }
    try {
      Signature signature = signature();
      signature.initVerify(key.pair().getPublic());
      signature.update((parts[0] + "." + parts[1]).getBytes(US_ASCII));
      return signature.verify(Base64.getUrlDecoder().decode(parts[2]));
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      return false;
    }
  }

  String algorithm() {
    return key.algorithm();
  }

  /** The public key as a set of one. */
  JsonObject keySet() {
    JsonObject.Builder web = new JsonObject.Builder().put("use", "sig");
    switch (key.pair().getPublic()) {
      case ECPublicKey ec ->
          web.put("kty", "EC")
              .put("kid", keyId)
              .put("crv", "P-256")
              .put("alg", algorithm())
              .put("x", text(bytes(ec.getW().getAffineX(), P256_BYTES)))
              .put("y", text(bytes(ec.getW().getAffineY(), P256_BYTES)));
      case RSAPublicKey rsa ->
          web.put("kty", "RSA")
              .put("kid", keyId)
              .put("alg", algorithm())
              .put("n", text(bytes(rsa.getModulus(), (rsa.getModulus().bitLength() + 7) / 8)))
              .put("e", text(bytes(rsa.getPublicExponent(), 3)));
      default -> throw new IllegalStateException("Tokens are signed with ECDSA or RSA.");
    }
    return JsonObject.of("keys", JsonArray.of(web.build()));
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
