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
   * Nothing was signed, nor will it be.
   *
   * @param reason a sentence for who asked
   */
  record Refused(String reason) implements SigningResult {}

  /**
   * Nothing can be signed as things are with the authority.
   *
   * @param reason a sentence for the operator
   */
  record Unavailable(String reason) implements SigningResult {}
}
