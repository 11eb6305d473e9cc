package dev.berth.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** The key that signs, and its certificate. {@link Signing} does it. */
record CertificateAuthority(PrivateKey key, X509Certificate certificate) {

  @Override
  public String toString() {
    return "CertificateAuthority[" + certificate.getSubjectX500Principal() + "]";
  }
}
