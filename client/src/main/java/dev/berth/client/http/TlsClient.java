package dev.berth.client.http;

import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.client.kubeconfig.ConnectionException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The TLS of a client: whom it trusts, and the certificate that it presents. */
final class TlsClient {
  private TlsClient() {}

  static SSLContext context(Connection connection) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          keys(connection.identity()), new TrustManager[] {trust(connection.trust())}, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new ConnectionException(
          "No secure connection to %s can be made: %s."
              .formatted(connection.server(), e.getMessage()),
          e);
    }
  }

  private static KeyManager @Nullable [] keys(Identity identity)
      throws GeneralSecurityException, IOException {
    if (!(identity instanceof Identity.Certificate(var chain, var key))) {
      return null;
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("client", key, new char[0], chain.toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static X509TrustManager trust(Trust trust) throws GeneralSecurityException, IOException {
    return switch (trust) {
      case Trust.Anything _ -> new NamedTrust(null, Optional.empty());
      case Trust.Machine(Optional<String> name) -> named(manager(null), name);
      case Trust.Authorities(List<X509Certificate> certificates, Optional<String> name) -> {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
          store.setCertificateEntry("authority" + i, certificates.get(i));
        }
        yield named(manager(store), name);
      }
    };
  }

  /** Java's own manager compares a certificate with the address, which is right without a name. */
  private static X509TrustManager named(X509TrustManager manager, Optional<String> name) {
    return name.isEmpty() ? manager : new NamedTrust(manager, name);
  }

  private static X509TrustManager manager(@Nullable KeyStore authorities)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(authorities);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("this Java has no way to check certificates");
  }
}
