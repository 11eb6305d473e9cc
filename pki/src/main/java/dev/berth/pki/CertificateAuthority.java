package dev.berth.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;

/** The key that signs, and its certificate. {@link Signing} does it. */
record CertificateAuthority(PrivateKey key, X509Certificate certificate) {

  /**
   * Whether a certificate that it signed is to be issued anew: it ends soon, and another would last
   * longer. None outlives the authority's own.
   */
  boolean isDue(X509Certificate signed, Instant now) {
    Instant end = signed.getNotAfter().toInstant();
    return now.plus(ClusterCa.RENEW_BEFORE).isAfter(end)
        && end.isBefore(certificate.getNotAfter().toInstant());
  }

  @Override
  public String toString() {
    return "CertificateAuthority[" + certificate.getSubjectX500Principal() + "]";
  }
}
