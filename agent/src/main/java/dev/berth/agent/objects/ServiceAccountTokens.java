package dev.berth.agent.objects;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WireTime;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.serviceaccount.TokenRotation;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens of the service accounts of this node's pods, each bound to its pod, so that it is worth
 * nothing once the pod is gone. A token is kept and asked for anew in good time ({@link
 * TokenRotation}); one that is still valid is used while the server does not answer. For any
 * thread; may block.
 */
public final class ServiceAccountTokens {
  private static final Logger log = LoggerFactory.getLogger("tokens");
  private static final GroupVersionResource ACCOUNTS =
      new GroupVersionResource("", "v1", "serviceaccounts");

  private final Api api;
  private final Time time;
  private final RandomGenerator random;
  private final Map<Key, Token> tokens = new ConcurrentHashMap<>();

  /** What was asked for. */
  private record Key(String podUid, ObjectName account, String audience, long expirationSeconds) {}

  private record Token(String text, Instant expires, Duration lifetime) {}

  public ServiceAccountTokens(Api api, Time time) {
    this.api = api;
    this.time = time;
    this.random = time.random("service account tokens");
  }

  /**
   * A token of the account of a pod.
   *
   * @param audience whom it is for; empty for the server itself
   * @param expirationSeconds how long it is to be valid; the server may decide otherwise
   */
  public String token(JsonObject pod, String audience, long expirationSeconds)
      throws ObjectsUnavailable {
    Metadata metadata = Metadata.of(pod);
    String account = pod.object("spec").text("serviceAccountName", "default");
    Key key =
        new Key(
            metadata.uid(),
            new ObjectName(metadata.namespace(), account),
            audience,
            expirationSeconds);
    Token kept = tokens.get(key);
    Instant now = time.now();
    if (kept != null && !isDue(kept, now)) {
      return kept.text();
    }
    ApiResult result =
        api.create(
            Target.of(ACCOUNTS, key.account()).subresource("token"), request(key, metadata.name()));
    switch (result) {
      case ApiResult.Done(JsonObject answer) -> {
        Token fresh = read(answer, expirationSeconds, now);
        tokens.put(key, fresh);
        return fresh.text();
      }
      case ApiResult.Failure why -> {
        if (kept == null) {
          throw new ObjectsUnavailable("failed to fetch token: " + why.message());
        }
        if (now.isAfter(kept.expires())) {
          throw new ObjectsUnavailable(
              "token of service account %s expired and refresh failed: %s"
                  .formatted(key.account(), why.message()));
        }
        log.warn("cannot renew a token of {}: {}", key.account(), why.message());
        return kept.text();
      }
    }
  }

  private boolean isDue(Token token, Instant now) {
    return TokenRotation.isDue(
        token.expires(), token.lifetime(), now, TokenRotation.jitter(random.nextDouble()));
  }

  private static JsonObject request(Key key, String pod) {
    JsonObject.Builder spec = new JsonObject.Builder();
    spec.put(
        "audiences", key.audience().isEmpty() ? JsonArray.EMPTY : JsonArray.of(key.audience()));
    spec.put("expirationSeconds", key.expirationSeconds());
    spec.put(
        "boundObjectRef",
        new JsonObject.Builder()
            .put("kind", "Pod")
            .put("apiVersion", "v1")
            .put("name", pod)
            .put("uid", key.podUid())
            .build());
    return new JsonObject.Builder()
        .put("apiVersion", "authentication.k8s.io/v1")
        .put("kind", "TokenRequest")
        .put("metadata", JsonObject.EMPTY)
        .put("spec", spec.build())
        .build();
  }

  private static Token read(JsonObject answer, long asked, Instant now) throws ObjectsUnavailable {
    JsonObject status = answer.object("status");
    String text = status.text("token", "");
    if (text.isEmpty()) {
      throw new ObjectsUnavailable("failed to fetch token: the server's answer has none");
    }
    Duration lifetime =
        Duration.ofSeconds(answer.object("spec").integer("expirationSeconds").orElse(asked));
    Instant expires = WireTime.read(status, "expirationTimestamp");
    return new Token(text, expires == null ? now.plus(lifetime) : expires, lifetime);
  }

  /** Forgets the tokens of a pod that is gone. */
  public void release(String podUid) {
    tokens.keySet().removeIf(key -> key.podUid().equals(podUid));
  }
}
