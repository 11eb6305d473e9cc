package dev.berth.apiserver;

import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.time.Time;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A client certificate by which others know this server, signed by the cluster's authority. Made
 * when it is first needed and kept in memory only; a new one follows a new authority, and comes in
 * time before the old one ends. Thread-safe.
 */
final class ClientIdentity {
  private static final Duration VALIDITY = Duration.ofDays(90);

  private final Supplier<ClusterCa> authority;
  private final String user;
  private final List<String> groups;
  private final Time time;
  private @Nullable Issued issued;

  /** A certificate and who signed it; another object means that something has changed. */
  record Issued(ClusterCa authority, Credential credential) {
    KeyManager[] keys() {
      return new KeyManager[] {new OneKey(credential)};
    }
  }

  ClientIdentity(Supplier<ClusterCa> authority, String user, List<String> groups, Time time) {
    this.authority = authority;
    this.user = user;
    this.groups = List.copyOf(groups);
    this.time = time;
  }

  synchronized Issued current() {
    ClusterCa now = authority.get();
    Issued made = issued;
    if (made == null
        || !made.authority().trusted().equals(now.trusted())
        || now.isDue(made.credential().certificate(), time.now())) {
      made = new Issued(now, now.issueClient(user, groups, VALIDITY, time.now()));
      issued = made;
    }
    return made;
  }

  /** TLS that presents keys, and trusts servers whom some authorities vouch for. */
  static SSLContext trusting(List<X509Certificate> authorities, KeyManager[] keys) {
    try {
      KeyStore known = KeyStore.getInstance("PKCS12");
      known.load(null, null);
      int count = 0;
      for (X509Certificate each : authorities) {
        known.setCertificateEntry("ca" + count++, each);
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(known);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("This Java has no TLS.", e);
    }
  }
}
