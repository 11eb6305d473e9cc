package dev.berth.store.etcd;

import java.net.URI;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Makes clients of etcd. Whatever carries their requests is loaded when this is made. */
public interface EtcdConnector {

  /**
   * Where etcd is.
   *
   * @param endpoints such as https://10.0.0.1:2379; all http, or all https
   * @param authorities who may have signed the members' certificates; empty for those that the JDK
   *     trusts
   */
  record Servers(
      List<URI> endpoints, List<X509Certificate> authorities, Optional<Identity> identity) {
    public Servers {
      endpoints = List.copyOf(endpoints);
      authorities = List.copyOf(authorities);
      if (endpoints.isEmpty()) {
        throw new IllegalArgumentException("There is no etcd to talk to.");
      }
    }
  }

  /** What a client shows of itself. */
  record Identity(List<X509Certificate> chain, PrivateKey key) {
    public Identity {
      chain = List.copyOf(chain);
    }
  }

  EtcdClient connect(Servers servers);
}
