package dev.berth.kinds.devices;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;

/** Claims on devices: what is asked for never changes; the scheduler and drivers write the rest. */
final class ResourceClaimRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");

  @Override
  public JsonObject defaults(JsonObject claim) {
    return claim.has("spec")
        ? claim.with("spec", DeviceClaims.defaults(claim.object("spec")))
        : claim;
  }

  @Override
  public List<FieldError> validate(JsonObject claim) {
    FieldErrorList problems = new FieldErrorList();
    new DeviceClaims(problems).validate(claim.object("spec"), SPEC);
    return problems.all();
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject claim, JsonObject old) {
    return List.of();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject claim, JsonObject old) {
    return FieldRules.immutable(SPEC, InternalForm.as("ResourceClaimSpec"), claim, old);
  }

  /** What drivers say of devices goes with the devices. */
  @Override
  public JsonObject throughSubresource(String subresource, JsonObject claim, JsonObject old) {
    JsonObject changed = ResourceRules.statusAlone(claim, old);
    JsonObject status = changed.object("status");
    if (!status.has("devices")) {
      return changed;
    }
    Set<String> gone = ClaimStatusValidation.allocated(old.object("status"));
    gone.removeAll(ClaimStatusValidation.allocated(status));
    List<JsonObject> kept =
        status.array("devices").objects().stream()
            .filter(device -> !gone.contains(ClaimStatusValidation.identity(device)))
            .toList();
    return changed.with(
        "status",
        kept.isEmpty()
            ? status.without("devices")
            : status.with("devices", JsonArray.copyOf(kept)));
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject claim, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    new ClaimStatusValidation(problems).validate(claim, old);
    return problems.all();
  }
}
