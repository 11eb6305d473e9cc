package dev.berth.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
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
final class AnyKey {
  private static final String RSA = "RSA PRIVATE KEY";
  private static final String ECDSA = "EC PRIVATE KEY";

  private AnyKey() {}

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
