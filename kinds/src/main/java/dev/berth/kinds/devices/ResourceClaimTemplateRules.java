package dev.berth.kinds.devices;

import dev.berth.kinds.pod.ClaimSpecValidation;
import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What the claims of pods are made from, which never changes. */
final class ResourceClaimTemplateRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");

  @Override
  public JsonObject defaults(JsonObject template) {
    JsonObject spec = template.object("spec");
    return spec.has("spec")
        ? template.with("spec", spec.with("spec", DeviceClaims.defaults(spec.object("spec"))))
        : template;
  }

  @Override
  public List<FieldError> validate(JsonObject template) {
    FieldErrorList problems = new FieldErrorList();
    ClaimSpecValidation.templateMetadata(
        template.object("spec").object("metadata"), SPEC.field("metadata"), problems);
    new DeviceClaims(problems).validate(template.object("spec").object("spec"), SPEC.field("spec"));
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject template, JsonObject old) {
    return FieldRules.immutable(SPEC, InternalForm.as("ResourceClaimTemplateSpec"), template, old);
  }
}
