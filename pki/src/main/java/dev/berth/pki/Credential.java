package dev.berth.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** A private key and the certificate that says whose it is. */
public record Credential(PrivateKey key, X509Certificate certificate) {

  /** Both as PEM. */
  String pem() {
    return Pem.encode(key) + Pem.encode(certificate);
  }

  @Override
  public String toString() {
    return "Credential[" + certificate.getSubjectX500Principal() + "]";
  }
}
