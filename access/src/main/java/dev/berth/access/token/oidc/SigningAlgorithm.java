package dev.berth.access.token.oidc;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The ways to sign a token (RFC 7518) that Kubernetes accepts of issuers: all are asymmetric, so
 * that whoever can verify a token cannot make one.
 */
public enum SigningAlgorithm {
  RS256("SHA256withRSA"),
  RS384("SHA384withRSA"),
  RS512("SHA512withRSA"),
  PS256("SHA-256", 32),
  PS384("SHA-384", 48),
  PS512("SHA-512", 64),
  ES256("SHA256withECDSAinP1363Format", 256),
  ES384("SHA384withECDSAinP1363Format", 384),
  ES512("SHA512withECDSAinP1363Format", 521);

  private final String name;
  private final int size;

  SigningAlgorithm(String name) {
    this(name, 0);
  }

  /**
   * @param name what Java calls it; of PSS, what it calls the digest
   * @param size of PSS the bytes of salt, of elliptic curves the bits of the field
   */
  SigningAlgorithm(String name, int size) {
    this.name = name;
    this.size = size;
  }

  static Optional<SigningAlgorithm> find(String name) {
    return Stream.of(values()).filter(known -> known.name().equals(name)).findFirst();
  }

  /** All names, in the order in which they are shown. */
  public static List<String> names() {
    return Stream.of(values()).map(Enum::name).toList();
  }

  /** Whether a key can have signed in this way at all. */
  boolean fits(PublicKey key) {
    return switch (this) {
      case RS256, RS384, RS512, PS256, PS384, PS512 -> key instanceof RSAPublicKey;
      case ES256, ES384, ES512 ->
          key instanceof ECPublicKey elliptic
              && elliptic.getParams().getCurve().getField().getFieldSize() == size;
    };
  }

  boolean isSignedBy(PublicKey key, byte[] signed, byte[] signature) {
    try {
      Signature verifier = verifier();
      verifier.initVerify(key);
      verifier.update(signed);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private Signature verifier() throws GeneralSecurityException {
    return switch (this) {
      case PS256, PS384, PS512 -> {
        Signature pss = Signature.getInstance("RSASSA-PSS");
        pss.setParameter(
            new PSSParameterSpec(
                name,
                "MGF1",
                new MGF1ParameterSpec(name),
                size,
                PSSParameterSpec.TRAILER_FIELD_BC));
        yield pss;
      }
      default -> Signature.getInstance(name);
    };
  }
}
