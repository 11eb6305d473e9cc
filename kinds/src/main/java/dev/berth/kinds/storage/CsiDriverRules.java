package dev.berth.kinds.storage;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a driver of volumes can do, and what it wants. */
final class CsiDriverRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> GROUP_POLICIES =
      List.of("File", "None", "ReadWriteOnceWithFSType");
  private static final List<String> LIFECYCLES = List.of("Persistent", "Ephemeral");
  private static final long SHORTEST_TOKEN_SECONDS = 600;
  private static final long LONGEST_TOKEN_SECONDS = 1L << 32;
  private static final long SHORTEST_UPDATE_SECONDS = 10;

  @Override
  public JsonObject defaults(JsonObject driver) {
    return FieldRules.within(
        driver,
        "spec",
        spec -> {
          JsonObject filled =
              spec.withMissing(
                  new JsonObject.Builder()
                      .put("attachRequired", true)
                      .put("podInfoOnMount", false)
                      .put("storageCapacity", false)
                      .put("fsGroupPolicy", "ReadWriteOnceWithFSType")
                      .put("requiresRepublish", false)
                      .put("seLinuxMount", false)
                      .build());
          return filled.array("volumeLifecycleModes").isEmpty()
              ? filled.with("volumeLifecycleModes", JsonArray.of("Persistent"))
              : filled;
        });
  }

  /** Nobody keeps pods from nodes without a driver by default, so nobody can ask for it. */
  @Override
  public JsonObject prepareForCreate(JsonObject driver, Instant now) {
    return driver.with("spec", driver.object("spec").without("preventPodSchedulingIfMissing"));
  }

  @Override
  public List<FieldError> validate(JsonObject driver) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = driver.object("spec");
    problems.oneOf(SPEC.field("fsGroupPolicy"), spec.text("fsGroupPolicy", ""), GROUP_POLICIES);
    tokens(spec.array("tokenRequests").objects(), problems);
    for (String mode : spec.array("volumeLifecycleModes").texts()) {
      problems.oneOf(SPEC.field("volumeLifecycleModes"), mode, LIFECYCLES);
    }
    long period =
        spec.integer("nodeAllocatableUpdatePeriodSeconds").orElse(SHORTEST_UPDATE_SECONDS);
    if (period < SHORTEST_UPDATE_SECONDS) {
      problems.invalid(
          SPEC.field("nodeAllocatableUpdatePeriodSeconds"),
          period,
          "must be greater than or equal to 10 seconds");
    }
    Object inSecrets = spec.get("serviceAccountTokenInSecrets");
    if (inSecrets != null && spec.array("tokenRequests").isEmpty()) {
      problems.invalid(
          SPEC.field("serviceAccountTokenInSecrets"),
          inSecrets,
          "serviceAccountTokenInSecrets is set but no tokenRequests are specified");
    }
    return problems.all();
  }

  private static void tokens(List<JsonObject> requests, FieldErrorList problems) {
    Set<String> audiences = new HashSet<>();
    for (int i = 0; i < requests.size(); i++) {
      FieldPath at = SPEC.field("tokenRequests").index(i);
      String audience = requests.get(i).text("audience", "");
      if (!audiences.add(audience)) {
        problems.duplicate(at.field("audience"), audience);
        continue;
      }
      long seconds = requests.get(i).integer("expirationSeconds").orElse(SHORTEST_TOKEN_SECONDS);
      if (seconds < SHORTEST_TOKEN_SECONDS) {
        problems.invalid(
            at.field("expirationSeconds"),
            seconds,
            "may not specify a duration less than 10 minutes");
      }
      if (seconds > LONGEST_TOKEN_SECONDS) {
        problems.invalid(
            at.field("expirationSeconds"),
            seconds,
            "may not specify a duration larger than 2^32 seconds");
      }
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject driver, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    // Upstream names a field that does not exist, and clients may know its name by now.
    FieldRules.immutable(SPEC.field("attachRequired"), driver, old)
        .forEach(error ->
            errors.add(
                new FieldError(
                    error.reason(), "spec.attachedRequired", error.value(), error.detail())));
    errors.addAll(FieldRules.immutable(SPEC.field("volumeLifecycleModes"), driver, old));
    return errors;
  }
}
