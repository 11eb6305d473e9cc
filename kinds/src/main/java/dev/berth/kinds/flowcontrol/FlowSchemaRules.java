package dev.berth.kinds.flowcontrol;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Flow schemas: which requests they match is for {@link PolicyRuleValidation}. */
final class FlowSchemaRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> DISTINGUISHERS = List.of("ByNamespace", "ByUser");
  private static final long DEFAULT_PRECEDENCE = 1_000;
  private static final long HIGHEST_PRECEDENCE = 10_000;

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return ResourceRules.statusAlone(object, old);
  }

  @Override
  public JsonObject defaults(JsonObject schema) {
    JsonObject spec = schema.object("spec");
    return spec.integer("matchingPrecedence").orElse(0) == 0
        ? schema.with("spec", spec.with("matchingPrecedence", DEFAULT_PRECEDENCE))
        : schema;
  }

  @Override
  public List<FieldError> validate(JsonObject schema) {
    List<FieldError> errors = new ArrayList<>();
    String name = Metadata.of(schema).name();
    JsonObject spec = schema.object("spec");
    precedence(name, spec, errors);
    if (spec.has("distinguisherMethod")) {
      String type = spec.object("distinguisherMethod").text("type", "");
      if (!DISTINGUISHERS.contains(type)) {
        errors.add(
            FieldError.notSupported(
                SPEC.field("distinguisherMethod").field("type").toString(),
                JsonObject.of("Type", type),
                DISTINGUISHERS));
      }
    }
    level(spec.object("priorityLevelConfiguration").text("name", ""), errors);
    List<JsonObject> rules = spec.array("rules").objects();
    for (int i = 0; i < rules.size(); i++) {
      PolicyRuleValidation.validate(SPEC.field("rules").index(i), rules.get(i), errors);
    }
    BootstrapFlowControl.mandatorySchema(name)
        .filter(fixed -> !fixed.object("spec").equals(spec))
        .ifPresent(_ ->
            errors.add(
                FieldError.invalid(
                    "spec", spec, "spec of '%s' must equal the fixed value".formatted(name))));
    errors.addAll(ConditionRules.validate(schema));
    return errors;
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject schema, JsonObject old) {
    return ConditionRules.validate(schema);
  }

  private static void precedence(String name, JsonObject spec, List<FieldError> errors) {
    String path = SPEC.field("matchingPrecedence").toString();
    long precedence = spec.integer("matchingPrecedence").orElse(0);
    if (precedence <= 0) {
      errors.add(FieldError.invalid(path, precedence, "must be a positive value"));
    }
    if (precedence > HIGHEST_PRECEDENCE) {
      errors.add(
          FieldError.invalid(path, precedence, "must not be greater than " + HIGHEST_PRECEDENCE));
    }
    if (precedence == 1 && !name.equals(BootstrapFlowControl.EXEMPT)) {
      errors.add(
          FieldError.invalid(
              path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
    }
  }

  private static void level(String level, List<FieldError> errors) {
    String path = SPEC.field("priorityLevelConfiguration").field("name").toString();
    if (level.isEmpty()) {
      errors.add(FieldError.required(path, "must reference a priority level"));
    }
    if (!level.isEmpty()) {
      NameRules.dns1123Subdomain(level)
          .forEach(problem -> errors.add(FieldError.invalid(path, level, problem)));
    }
  }
}
