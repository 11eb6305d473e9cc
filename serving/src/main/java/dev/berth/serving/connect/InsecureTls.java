package dev.berth.serving.connect;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS that trusts everybody: for pods and services, whose certificates nobody can know, and for
 * clients that ask for a kubelet's logs in this way. As upstream does.
 */
public final class InsecureTls {
  private InsecureTls() {}

  /**
   * TLS that trusts everybody.
   *
   * @param keys what to present; null for nothing
   */
  public static SSLContext context(KeyManager @Nullable [] keys) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, new TrustManager[] {new Anybody()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no TLS.", e);
    }
  }

  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
      throw notAServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
      throw notAServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
      throw notAServer();
    }

    private static UnsupportedOperationException notAServer() {
      return new UnsupportedOperationException("This is a client: it verifies no clients.");
    }
  }
}
