package dev.berth.pki;

import java.time.Instant;

/**
 * Signs what others ask for; whether they may have it was decided before. The key that it signs
 * with may be another one the next time.
 */
@FunctionalInterface
public interface CertificateSigner {
  SigningResult sign(SigningRequest request, Instant now);
}
