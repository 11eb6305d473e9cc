package dev.berth.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A key of a node's and the certificate for it.
 *
 * @param chain the certificate, and those of authorities between it and the one that is trusted
 */
public record NodeCredential(List<X509Certificate> chain, PrivateKey key) {
  public NodeCredential {
    chain = List.copyOf(chain);
  }

  /**
   * What a signer made of a request.
   *
   * @throws PkiException if it is no certificate for the key
   */
  public static NodeCredential of(String pem, KeyPair key) {
    try {
      NodeCredential made = new NodeCredential(Pem.certificates(pem), key.getPrivate());
      if (!made.certificate().getPublicKey().equals(key.getPublic())) {
        throw new GeneralSecurityException("it is for another key");
      }
      return made;
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "The certificate that was issued cannot be used: %s.".formatted(e.getMessage()), e);
    }
  }

  /**
   * What two files hold that somebody else keeps.
   *
   * @throws PkiException if they cannot be used
   */
  public static NodeCredential read(Path certificateFile, Path keyFile) {
    try {
      List<X509Certificate> chain = Pem.certificates(Files.readString(certificateFile));
      PrivateKey key = AnyKey.privateKey(Files.readString(keyFile));
      if (!KeyPairs.match(key, chain.getFirst().getPublicKey())) {
        throw new GeneralSecurityException("they do not belong together");
      }
      return new NodeCredential(chain, key);
    } catch (IOException | GeneralSecurityException e) {
      throw new PkiException(
          "The certificate %s and the key %s cannot be used: %s."
              .formatted(certificateFile, keyFile, e.getMessage()),
          e);
    }
  }

  public X509Certificate certificate() {
    return chain.getFirst();
  }

  public Instant notBefore() {
    return certificate().getNotBefore().toInstant();
  }

  public Instant notAfter() {
    return certificate().getNotAfter().toInstant();
  }

  /** Whether it is for all of these names. */
  public boolean covers(RequestedNames names) {
    try {
      SubjectNames has = SubjectNames.of(certificate());
      return Subject.of(certificate()).commonName().equals(names.commonName())
          && has.dns().containsAll(names.dnsNames())
          && names.ipAddresses().stream()
              .allMatch(address -> has.addresses().contains(SubjectNames.canonical(address)));
    } catch (CertificateParsingException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "NodeCredential[" + certificate().getSubjectX500Principal() + "]";
  }
}
