package dev.berth.kinds.pod;

import static dev.berth.kinds.resource.FieldRules.each;
import static dev.berth.kinds.resource.FieldRules.keep;
import static dev.berth.kinds.resource.FieldRules.present;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the server adds to pods that are made, and keeps of those whose status is written. */
final class PodPreparation {
  private static final List<String> TERMS =
      List.of(
          "requiredDuringSchedulingIgnoredDuringExecution",
          "preferredDuringSchedulingIgnoredDuringExecution");
  private static final String LOCALHOST = "localhost/";

  private PodPreparation() {}

  /** Why a pod that waits for gates is not scheduled. */
  static JsonObject gated(Instant now) {
    return new JsonObject.Builder()
        .put("type", "PodScheduled")
        .put("status", "False")
        .put("lastTransitionTime", Times.format(now))
        .put("reason", "SchedulingGated")
        .put("message", "Scheduling is blocked due to non-empty scheduling gates")
        .build();
  }

  /** The selectors of affinity and spread with the pod's own values of the keys that they name. */
  static JsonObject withLabelKeys(JsonObject spec, JsonObject labels) {
    JsonObject filled =
        present(
            spec,
            "affinity",
            affinity -> {
              JsonObject changed = affinity;
              for (String kind : List.of("podAffinity", "podAntiAffinity")) {
                changed = present(changed, kind, terms -> withLabels(terms, labels));
              }
              return changed;
            });
    return each(filled, "topologySpreadConstraints", term -> selector(term, labels));
  }

  private static JsonObject withLabels(JsonObject terms, JsonObject labels) {
    JsonObject required = each(terms, TERMS.getFirst(), term -> selector(term, labels));
    return each(
        required,
        TERMS.getLast(),
        weighted -> present(weighted, "podAffinityTerm", term -> selector(term, labels)));
  }

  private static JsonObject selector(JsonObject term, JsonObject labels) {
    if (!term.has("labelSelector")) {
      return term;
    }
    List<Object> expressions =
        new ArrayList<>(term.object("labelSelector").array("matchExpressions").values());
    int before = expressions.size();
    add(term.array("matchLabelKeys").texts(), "In", labels, expressions);
    add(term.array("mismatchLabelKeys").texts(), "NotIn", labels, expressions);
    return expressions.size() == before
        ? term
        : term.with(
            "labelSelector",
            term.object("labelSelector").with("matchExpressions", JsonArray.copyOf(expressions)));
  }

  private static void add(
      List<String> keys, String operator, JsonObject labels, List<Object> expressions) {
    for (String key : keys) {
      String value = labels.text(key);
      if (value != null) {
        expressions.add(
            new JsonObject.Builder()
                .put("key", key)
                .put("operator", operator)
                .put("values", JsonArray.of(value))
                .build());
      }
    }
  }

  /** The profiles that annotations name, in the fields that took their place. */
  static JsonObject withAppArmor(JsonObject spec, JsonObject annotations) {
    if (spec.object("os").text("name", "").equals("windows")
        || annotations.names().stream()
            .noneMatch(key -> key.startsWith(PodAnnotationsValidation.APP_ARMOR))) {
      return spec;
    }
    JsonObject ofPod = spec.object("securityContext").object("appArmorProfile");
    JsonObject filled = spec;
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      filled =
          each(
              filled,
              list,
              container -> {
                String key = PodAnnotationsValidation.APP_ARMOR + container.text("name", "");
                JsonObject profile = appArmorProfile(annotations.text(key, ""));
                boolean own = container.object("securityContext").has("appArmorProfile");
                return own || profile.isEmpty() || profile.equals(ofPod)
                    ? container
                    : container.with(
                        "securityContext",
                        container.object("securityContext").with("appArmorProfile", profile));
              });
    }
    return filled;
  }

  /** The field that says what an annotation does; empty if none can. */
  static JsonObject appArmorProfile(String annotation) {
    JsonObject profile =
        switch (annotation) {
          case "unconfined" -> JsonObject.of("type", "Unconfined");
          case "runtime/default" -> JsonObject.of("type", "RuntimeDefault");
          default ->
              annotation.startsWith(LOCALHOST)
                  ? JsonObject.of("type", "Localhost")
                      .with("localhostProfile", annotation.substring(LOCALHOST.length()))
                  : JsonObject.EMPTY;
        };
    FieldErrorList wrong = new FieldErrorList();
    if (!profile.isEmpty()) {
      SecurityValidation.appArmorProfile(profile, FieldPath.ROOT, wrong);
    }
    return wrong.size() > 0 ? JsonObject.EMPTY : profile;
  }

  /** A pod with a status that is written; who owns it is not its node's to change. */
  static JsonObject status(JsonObject object, JsonObject old) {
    JsonObject metadata =
        keep("ownerReferences", object.object("metadata"), old.object("metadata"));
    JsonObject before = old.object("status");
    JsonObject status = object.object("status");
    if (status.text("qosClass", "").isEmpty()) {
      status = keep("qosClass", status, before);
    }
    if (status.integer("observedGeneration").orElse(0) == 0) {
      status = keep("observedGeneration", status, before);
    }
    status = addresses(generations(status, before));
    JsonObject changed = old.with("metadata", metadata);
    return status.isEmpty() && !object.has("status")
        ? changed.without("status")
        : changed.with("status", status);
  }

  /** The address that every client knows is the first of all; where they differ it counts. */
  private static JsonObject addresses(JsonObject status) {
    String address = status.text("podIP", "");
    List<JsonObject> all = status.array("podIPs").objects();
    String first = all.isEmpty() ? "" : all.getFirst().text("ip", "");
    if (address.equals(first)) {
      return status;
    }
    return address.isEmpty()
        ? status.with("podIP", first)
        : status.with("podIPs", JsonArray.of(JsonObject.of("ip", address)));
  }

  /** Conditions say of which generation they are, even if who writes them does not know that. */
  private static JsonObject generations(JsonObject status, JsonObject before) {
    Map<String, List<Long>> known = new HashMap<>();
    for (JsonObject condition : before.array("conditions").objects()) {
      known
          .computeIfAbsent(condition.text("type", ""), _ -> new ArrayList<>())
          .add(condition.integer("observedGeneration").orElse(0));
    }
    return each(
        status,
        "conditions",
        condition -> {
          List<Long> left = known.getOrDefault(condition.text("type", ""), List.of());
          long generation = left.isEmpty() ? 0 : left.removeFirst();
          boolean set = condition.integer("observedGeneration").orElse(0) != 0;
          return set || generation == 0
              ? condition
              : condition.with("observedGeneration", generation);
        });
  }
}
