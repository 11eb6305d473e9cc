package dev.berth.access.token.oidc;

import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer, which are fetched when a token names one that is not known: at first, and
 * after the issuer has new ones.
 *
 * <p>Anybody can send a token that names an unknown key, so they are fetched at most once in {@link
 * #PAUSE}, and by one request; others wait for it. While the issuer does not answer, the keys that
 * are known stay good.
 */
final class IssuerKeys {
  static final Duration PAUSE = Duration.ofSeconds(10);
  private static final String WELL_KNOWN = "/.well-known/openid-configuration";

  private final JwtIssuer issuer;
  private final IssuerDocuments documents;
  private final Time time;
  private final ReentrantLock fetching = new ReentrantLock();
  private volatile List<JsonWebKey> keys = List.of();

  /** When they were last asked for, and how that failed. Of whoever holds the lock. */
  private @Nullable Instant asked;

  private String failure = "";

  IssuerKeys(JwtIssuer issuer, IssuerDocuments documents, Time time) {
    this.issuer = issuer;
    this.documents = documents;
    this.time = time;
  }

  /**
   * The keys that may have signed a token.
   *
   * @throws IOException if there are none, since the issuer could not be asked
   */
  List<JsonWebKey> candidates(String keyId, SigningAlgorithm how) throws IOException {
    List<JsonWebKey> known = matching(keyId, how);
    if (!known.isEmpty()) {
      return known;
    }
    fetching.lock();
    try {
      known = matching(keyId, how);
      if (known.isEmpty() && mayAsk()) {
        asked = time.monotonicNow();
        fetch();
        known = matching(keyId, how);
      }
      if (known.isEmpty() && !failure.isEmpty()) {
        throw new IOException(failure);
      }
      return known;
    } finally {
      fetching.unlock();
    }
  }

  private List<JsonWebKey> matching(String keyId, SigningAlgorithm how) {
    return keys.stream().filter(key -> key.mayHaveSigned(keyId, how)).toList();
  }

  private boolean mayAsk() {
    return asked == null || time.since(asked).compareTo(PAUSE) >= 0;
  }

  private void fetch() {
    try {
      JsonObject discovery = documents.fetch(discoveryAddress());
      if (!issuer.url().equals(discovery.get("issuer"))) {
        throw new IOException(
            "issuer did not match the issuer returned by provider, expected \"%s\" got \"%s\""
                .formatted(issuer.url(), discovery.get("issuer")));
      }
      if (!(discovery.get("jwks_uri") instanceof String address)) {
        throw new IOException("provider did not return JWKS URL");
      }
      List<JsonWebKey> fetched = JsonWebKey.ofSet(documents.fetch(uri(address)));
      if (fetched.isEmpty()) {
        throw new IOException(address + " holds no key that signs tokens");
      }
      keys = fetched;
      failure = "";
    } catch (IOException e) {
      failure = "the keys of %s cannot be fetched: %s".formatted(issuer.url(), e.getMessage());
    }
  }

  private URI discoveryAddress() throws IOException {
    if (!issuer.discoveryUrl().isEmpty()) {
      return uri(issuer.discoveryUrl());
    }
    String url = issuer.url();
    return uri((url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + WELL_KNOWN);
  }

  private static URI uri(String text) throws IOException {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IOException("\"" + text + "\" is no address");
    }
  }
}
