package dev.berth.client.kubeconfig;

import java.net.URI;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Everything that is needed to connect to a cluster.
 *
 * @param servers the URLs of its servers, any of which may be asked; at least one
 * @param namespace the namespace for requests that name none
 */
public record Connection(List<URI> servers, Trust trust, Identity identity, String namespace) {
  public Connection {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("A connection needs a server.");
    }
  }

  /** A connection to a cluster of one server. */
  public Connection(URI server, Trust trust, Identity identity, String namespace) {
    this(List.of(server), trust, identity, namespace);
  }

  /** The first of the servers: what the cluster is called in messages. */
  public URI server() {
    return servers.getFirst();
  }

  /** The same as somebody else. */
  public Connection as(Identity other) {
    return new Connection(servers, trust, other, namespace);
  }

  /** Which servers are trusted. */
  public sealed interface Trust {
    /** Those that any authority vouches for that this machine trusts. */
    record Machine(Optional<String> serverName) implements Trust {}

    /**
     * Those that one of these authorities vouches for.
     *
     * @param serverName the name that the certificate must have; empty for that of the address
     */
    record Authorities(List<X509Certificate> certificates, Optional<String> serverName)
        implements Trust {}

    /** Any server, whatever its certificate is. */
    record Anything() implements Trust {}
  }

  /** How the client authenticates. */
  public sealed interface Identity {
    /** It does not: it is anonymous. */
    record Anonymous() implements Identity {}

    record Certificate(List<X509Certificate> chain, PrivateKey key) implements Identity {}

    /** By a token, which is asked for at each request, since tokens are renewed. */
    record Token(TokenSource source) implements Identity {}

    record Password(String user, String password) implements Identity {
      @Override
      public String toString() {
        return "Password[user=" + user + "]";
      }
    }
  }
}
