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
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** What is recorded of a request: an Event of {@code audit.k8s.io/v1}. */
final class AuditEvent {
  /** Parameters whose values are secrets, which some clients put where they do not belong. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(^|&)([^=&]*(?:token|password|secret|authorization)[^=&]*)=[^&]*",
          Pattern.CASE_INSENSITIVE);

  private static final int FIRST_ERROR = 400;

  private AuditEvent() {}

  /** What a request wants; for one that nobody could make sense of, something with its path. */
  static Action action(Observed request) {
    return request
        .action()
        .orElseGet(
            () -> new Action.OnPath(request.method().toLowerCase(Locale.ROOT), request.path()));
  }

  static JsonObject of(Observed request, AuditStage stage, AuditDecision decision, Instant now) {
    Action action = action(request);
    JsonObject.Builder event =
        new JsonObject.Builder()
            .put("kind", "Event")
            .put("apiVersion", "audit.k8s.io/v1")
            .put("level", decision.level().word())
            .put("auditID", request.auditId())
            .put("stage", stage.word())
            .put("requestURI", uri(request))
            .put("verb", action.verb())
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
    if (stage != AuditStage.REQUEST_RECEIVED) {
      event.put("responseStatus", status(request, stage, decision));
    }
    if (action instanceof Action.OnResource) {
      putBodies(event, request, stage, decision);
    }
    return event
        .put("requestReceivedTimestamp", Times.formatMicro(request.received()))
        .put("stageTimestamp", Times.formatMicro(now))
        .put("annotations", annotations(request))
        .build();
  }

  private static String uri(Observed request) {
    String query =
        request.query().map(raw -> "?" + SECRET.matcher(raw).replaceAll("$1$2=-")).orElse("");
    return request.path() + query;
  }

  private static JsonObject user(User user) {
    JsonObject.Builder shown = new JsonObject.Builder().put("username", user.name());
    put(shown, "uid", user.uid());
    shown.put("groups", JsonArray.copyOf(user.groups()));
    if (!user.extra().isEmpty()) {
      JsonObject.Builder extra = new JsonObject.Builder();
      user.extra().forEach((key, values) -> extra.put(key, JsonArray.copyOf(values)));
      shown.put("extra", extra.build());
    }
    return shown.build();
  }

  /** The code; of a failure also what the client was told. */
  private static JsonObject status(Observed request, AuditStage stage, AuditDecision decision) {
    JsonObject.Builder status = new JsonObject.Builder().put("metadata", JsonObject.EMPTY);
    if (stage == AuditStage.PANIC) {
      status
          .put("status", "Failure")
          .put("message", "APIServer panic'd")
          .put("reason", "InternalError");
    } else if (decision.failureMessages()
        && request.status() >= FIRST_ERROR
        && AuditBodies.answer(request.bodies()).orElse(null) instanceof JsonObject told
        && "Status".equals(told.get("kind"))) {
      for (String field : List.of("status", "message", "reason", "details")) {
        if (told.get(field) != null) {
          status.put(field, Objects.requireNonNull(told.get(field)));
        }
      }
    }
    return status.put("code", (long) request.status()).build();
  }

  private static void putBodies(
      JsonObject.Builder event, Observed request, AuditStage stage, AuditDecision decision) {
    if (decision.level().includes(AuditLevel.REQUEST)) {
      request.bodies().sent().ifPresent(sent -> event.put("requestObject", shown(sent, decision)));
    }
    if (decision.level().includes(AuditLevel.REQUEST_RESPONSE)
        && stage == AuditStage.RESPONSE_COMPLETE) {
      AuditBodies.answer(request.bodies())
          .ifPresent(answer -> event.put("responseObject", shown(answer, decision)));
    }
  }

  private static Object shown(Object body, AuditDecision decision) {
    return decision.omitManagedFields() ? AuditBodies.withoutManagedFields(body) : body;
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

  private static JsonObject annotations(Observed request) {
    if (request.action().isEmpty() || request.user().isEmpty()) {
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
