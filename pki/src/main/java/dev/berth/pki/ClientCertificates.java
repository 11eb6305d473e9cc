package dev.berth.pki;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says who a client is by the certificate chain that it presented.
 *
 * <ol>
 *   <li>The chain leads to an authority of the cluster, through the intermediate ones presented.
 *   <li>Each certificate in it is good at this instant.
 *   <li>The client's allows client authentication.
 *   <li>Its common name is the user, its organizations are the groups; a user has a name.
 * </ol>
 */
public final class ClientCertificates {
  private static final List<Optional<String>> PURPOSES =
      List.of(Usage.CLIENT_AUTH.purpose(), Usage.ANY.purpose());

  private volatile List<X509Certificate> trusted;

  public ClientCertificates(List<X509Certificate> trusted) {
    this.trusted = List.copyOf(trusted);
  }

  /** From now on these authorities are trusted, and no others. */
  public void trust(List<X509Certificate> authorities) {
    trusted = List.copyOf(authorities);
  }

  /** The authorities that are trusted now: the same list as long as nothing changes. */
  public List<X509Certificate> trusted() {
    return trusted;
  }

  /** Who it is. */
  public sealed interface Verdict {

    record Valid(String user, List<String> groups) implements Verdict {}

    /** No certificate was presented: ask for another proof. */
    record Absent() implements Verdict {}

    /**
     * One was presented that proves nothing.
     *
     * @param reason a sentence for the client
     */
    record Rejected(String reason) implements Verdict {}
  }

  /** Verifies a chain, the client's own certificate first. */
  public Verdict verify(List<X509Certificate> chain, Instant now) {
    if (chain.isEmpty()) {
      return new Verdict.Absent();
    }
    X509Certificate client = chain.getFirst();
    for (X509Certificate certificate : chain) {
      if (now.isBefore(certificate.getNotBefore().toInstant())) {
        return rejected(
            certificate, "is not valid before " + certificate.getNotBefore().toInstant());
      }
      if (now.isAfter(certificate.getNotAfter().toInstant())) {
        return rejected(certificate, "expired at " + certificate.getNotAfter().toInstant());
      }
    }
    List<X509Certificate> authorities = trusted;
    try {
      List<X509Certificate> path =
          chain.stream().filter(certificate -> !authorities.contains(certificate)).toList();
      if (path.isEmpty()) {
        return rejected(client, "is the authority's own");
      }
      PKIXParameters parameters =
          new PKIXParameters(
              authorities.stream()
                  .map(authority -> new TrustAnchor(authority, null))
                  .collect(Collectors.toSet()));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      CertPathValidator.getInstance("PKIX")
          .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
    } catch (CertPathValidatorException _) {
      return rejected(client, "is not signed by this cluster's authority");
    } catch (GeneralSecurityException e) {
      return rejected(client, "cannot be verified (" + e.getMessage() + ")");
    }
    try {
      List<String> purposes = client.getExtendedKeyUsage();
      if (purposes == null || purposes.stream().map(Optional::of).noneMatch(PURPOSES::contains)) {
        return rejected(client, "does not allow client authentication");
      }
    } catch (CertificateParsingException _) {
      return rejected(client, "has a damaged extended key usage");
    }
    Subject subject = Subject.of(client);
    return subject.commonName().isEmpty()
        ? rejected(client, "has no common name, which would be the user")
        : new Verdict.Valid(subject.commonName(), subject.organizations());
  }

  private static Verdict rejected(X509Certificate certificate, String why) {
    return new Verdict.Rejected(
        "The certificate of \"%s\" %s.".formatted(certificate.getSubjectX500Principal(), why));
  }
}
