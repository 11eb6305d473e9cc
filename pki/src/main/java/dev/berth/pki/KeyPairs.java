package dev.berth.pki;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/**
 * Makes keys and serial numbers. This is the one place of the program with true randomness: a key
 * that a seed could make again would be no secret. Nothing but keys, serials and tokens may come
 * from here.
 */
final class KeyPairs {
  private static final SecureRandom RANDOM = new SecureRandom();

  private static final String CURVE = "secp256r1";
  private static final int SERIAL_BITS = 127;

  private KeyPairs() {}

  /** A new ECDSA key on the curve P-256. */
  static KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(CURVE), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no elliptic curves.", e);
    }
  }

  /** Positive, at most 16 bytes long, and never zero. */
  static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1);
  }

  /** A text of so many letters, each as likely as any other. */
  static String letters(int count, String of) {
    StringBuilder text = new StringBuilder(count);
    RANDOM.ints(count, 0, of.length()).forEach(index -> text.append(of.charAt(index)));
    return text.toString();
  }

  /** The pair of a private key, whose public half is not kept. */
  static KeyPair pair(PrivateKey key) throws GeneralSecurityException {
    PublicKey publicKey =
        switch (key) {
          case ECPrivateKey ec -> publicKey(ec);
          case RSAPrivateCrtKey rsa ->
              KeyFactory.getInstance("RSA")
                  .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
          default -> throw new GeneralSecurityException("it is neither ECDSA nor RSA");
        };
    return new KeyPair(publicKey, key);
  }

  private static PublicKey publicKey(ECPrivateKey key) throws GeneralSecurityException {
    X9ECParameters curve = CustomNamedCurves.getByName(CURVE);
    ECParameterSpec parameters = key.getParams();
    if (!parameters.getOrder().equals(curve.getN())) {
      throw new GeneralSecurityException("its curve is not P-256");
    }
    var point = new FixedPointCombMultiplier().multiply(curve.getG(), key.getS()).normalize();
    var affine =
        new ECPoint(point.getAffineXCoord().toBigInteger(), point.getAffineYCoord().toBigInteger());
    return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(affine, parameters));
  }

  /** How the signatures of a key are called. */
  static String signatureAlgorithm(PublicKey key) {
    return key instanceof ECPublicKey ? "SHA256withECDSA" : "SHA256withRSA";
  }

  /** Whether the halves belong together. */
  static boolean match(PrivateKey privateKey, PublicKey publicKey) {
    byte[] probe = {1, 2, 3};
    try {
      Signature signature = Signature.getInstance(signatureAlgorithm(publicKey));
      signature.initSign(privateKey, RANDOM);
      signature.update(probe);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(probe);
      return signature.verify(signed);
    } catch (GeneralSecurityException _) {
      return false;
    }
  }
}
