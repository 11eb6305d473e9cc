package dev.berth.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The cluster's certificate authority, made at the first start and kept in {@code ca.key} and
 * {@code ca.crt}.
 *
 * <p>The key is written first: a certificate can be made again from the key, with the same subject,
 * so that all it has signed stays good; nothing can be made from the certificate alone. Therefore
 *
 * <ol>
 *   <li>neither file: both are made;
 *   <li>only the key, after a crash at the first start or to renew the certificate: it is made;
 *   <li>only the certificate, or two that do not belong together, or one that is damaged: refused,
 *       since a new authority would turn every client away.
 * </ol>
 */
public final class ClusterCa implements CertificateSigner {
  private static final Duration SERVER_VALIDITY = Duration.ofDays(365);
  private static final Duration ADMIN_VALIDITY = Duration.ofDays(365);

  private final Optional<Path> directory;
  private final CertificateAuthority authority;

  private ClusterCa(Optional<Path> directory, CertificateAuthority authority) {
    this.directory = directory;
    this.authority = authority;
  }

  /**
   * Opens the authority of a data directory.
   *
   * @param directory the {@code pki} directory; made if there is none
   * @throws PkiException if what is there cannot be used
   */
  public static ClusterCa open(Path directory, Instant now) {
    PrivateFiles.directory(directory);
    Path keyFile = directory.resolve("ca.key");
    Path certificateFile = directory.resolve("ca.crt");
    Optional<String> key = PrivateFiles.read(keyFile);
    Optional<String> certificate = PrivateFiles.read(certificateFile);
    if (key.isEmpty() && certificate.isPresent()) {
      throw new PkiException(
          "%s is there but %s is not: bring the key back, or remove the certificate to begin with a new authority that no present client trusts."
              .formatted(certificateFile, keyFile));
    }
    if (key.isPresent() && certificate.isPresent()) {
      return new ClusterCa(
          Optional.of(directory),
          load(keyFile, key.get(), certificateFile, certificate.get(), now));
    }
    CertificateAuthority made;
    if (key.isPresent()) {
      made = Signing.selfSigned(KeyFile.pair(keyFile, key.get()), now);
    } else {
      var pair = KeyPairs.generate();
      PrivateFiles.write(keyFile, Pem.encode(pair.getPrivate()));
      made = Signing.selfSigned(pair, now);
    }
    PrivateFiles.write(certificateFile, Pem.encode(made.certificate()));
    return new ClusterCa(Optional.of(directory), made);
  }

  /** A new authority that is kept nowhere, and neither is what it signs. */
  public static ClusterCa inMemory(Instant now) {
    return new ClusterCa(Optional.empty(), Signing.selfSigned(KeyPairs.generate(), now));
  }

  private static CertificateAuthority load(
      Path keyFile, String keyText, Path certificateFile, String certificateText, Instant now) {
    PrivateKey key = KeyFile.privateKey(keyFile, keyText);
    X509Certificate certificate;
    try {
      certificate = Pem.certificates(certificateText).getFirst();
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "The certificate %s is damaged (%s): bring it back, or remove it to have it made again from %s."
              .formatted(certificateFile, e.getMessage(), keyFile),
          e);
    }
    if (certificate.getBasicConstraints() < 0) {
      throw new PkiException(
          "The certificate %s is not one of an authority (CA:TRUE): bring the right one back, or remove it to have it made again from %s."
              .formatted(certificateFile, keyFile));
    }
    if (!KeyPairs.match(key, certificate.getPublicKey())) {
      throw new PkiException(
          "The certificate %s does not belong to the key %s: bring back the one that does."
              .formatted(certificateFile, keyFile));
    }
    Instant end = certificate.getNotAfter().toInstant();
    if (!now.isBefore(end)) {
      throw new PkiException(
          "The certificate %s expired at %s: remove it to have it made again from %s, and hand the new one to all clients."
              .formatted(certificateFile, end, keyFile));
    }
    return new CertificateAuthority(key, certificate);
  }

  public X509Certificate certificate() {
    return authority.certificate();
  }

  /** The certificate that everybody trusts, in PEM. */
  public String pem() {
    return Pem.encode(certificate());
  }

  /**
   * The server's certificate, kept in {@code apiserver.pem}; a new one when the old one is near its
   * end or the names have changed.
   */
  public Credential server(ServerNames names, Instant now) {
    return issue(
        "apiserver.pem",
        new CertificateSpec(
            "kube-apiserver",
            List.of(),
            names.names(),
            Set.of(Usage.DIGITAL_SIGNATURE, Usage.KEY_ENCIPHERMENT, Usage.SERVER_AUTH),
            SERVER_VALIDITY),
        now);
  }

  /** The administrator's certificate, kept in {@code admin.pem} and renewed likewise. */
  public Credential administrator(Instant now) {
    return issue(
        "admin.pem", client("kubernetes-admin", List.of("system:masters"), ADMIN_VALIDITY), now);
  }

  private Credential issue(String file, CertificateSpec spec, Instant now) {
    return directory
        .map(kept -> KeptCredential.loadOrIssue(kept.resolve(file), authority, spec, now))
        .orElseGet(() -> Signing.issue(authority, spec, now));
  }

  /** A new client certificate, which is not kept. */
  public Credential issueClient(
      String user, Collection<String> groups, Duration validity, Instant now) {
    return Signing.issue(authority, client(user, List.copyOf(groups), validity), now);
  }

  private static CertificateSpec client(String user, List<String> groups, Duration validity) {
    return new CertificateSpec(
        user,
        groups,
        SubjectNames.NONE,
        Set.of(Usage.DIGITAL_SIGNATURE, Usage.KEY_ENCIPHERMENT, Usage.CLIENT_AUTH),
        validity);
  }

  @Override
  public SigningResult sign(SigningRequest request, Instant now) {
    return request.sign(authority, now);
  }

  /** Verifies what this authority has signed. */
  public ClientCertificates clientCertificates() {
    return new ClientCertificates(authority.certificate());
  }
}
