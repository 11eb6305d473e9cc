package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.List;

/** Templates that stand alone, which nothing makes pods from. */
public final class PodTemplateRules implements ResourceRules {
  private static final FieldPath TEMPLATE = FieldPath.of("template");

  private final PodValidationOptions options;

  /**
   * @param tolerations what the tolerations of a new template may say
   */
  public PodTemplateRules(TolerationRules tolerations) {
    this.options = PodValidationOptions.of(false, tolerations);
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    return PodSpecDefaults.withTemplate(object);
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object, Instant now) {
    return prepareForUpdate(object, JsonObject.EMPTY, now);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Instant now) {
    return FieldRules.present(
        object,
        "template",
        template -> DisabledFields.dropFromTemplate(template, old.object("template")));
  }

  @Override
  public List<FieldError> validate(JsonObject object) {
    return validate(object, options);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject object, JsonObject old) {
    return validate(object, options.replacingTemplate(old.object("template")));
  }

  private static List<FieldError> validate(JsonObject object, PodValidationOptions allowed) {
    FieldErrorList problems = new FieldErrorList();
    PodTemplateValidation.validate(object.object("template"), TEMPLATE, allowed, problems);
    return problems.all();
  }
}
