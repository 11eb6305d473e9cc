package dev.berth.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.util.List;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Reads private keys in the forms that other programs write: PKCS#8, and the older ones of PKCS#1
 * for RSA, which kubeadm writes, and of SEC 1 for ECDSA.
 */
public final class AnyKey {
  private static final String RSA = "RSA PRIVATE KEY";
  private static final String ECDSA = "EC PRIVATE KEY";

  private AnyKey() {}

  /**
   * The private key of a file.
   *
   * @throws PkiException if there is none, or one that cannot be read
   */
  public static PrivateKey read(Path file) {
    try {
      return privateKey(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new PkiException("There is no file %s.".formatted(file), e);
    } catch (IOException | GeneralSecurityException e) {
      throw new PkiException(
          "%s holds no private key that can be read: %s.".formatted(file, e.getMessage()), e);
    }
  }

  /** Whether a key may be the one of a certificate; of ECDSA and RSA that is known. */
  public static boolean mayBeOf(X509Certificate certificate, PrivateKey key) {
    PublicKey other = certificate.getPublicKey();
    return !(other instanceof ECKey || other instanceof RSAKey) || KeyPairs.match(key, other);
  }

  static PrivateKey privateKey(String text) throws GeneralSecurityException {
    List<byte[]> rsa = Pem.decode(RSA, text);
    List<byte[]> ecdsa = Pem.decode(ECDSA, text);
    try {
      if (rsa.size() == 1) {
        var algorithm =
            new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);
        return wrapped(
            new PrivateKeyInfo(
                algorithm, org.bouncycastle.asn1.pkcs.RSAPrivateKey.getInstance(rsa.getFirst())));
      }
      if (ecdsa.size() == 1) {
        ECPrivateKey key = ECPrivateKey.getInstance(ecdsa.getFirst());
        var algorithm =
            new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject());
        return wrapped(new PrivateKeyInfo(algorithm, key));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new GeneralSecurityException("the key is damaged", e);
    }
    return Pem.privateKey(text);
  }

  private static PrivateKey wrapped(PrivateKeyInfo key)
      throws GeneralSecurityException, IOException {
    return Pem.privateKey(Pem.encode(Pem.PRIVATE_KEY, key.getEncoded()));
  }
}
