package dev.berth.client.http;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts servers by a given name, whatever their address is, or any server at all. It is an {@code
 * X509ExtendedTrustManager}, since Java then leaves the check of the host name to it.
 */
final class NamedTrust extends X509ExtendedTrustManager {
  private final @Nullable X509TrustManager authorities;
  private final Optional<String> name;

  /**
   * @param authorities check the chain; null if nobody does
   * @param name what the certificate must be for; empty for anything
   */
  NamedTrust(@Nullable X509TrustManager authorities, Optional<String> name) {
    this.authorities = authorities;
    this.name = name;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    if (authorities != null) {
      authorities.checkServerTrusted(chain, type);
    }
    if (name.isPresent() && !isFor(chain[0], name.get())) {
      throw new CertificateException("the server's certificate is not for \"" + name.get() + "\"");
    }
  }

  private static boolean isFor(X509Certificate certificate, String name)
      throws CertificateException {
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives == null) {
      return false;
    }
    String wanted = name.toLowerCase(Locale.ROOT);
    int dot = wanted.indexOf('.');
    String wildcard = dot < 0 ? wanted : "*" + wanted.substring(dot);
    return alternatives.stream()
        .map(alternative -> String.valueOf(alternative.get(1)).toLowerCase(Locale.ROOT))
        .anyMatch(given -> given.equals(wanted) || given.equals(wildcard));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("this is no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities == null ? new X509Certificate[0] : authorities.getAcceptedIssuers();
  }
}
