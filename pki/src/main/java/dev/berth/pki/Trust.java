package dev.berth.pki;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** How a client comes to trust a server of the cluster: by the certificate of its authority. */
public final class Trust {
  private Trust() {}

  /** TLS that trusts servers with a certificate of the authorities in a file, and no others. */
  public static SSLContext in(Path authority) {
    try (InputStream in = Files.newInputStream(authority)) {
      KeyStore known = KeyStore.getInstance("PKCS12");
      known.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        known.setCertificateEntry("ca" + count++, each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(known);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, trust.getTrustManagers(), null);
      return tls;
    } catch (IOException e) {
      throw new UncheckedIOException("The certificate " + authority + " cannot be read.", e);
    } catch (GeneralSecurityException e) {
      throw new PkiException("The certificate " + authority + " cannot be used.", e);
    }
  }
}
