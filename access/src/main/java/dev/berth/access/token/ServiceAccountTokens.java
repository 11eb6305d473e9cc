package dev.berth.access.token;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Verifies the tokens of service accounts.
 *
 * <ol>
 *   <li>This cluster's key signed it, and its issuer is this cluster.
 *   <li>It is valid at this instant, give or take a minute.
 *   <li>It is for one of the audiences.
 *   <li>The account is still there, and is the same one.
 *   <li>So is the pod, the secret or the node that it is bound to.
 * </ol>
 *
 * That a signature is good is remembered; all else is looked at each time, so a token ends with
 * what it is bound to. {@link LegacyTokens} verifies those of the older kind, which never expire.
 */
public final class ServiceAccountTokens implements TokenVerifier {
  private static final String EXTRA = "authentication.kubernetes.io/";
  private static final String INVALIDATED = "service account token has been invalidated";
  private static final Duration LEEWAY = Duration.ofMinutes(1);

  private final Registry registry;
  private final SignedClaims signed;

  /** Something that a token says is not so. */
  private static final class Invalid extends Exception {
    private static final long serialVersionUID = 1L;

    Invalid(String why) {
      super(why, null, false, false);
    }
  }

  public ServiceAccountTokens(Registry registry, ServiceAccountKey key, String issuer) {
    this.registry = registry;
    this.signed = new SignedClaims(key, issuer);
  }

  @Override
  public Verdict verify(String token, List<String> audiences) {
    Optional<JsonObject> ours = signed.of(token);
    if (ours.isEmpty()) {
      return new Verdict.Unknown();
    }
    try {
      JsonObject claims = ours.get();
      Instant now = registry.now();
      checkTime(claims, now);
      List<String> good = audiences(claims);
      good.retainAll(audiences);
      if (good.isEmpty()) {
        throw new Invalid(
            "token audiences %s is invalid for the target audiences %s"
                .formatted(quoted(audiences(claims)), quoted(audiences)));
      }
      return new Verdict.Known(user(claims, now), good);
    } catch (Invalid e) {
      return new Verdict.Rejected(String.valueOf(e.getMessage()));
    } catch (JsonException e) {
      return new Verdict.Rejected("service account token claims could not be validated");
    }
  }

  private static void checkTime(JsonObject claims, Instant now) throws Invalid {
    long expiry = claims.integer("exp").orElse(0);
    if (now.minus(LEEWAY).isAfter(Instant.ofEpochSecond(expiry))) {
      throw new Invalid("service account token has expired");
    }
    long begin = claims.integer("nbf").orElse(0);
    if (now.plus(LEEWAY).isBefore(Instant.ofEpochSecond(begin))) {
      throw new Invalid("service account token is not valid yet");
    }
  }

  private static List<String> audiences(JsonObject claims) {
    return new ArrayList<>(
        switch (claims.get("aud")) {
          case String one -> List.of(one);
          case JsonArray several -> several.texts();
          case null, default -> List.<String>of();
        });
  }

  private static String quoted(List<String> values) {
    return JsonArray.copyOf(values).toString().replace("\",\"", "\" \"");
  }

  private User user(JsonObject claims, Instant now) throws Invalid {
    JsonObject own = claims.object("kubernetes.io");
    String namespace = own.text("namespace", "");
    BoundObject account = BoundObject.ofClaim(own.object("serviceaccount"));
    ObjectName name = new ObjectName(namespace, account.name());
    JsonObject found =
        find("serviceaccounts", name, now)
            .orElseThrow(() -> new Invalid("service account " + name + " has been deleted"));
    if (!Metadata.of(found).uid().equals(account.uid())) {
      throw new Invalid(
          "service account UID (%s) does not match claim (%s)"
              .formatted(Metadata.of(found).uid(), account.uid()));
    }
    User user =
        new User(ServiceAccountUsers.userName(name), ServiceAccountUsers.groups(namespace))
            .withUid(account.uid());
    String id = claims.text("jti", "");
    user = id.isEmpty() ? user : user.withExtra(User.CREDENTIAL_ID, "JTI=" + id);
    if (own.has("secret")) {
      checkBound("secrets", namespace, BoundObject.ofClaim(own.object("secret")), now);
    }
    BoundObject node = BoundObject.ofClaim(own.object("node"));
    if (own.has("pod")) {
      BoundObject pod = BoundObject.ofClaim(own.object("pod"));
      checkBound("pods", namespace, pod, now);
      user = user.withExtra(EXTRA + "pod-name", pod.name()).withExtra(EXTRA + "pod-uid", pod.uid());
    } else if (own.has("node")) {
      // With a pod, the node only says where that was; without one, the token lives as long as it.
      checkBound("nodes", "", node, now);
    }
    if (own.has("node")) {
      user = user.withExtra(EXTRA + "node-name", node.name());
      user = node.uid().isEmpty() ? user : user.withExtra(EXTRA + "node-uid", node.uid());
    }
    return user;
  }

  private void checkBound(String plural, String namespace, BoundObject bound, Instant now)
      throws Invalid {
    JsonObject found =
        find(plural, new ObjectName(namespace, bound.name()), now)
            .orElseThrow(() -> new Invalid(INVALIDATED));
    if (!Metadata.of(found).uid().equals(bound.uid())) {
      throw new Invalid(INVALIDATED);
    }
  }

  /** An object that is there, and not one that ought to be gone. */
  private Optional<JsonObject> find(String plural, ObjectName name, Instant now) {
    Resource resource = registry.catalog().get("", "v1", plural);
    return registry
        .find(resource, name)
        .map(Stored::tree)
        .filter(object ->
            Metadata.of(object)
                .deletionTimestamp()
                .filter(gone -> gone.isBefore(now.minus(LEEWAY)))
                .isEmpty());
  }
}
