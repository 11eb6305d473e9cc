package dev.berth.serving.audit;

import dev.berth.access.Action;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.serving.observe.Observed;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is recorded of a request: the metadata level of {@code audit.k8s.io/v1}. */
final class AuditEvent {
  /** Parameters whose values are secrets, which some clients put where they do not belong. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(^|&)([^=&]*(?:token|password|secret|authorization)[^=&]*)=[^&]*",
          Pattern.CASE_INSENSITIVE);

  private AuditEvent() {}

  static JsonObject of(Observed request, String stage, Instant now) {
    Action action = request.action().orElse(null);
    JsonObject.Builder event =
        new JsonObject.Builder()
            .put("kind", "Event")
            .put("apiVersion", "audit.k8s.io/v1")
            .put("level", "Metadata")
            .put("auditID", request.auditId())
            .put("stage", stage)
            .put("requestURI", uri(request))
            .put("verb", action == null ? request.method().toLowerCase(Locale.ROOT) : action.verb())
            .put("user", request.user().map(AuditEvent::user).orElse(JsonObject.EMPTY));
    request.impersonated().ifPresent(other -> event.put("impersonatedUser", user(other)));
    if (!request.impersonationConstraint().isEmpty()) {
      event.put(
          "authenticationMetadata",
          JsonObject.of("impersonationConstraint", request.impersonationConstraint()));
    }
    event.put("sourceIPs", sources(request));
    request.header("User-Agent").ifPresent(agent -> event.put("userAgent", agent));
    if (action instanceof Action.OnResource on) {
      event.put("objectRef", object(request, on));
    }
    return event
        .put(
            "responseStatus",
            new JsonObject.Builder()
                .put("metadata", JsonObject.EMPTY)
                .put("code", (long) request.status())
                .build())
        .put("requestReceivedTimestamp", Times.formatMicro(request.received()))
        .put("stageTimestamp", Times.formatMicro(now))
        .put("annotations", annotations(request, action))
        .build();
  }

  private static String uri(Observed request) {
    String query =
        request.query().map(raw -> "?" + SECRET.matcher(raw).replaceAll("$1$2=-")).orElse("");
    return request.path() + query;
  }

  private static JsonObject user(User user) {
    return new JsonObject.Builder()
        .put("username", user.name())
        .put("groups", JsonArray.copyOf(user.groups()))
        .build();
  }

  /** Proxies say who asked them; only the last address is certain. */
  private static JsonArray sources(Observed request) {
    Set<String> addresses = new LinkedHashSet<>();
    for (String field : request.headers("X-Forwarded-For")) {
      for (String address : field.split(",", -1)) {
        if (!address.isBlank()) {
          addresses.add(address.strip());
        }
      }
    }
    if (request.remoteAddress() instanceof InetSocketAddress remote) {
      addresses.add(
          remote.isUnresolved() ? remote.getHostString() : remote.getAddress().getHostAddress());
    }
    return JsonArray.copyOf(List.copyOf(addresses));
  }

  private static JsonObject object(Observed request, Action.OnResource on) {
    JsonObject.Builder object = new JsonObject.Builder().put("resource", on.resource().resource());
    put(object, "namespace", on.namespace());
    put(object, "name", request.name());
    put(object, "apiGroup", on.resource().group());
    put(object, "apiVersion", request.version());
    put(object, "subresource", on.subresource());
    return object.build();
  }

  private static void put(JsonObject.Builder object, String name, String value) {
    if (!value.isEmpty()) {
      object.put(name, value);
    }
  }

  private static JsonObject annotations(Observed request, @Nullable Action action) {
    if (action == null || request.user().isEmpty()) {
      return JsonObject.EMPTY;
    }
    JsonObject.Builder annotations =
        new JsonObject.Builder()
            .put("authorization.k8s.io/decision", request.isAllowed() ? "allow" : "forbid")
            .put("authorization.k8s.io/reason", request.reason());
    request.annotations().forEach(annotations::put);
    return annotations.build();
  }
}
