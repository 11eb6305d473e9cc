package dev.berth.pki;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/**
 * By which an authority is known to whoever is told it beside the cluster's address: the SHA-256 of
 * its public key, as {@code kubeadm join --discovery-token-ca-cert-hash} takes it.
 */
public final class CertificateHash {
  /** What it begins with. */
  public static final String PREFIX = "sha256:";

  private CertificateHash() {}

  public static String of(X509Certificate certificate) {
    try {
      byte[] key = certificate.getPublicKey().getEncoded();
      return PREFIX + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }
}
