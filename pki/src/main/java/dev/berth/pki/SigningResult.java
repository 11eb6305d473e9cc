package dev.berth.pki;

import java.security.cert.X509Certificate;

/** What became of a signing request. */
public sealed interface SigningResult {

  record Signed(X509Certificate certificate) implements SigningResult {

    /** As the certificates API returns it. */
    public String pem() {
      return Pem.encode(certificate);
    }
  }

  /**
   * Nothing was signed.
   *
   * @param reason a sentence for who asked
   */
  record Refused(String reason) implements SigningResult {}
}
