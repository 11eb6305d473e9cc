package dev.berth.policy.endpoint;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod that a service sends traffic to, as an EndpointSlice lists it.
 *
 * @param addresses of one family, at least one
 * @param ready whether traffic should be sent there
 * @param hostname its name within the service; empty if it has none
 * @param zone of its node; empty if that is in none
 * @param distribution which endpoints the service's clients should prefer: a ready one is hinted
 *     for its own zone, and with {@code PreferSameNode} for its own node as well
 */
record Endpoint(
    EndpointPod pod,
    List<String> addresses,
    boolean ready,
    String hostname,
    String zone,
    String distribution) {
  private static final String SAME_NODE = "PreferSameNode";
  private static final Set<String> CLOSE = Set.of("PreferClose", "PreferSameZone", SAME_NODE);

  JsonObject toTree() {
    JsonObject conditions =
        new JsonObject.Builder()
            .put("ready", ready)
            .put("serving", pod.ready())
            .put("terminating", pod.terminating())
            .build();
    return new JsonObject.Builder()
        .put("addresses", JsonArray.copyOf(addresses))
        .put("conditions", conditions)
        .putIfPresent("hostname", orNull(hostname))
        .put("targetRef", podReference())
        .putIfPresent("nodeName", orNull(pod.nodeName()))
        .putIfPresent("zone", orNull(zone))
        .putIfPresent("hints", hints())
        .build();
  }

  private @Nullable JsonObject hints() {
    if (!ready || !CLOSE.contains(distribution)) {
      return null;
    }
    JsonObject hints = zone.isEmpty() ? JsonObject.EMPTY : JsonObject.of("forZones", named(zone));
    if (distribution.equals(SAME_NODE) && !pod.nodeName().isEmpty()) {
      hints = hints.with("forNodes", named(pod.nodeName()));
    }
    return hints.isEmpty() ? null : hints;
  }

  private static JsonArray named(String name) {
    return JsonArray.of(JsonObject.of("name", name));
  }

  /** The address in an Endpoints object. */
  JsonObject toAddress() {
    return new JsonObject.Builder()
        .put("ip", addresses.getFirst())
        .putIfPresent("hostname", orNull(hostname))
        .putIfPresent("nodeName", orNull(pod.nodeName()))
        .put("targetRef", podReference())
        .build();
  }

  private JsonObject podReference() {
    return new JsonObject.Builder()
        .put("kind", "Pod")
        .put("namespace", pod.namespace())
        .put("name", pod.name())
        .put("uid", pod.uid())
        .build();
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
