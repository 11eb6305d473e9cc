package dev.berth.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/**
 * A credential of the cluster's own, kept in one file so that key and certificate cannot fall
 * apart. Unlike the authority it is replaceable: whatever does not fit any more, or is damaged, is
 * issued anew. The file begins with a line that says what the certificate is for, so that a start
 * which finds it unchanged need not take the certificate apart.
 */
final class KeptCredential {
  private KeptCredential() {}

  static Credential loadOrIssue(
      Path file, CertificateAuthority authority, CertificateSpec spec, Instant now) {
    String title = spec.title();
    return PrivateFiles.read(file)
        .filter(text -> text.startsWith(title))
        .flatMap(KeptCredential::parse)
        .filter(kept -> isGood(kept, authority, now))
        .orElseGet(() -> {
          Credential issued = Signing.issue(authority, spec, now);
          PrivateFiles.write(file, title + issued.pem());
          return issued;
        });
  }

  private static Optional<Credential> parse(String text) {
    try {
      return Optional.of(new Credential(Pem.privateKey(text), Pem.certificates(text).getFirst()));
    } catch (GeneralSecurityException _) {
      return Optional.empty();
    }
  }

  private static boolean isGood(Credential kept, CertificateAuthority authority, Instant now) {
    X509Certificate certificate = kept.certificate();
    if (now.isBefore(certificate.getNotBefore().toInstant()) || authority.isDue(certificate, now)) {
      return false;
    }
    try {
      certificate.verify(authority.certificate().getPublicKey());
      return KeyPairs.match(kept.key(), certificate.getPublicKey());
    } catch (GeneralSecurityException _) {
      return false;
    }
  }
}
