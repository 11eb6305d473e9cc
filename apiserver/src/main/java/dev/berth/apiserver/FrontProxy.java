package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.apiserver.ClientIdentity.Issued;
import dev.berth.http.outgoing.Destination;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Pem;
import dev.berth.serving.aggregation.RemoteApi;
import dev.berth.serving.aggregation.RemoteApiConnector;
import dev.berth.serving.connect.InsecureTls;
import dev.berth.serving.connect.ServiceResolver;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Reaches the servers of other groups, which believe this one who a user is because of its
 * certificate. They learn from a ConfigMap which one that is: the one of this name that the
 * cluster's authority signed, which signs it for nobody else unless an administrator approves.
 * Thread-safe.
 */
final class FrontProxy implements RemoteApiConnector {
  private static final String USER = "front-proxy-client";
  private static final int MOST_CONTEXTS = 100;

  private final ServiceResolver services;
  private final ClientIdentity identity;
  private final Map<String, SSLContext> contexts = new HashMap<>();
  private @Nullable Issued contextsOf;

  FrontProxy(ServiceResolver services, Supplier<ClusterCa> authority, Time time) {
    this.services = services;
    this.identity = new ClientIdentity(authority, USER, List.of(), time);
  }

  /** What other servers need to know in order to trust this one: a ConfigMap's data. */
  static JsonObject published(String authorityPem) {
    return new JsonObject.Builder()
        .put("client-ca-file", authorityPem)
        .put("requestheader-allowed-names", "[\"" + USER + "\"]")
        .put("requestheader-client-ca-file", authorityPem)
        .put("requestheader-extra-headers-prefix", "[\"X-Remote-Extra-\"]")
        .put("requestheader-group-headers", "[\"X-Remote-Group\"]")
        .put("requestheader-uid-headers", "[\"X-Remote-Uid\"]")
        .put("requestheader-username-headers", "[\"X-Remote-User\"]")
        .build();
  }

  @Override
  public Destination destination(RemoteApi api) throws IOException {
    ServiceResolver.Endpoint endpoint = services.resolve(api.service(), api.port());
    Destination destination =
        new Destination(api.serverName(), api.port(), Optional.of(context(api)))
            .at(new InetSocketAddress(endpoint.host(), endpoint.port()));
    return api.isInsecure() ? destination.anyName() : destination;
  }

  private synchronized SSLContext context(RemoteApi api) throws IOException {
    Issued now = identity.current();
    if (!now.equals(contextsOf) || contexts.size() > MOST_CONTEXTS) {
      contexts.clear();
      contextsOf = now;
    }
    String key = api.isInsecure() ? "insecure" : api.caBundle();
    SSLContext known = contexts.get(key);
    if (known == null) {
      known = make(api, now);
      contexts.put(key, known);
    }
    return known;
  }

  private static SSLContext make(RemoteApi api, Issued issued) throws IOException {
    if (api.isInsecure()) {
      return InsecureTls.context(issued.keys());
    }
    try {
      String pem = new String(Base64.getDecoder().decode(api.caBundle()), UTF_8);
      return ClientIdentity.trusting(Pem.certificates(pem), issued.keys());
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw new IOException("the caBundle holds no certificates in PEM: " + e.getMessage(), e);
    }
  }
}
