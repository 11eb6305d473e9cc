package dev.berth.access.token;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.Identities;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.status.Failures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Makes tokens for service accounts.
 *
 * <ol>
 *   <li>Who does not say for whom it is gets one for the server; who does not say for how long, one
 *       for an hour. Ten minutes are the least, a year is the most that anybody gets.
 *   <li>A token may be bound to a pod of the account, to a secret beside it, or to a node; it names
 *       the node of its pod too.
 * </ol>
 */
public final class TokenRequests {
  public static final GroupVersionKind KIND =
      new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest");

  private static final long DEFAULT_SECONDS = 3600;
  private static final String BOUND = "boundObjectRef";
  private static final long LEAST_SECONDS = 600;
  private static final long LARGEST = 1L << 32;
  private static final long MOST_SECONDS = Duration.ofDays(365).toSeconds();

  private final Registry registry;
  private final Jwt jwt;
  private final String issuer;
  private final Identities identities;

  public TokenRequests(Registry registry, ServiceAccountKey key, String issuer) {
    this.registry = registry;
    this.jwt = new Jwt(key);
    this.issuer = issuer;
    this.identities = new Identities(registry.time().random("service-account-tokens"));
  }

  /**
   * Answers a request.
   *
   * @param warn is told what was not done quite as asked
   */
  public JsonObject answer(ObjectName account, JsonObject request, Consumer<String> warn) {
    checkNames(account, Metadata.of(request));
    JsonObject spec = request.object("spec");
    long asked = spec.integer("expirationSeconds").orElse(DEFAULT_SECONDS);
    check(asked);
    JsonObject found =
        registry.get(registry.catalog().get("", "v1", "serviceaccounts"), account).tree();
    long seconds = Math.min(asked, MOST_SECONDS);
    if (seconds < asked) {
      warn.accept(
          "requested expiration of %d seconds shortened to %d seconds".formatted(asked, seconds));
    }
    JsonArray audiences =
        spec.array("audiences").isEmpty() ? JsonArray.of(issuer) : spec.array("audiences");
    Instant now = registry.now();
    Instant end = now.plusSeconds(seconds);
    JsonObject own = own(account, BoundObject.of(found), spec.object(BOUND));
    String token =
        jwt.sign(
            new JsonObject.Builder()
                .put("aud", audiences)
                .put("exp", end.getEpochSecond())
                .put("iat", now.getEpochSecond())
                .put("iss", issuer)
                .put("jti", identities.uid())
                .put("kubernetes.io", own)
                .put("nbf", now.getEpochSecond())
                .put("sub", ServiceAccountUsers.userName(account))
                .build());
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", account.name())
            .put("namespace", account.namespace())
            .put("creationTimestamp", Times.format(now))
            .build();
    return new JsonObject.Builder()
        .put("kind", KIND.kind())
        .put("apiVersion", KIND.apiVersion())
        .put("metadata", metadata)
        .put(
            "spec",
            spec.with("audiences", audiences)
                .with("expirationSeconds", seconds)
                .with(BOUND, Objects.requireNonNullElse(spec.get(BOUND), JsonNull.NULL)))
        .put(
            "status",
            new JsonObject.Builder()
                .put("token", token)
                .put("expirationTimestamp", Times.format(end))
                .build())
        .build();
  }

  /** A request that says for how long, be it that it did not. */
  public static JsonObject withDefaults(JsonObject request) {
    JsonObject spec = request.object("spec");
    return spec.has("expirationSeconds")
        ? request
        : request.with("spec", spec.with("expirationSeconds", DEFAULT_SECONDS));
  }

  private static void checkNames(ObjectName account, Metadata request) {
    String field =
        isOther(request.name(), account.name())
            ? "name"
            : isOther(request.namespace(), account.namespace()) ? "namespace" : "";
    if (!field.isEmpty()) {
      throw Failures.invalid(
          new GroupKind(KIND.group(), KIND.kind()),
          account.name(),
          List.of(
              FieldError.invalid(
                  "metadata." + field,
                  field.equals("name") ? request.name() : request.namespace(),
                  "must match the service account " + field + " if specified")));
    }
  }

  private static boolean isOther(String said, String actual) {
    return !said.isEmpty() && !said.equals(actual);
  }

  private static void check(long seconds) {
    String problem =
        seconds < LEAST_SECONDS
            ? "may not specify a duration less than 10 minutes"
            : seconds > LARGEST ? "may not specify a duration larger than 2^32 seconds" : "";
    if (!problem.isEmpty()) {
      throw Failures.invalid(
          new GroupKind(KIND.group(), KIND.kind()),
          "",
          List.of(FieldError.invalid("spec.expirationSeconds", seconds, problem)));
    }
  }

  /** What Kubernetes itself says in a token. */
  private JsonObject own(ObjectName account, BoundObject found, JsonObject reference) {
    JsonObject own =
        new JsonObject.Builder()
            .put("namespace", account.namespace())
            .put("serviceaccount", found.toClaim())
            .build();
    if (reference.isEmpty()) {
      return own;
    }
    String version = reference.text("apiVersion", "");
    String kind = reference.text("kind", "");
    ObjectName beside = new ObjectName(account.namespace(), reference.text("name", ""));
    if (!version.equals("v1")) {
      throw unbindable(version, kind);
    }
    return switch (kind) {
      case "Pod" -> {
        JsonObject pod = bound("pods", "Pod", beside, reference);
        yield withNode(own.with("pod", BoundObject.of(pod).toClaim()), account, pod);
      }
      case "Secret" ->
          own.with(
              "secret", BoundObject.of(bound("secrets", "Secret", beside, reference)).toClaim());
      case "Node" -> {
        ObjectName node = ObjectName.of(beside.name());
        yield own.with("node", BoundObject.of(bound("nodes", "Node", node, reference)).toClaim());
      }
      default -> throw unbindable(version, kind);
    };
  }

  private JsonObject withNode(JsonObject own, ObjectName account, JsonObject pod) {
    JsonObject spec = pod.object("spec");
    String runsAs = spec.text("serviceAccountName", "");
    if (!runsAs.equals(account.name())) {
      throw Failures.badRequest(
          "cannot bind token for serviceaccount \"%s\" to pod running with different serviceaccount name."
              .formatted(account.name()));
    }
    String node = spec.text("nodeName", "");
    if (node.isEmpty()) {
      return own;
    }
    BoundObject place =
        registry
            .find(registry.catalog().get("", "v1", "nodes"), ObjectName.of(node))
            .map(Stored::tree)
            .map(BoundObject::of)
            .orElse(new BoundObject(node, ""));
    return own.with("node", place.toClaim());
  }

  private JsonObject bound(String plural, String kind, ObjectName name, JsonObject reference) {
    Resource resource = registry.catalog().get("", "v1", plural);
    Registry.checkReadable(name.name());
    JsonObject found = registry.get(resource, name).tree();
    String uid = reference.text("uid", "");
    if (!uid.isEmpty() && !uid.equals(Metadata.of(found).uid())) {
      throw Failures.conflict(
          new GroupResource("", kind),
          name.name(),
          "the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated"
              .formatted(uid));
    }
    return found;
  }

  private static RuntimeException unbindable(String version, String kind) {
    return Failures.badRequest(
        "cannot bind token to object of type %s, Kind=%s".formatted(version, kind));
  }
}
