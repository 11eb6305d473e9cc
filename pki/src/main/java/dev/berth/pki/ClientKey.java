package dev.berth.pki;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.util.HexFormat;

/**
 * A private key as client libraries read it. Kubernetes writes ECDSA keys in the form of SEC 1,
 * {@code EC PRIVATE KEY}, and some libraries (fabric8's among them) take any other key for RSA.
 */
final class ClientKey {
  private static final String LABEL = "EC PRIVATE KEY";
  private static final int BYTES = 32;

  /** What comes before, between and after the numbers of a key on the curve P-256, in DER. */
  private static final byte[] VERSION_AND_KEY = HexFormat.of().parseHex("30770201010420");

  private static final byte[] CURVE_AND_POINT =
      HexFormat.of().parseHex("a00a06082a8648ce3d030107a14403420004");

  private ClientKey() {}

  static String pem(Credential credential) {
    PublicKey half = credential.certificate().getPublicKey();
    return credential.key() instanceof ECPrivateKey key && half instanceof ECPublicKey point
        ? Pem.encode(LABEL, sec1(key, point))
        : Pem.encode(credential.key());
  }

  private static byte[] sec1(ECPrivateKey key, ECPublicKey point) {
    return ByteBuffer.allocate(VERSION_AND_KEY.length + CURVE_AND_POINT.length + 3 * BYTES)
        .put(VERSION_AND_KEY)
        .put(fixed(key.getS()))
        .put(CURVE_AND_POINT)
        .put(fixed(point.getW().getAffineX()))
        .put(fixed(point.getW().getAffineY()))
        .array();
  }

  /** A number with its leading zeros, and without the byte of its sign. */
  private static byte[] fixed(BigInteger number) {
    byte[] bytes = number.toByteArray();
    byte[] padded = new byte[BYTES];
    int kept = Math.min(bytes.length, BYTES);
    System.arraycopy(bytes, bytes.length - kept, padded, BYTES - kept, kept);
    return padded;
  }
}
