package dev.berth.admission;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Conditions of a certificate signing request say since when they are so, whether or not whoever
 * sets them does: by these times the request is deleted one day. Not a policy that could be turned
 * off.
 */
final class CertificateConditionTimes implements AdmissionPlugin {
  private static final String UPDATE = "lastUpdateTime";
  private static final String TRANSITION = "lastTransitionTime";

  private final Supplier<Instant> clock;

  CertificateConditionTimes(Supplier<Instant> clock) {
    this.clock = clock;
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.subresource().isEmpty()
        || !request.resource().kind().group().equals(RequesterIdentity.GROUP)
        || !request.resource().plural().equals(RequesterIdentity.PLURAL)) {
      return request.object();
    }
    JsonObject status = request.object().object("status");
    JsonArray conditions = status.array("conditions");
    JsonArray before = request.old().object("status").array("conditions");
    JsonArray dated = conditions;
    for (int i = 0; i < conditions.size(); i++) {
      dated = dated.with(i, dated(conditions.objects().get(i), before));
    }
    return dated.equals(conditions)
        ? request.object()
        : request.object().with("status", status.with("conditions", dated));
  }

  private JsonObject dated(JsonObject condition, JsonArray before) {
    String now = Times.format(clock.get());
    JsonObject dated = condition;
    if (condition.text(UPDATE, "").isEmpty()) {
      dated = dated.with(UPDATE, now);
    }
    if (condition.text(TRANSITION, "").isEmpty()) {
      Optional<String> since =
          Conditions.find(before, condition.text("type", ""))
              .filter(old -> old.text("status", "").equals(condition.text("status", "")))
              .map(old -> old.text(TRANSITION, ""))
              .filter(time -> !time.isEmpty());
      dated = dated.with(TRANSITION, since.orElse(now));
    }
    return dated;
  }
}
