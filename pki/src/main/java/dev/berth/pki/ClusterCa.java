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
 *
 * <p>While it is {@linkplain Rotation rotated}, {@code ca.crt} holds two certificates, which both
 * are trusted; the one that belongs to {@code ca.key} signs.
 */
public final class ClusterCa implements CertificateSigner {
  /** How long before its end a certificate is issued anew. */
  public static final Duration RENEW_BEFORE = Duration.ofDays(30);

  private static final String KEY = "ca.key";
  private static final String CERTIFICATE = "ca.crt";
  private static final String SERVER = "apiserver.pem";
  private static final String ADMINISTRATOR = "admin.pem";
  private static final Duration SERVER_VALIDITY = Duration.ofDays(365);
  private static final Duration ADMIN_VALIDITY = Duration.ofDays(365);

  private final Optional<Path> directory;
  private final CertificateAuthority authority;
  private final List<X509Certificate> trusted;

  private ClusterCa(
      Optional<Path> directory, CertificateAuthority authority, List<X509Certificate> trusted) {
    this.directory = directory;
    this.authority = authority;
    this.trusted = List.copyOf(trusted);
  }

  private ClusterCa(Optional<Path> directory, CertificateAuthority authority) {
    this(directory, authority, List.of(authority.certificate()));
  }

  /**
   * Opens the authority of a data directory.
   *
   * @param directory the {@code pki} directory; made if there is none
   * @throws PkiException if what is there cannot be used
   */
  public static ClusterCa open(Path directory, Instant now) {
    PrivateFiles.directory(directory);
    Path keyFile = directory.resolve(KEY);
    Path certificateFile = directory.resolve(CERTIFICATE);
    Optional<String> key = PrivateFiles.read(keyFile);
    Optional<String> certificate = PrivateFiles.read(certificateFile);
    if (key.isEmpty() && certificate.isPresent()) {
      throw new PkiException(
          "%s is there but %s is not: bring the key back, or remove the certificate to begin with a new authority that no present client trusts."
              .formatted(certificateFile, keyFile));
    }
    if (key.isPresent() && certificate.isPresent()) {
      return load(directory, key.get(), certificate.get(), now);
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

  /**
   * Opens the authority of a data directory again, which must be there: one that is in use is not
   * replaced by a new one because its files are missing.
   */
  public static ClusterCa reopen(Path directory, Instant now) {
    if (PrivateFiles.read(directory.resolve(KEY)).isEmpty()
        || PrivateFiles.read(directory.resolve(CERTIFICATE)).isEmpty()) {
      throw new PkiException(
          "%s or %s is missing in %s: bring it back.".formatted(KEY, CERTIFICATE, directory));
    }
    return open(directory, now);
  }

  /** A new authority that is kept nowhere, and neither is what it signs. */
  public static ClusterCa inMemory(Instant now) {
    return new ClusterCa(Optional.empty(), Signing.selfSigned(KeyPairs.generate(), now));
  }

  private static ClusterCa load(
      Path directory, String keyText, String certificateText, Instant now) {
    Path keyFile = directory.resolve(KEY);
    Path certificateFile = directory.resolve(CERTIFICATE);
    PrivateKey key = KeyFile.privateKey(keyFile, keyText);
    List<X509Certificate> trusted;
    try {
      trusted = Pem.certificates(certificateText);
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "The certificate %s is damaged (%s): bring it back, or remove it to have it made again from %s."
              .formatted(certificateFile, e.getMessage(), keyFile),
          e);
    }
    if (trusted.stream().anyMatch(each -> each.getBasicConstraints() < 0)) {
      throw new PkiException(
          "The certificate %s is not one of an authority (CA:TRUE): bring the right one back, or remove it to have it made again from %s."
              .formatted(certificateFile, keyFile));
    }
    X509Certificate certificate =
        trusted.stream()
            .filter(each -> KeyPairs.match(key, each.getPublicKey()))
            .findFirst()
            .orElseThrow(() ->
                new PkiException(
                    "The certificate %s does not belong to the key %s: bring back the one that does."
                        .formatted(certificateFile, keyFile)));
    Instant end = certificate.getNotAfter().toInstant();
    if (!now.isBefore(end)) {
      throw new PkiException(
          "The certificate %s expired at %s: remove it to have it made again from %s, and hand the new one to all clients."
              .formatted(certificateFile, end, keyFile));
    }
    return new ClusterCa(
        Optional.of(directory), new CertificateAuthority(key, certificate), trusted);
  }

  public X509Certificate certificate() {
    return authority.certificate();
  }

  /** The certificates of all authorities that are trusted: while it is rotated, two. */
  public List<X509Certificate> trusted() {
    return trusted;
  }

  /** The same, in PEM. */
  public String pem() {
    return Pem.encode(trusted);
  }

  /**
   * The server's certificate, kept in {@code apiserver.pem}; a new one when the old one is near its
   * end or the names have changed.
   */
  public Credential server(ServerNames names, Instant now) {
    return issue(
        SERVER,
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
        ADMINISTRATOR, client("kubernetes-admin", List.of("system:masters"), ADMIN_VALIDITY), now);
  }

  /** Issues the server's certificate anew, however long the old one is good. */
  public Credential renewServer(ServerNames names, Instant now) {
    directory.ifPresent(kept -> PrivateFiles.delete(kept.resolve(SERVER)));
    return server(names, now);
  }

  /** Issues the administrator's certificate anew; the old one stays good until its end. */
  public Credential renewAdministrator(Instant now) {
    directory.ifPresent(kept -> PrivateFiles.delete(kept.resolve(ADMINISTRATOR)));
    return administrator(now);
  }

  /** Whether a certificate that it signed ends soon, and another one would last longer. */
  public boolean isDue(X509Certificate signed, Instant now) {
    return authority.isDue(signed, now);
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
    return new ClientCertificates(trusted);
  }
}
