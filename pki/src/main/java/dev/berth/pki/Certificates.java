package dev.berth.pki;

import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Optional;

/** What others want to know about certificates that they have as text. */
public final class Certificates {
  private Certificates() {}

  /** When the first certificate of a PEM text ends; empty if it holds none that can be read. */
  public static Optional<Instant> notAfter(String pem) {
    try {
      return Optional.of(Pem.certificates(pem).getFirst().getNotAfter().toInstant());
    } catch (GeneralSecurityException _) {
      return Optional.empty();
    }
  }
}
