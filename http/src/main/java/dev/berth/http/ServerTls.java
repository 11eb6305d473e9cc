package dev.berth.http;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The key and the certificates of a server.
 *
 * @param chain the server's certificate first
 * @param clientAuthorities named to clients, so that they know which certificate to present
 */
public record ServerTls(
    PrivateKey key, List<X509Certificate> chain, List<X509Certificate> clientAuthorities) {
  public ServerTls {
    chain = List.copyOf(chain);
    clientAuthorities = List.copyOf(clientAuthorities);
  }
}
