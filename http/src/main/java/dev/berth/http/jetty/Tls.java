package dev.berth.http.jetty;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS with one key at a time and with client certificates that are asked for, not demanded.
 *
 * <p>The handshake accepts <em>every</em> client certificate, as upstream does: an expired or
 * foreign one shall get a 401 that says so and not a broken connection. Nothing may trust the chain
 * before the authenticator verified it. Key and trust come from memory, since a key store costs a
 * key derivation at each start.
 */
final class Tls {
  private Tls() {}

  static SslContextFactory.Server contextFactory(TlsIdentity tls) {
    SSLContext context;
    try {
      context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new OneKey(tls)}, new TrustManager[] {new AnyClient(tls)}, null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no TLS.", e);
    }
    var factory = new SslContextFactory.Server();
    factory.setSslContext(context);
    factory.setWantClientAuth(true);
    factory.setRenegotiationAllowed(false);
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    return factory;
  }

  private static final class OneKey extends X509ExtendedKeyManager {
    private final TlsIdentity tls;

    OneKey(TlsIdentity tls) {
      this.tls = tls;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return tls.alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return tls.alias(keyType);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return tls.of(alias).chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return tls.of(alias).key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      String alias = tls.alias(keyType);
      return alias == null ? null : new String[] {alias};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }
  }

  private static final class AnyClient extends X509ExtendedTrustManager {
    private final TlsIdentity tls;

    AnyClient(TlsIdentity tls) {
      this.tls = tls;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return tls.now().clientAuthorities().toArray(X509Certificate[]::new);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      throw notAClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
      throw notAClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
      throw notAClient();
    }

    private static UnsupportedOperationException notAClient() {
      return new UnsupportedOperationException("This is a server: it verifies no servers.");
    }
  }
}
