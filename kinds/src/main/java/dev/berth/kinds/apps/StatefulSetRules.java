package dev.berth.kinds.apps;

import dev.berth.kinds.pod.ClaimSpecValidation;
import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.pod.PodTemplateValidation;
import dev.berth.kinds.pod.PodValidationOptions;
import dev.berth.kinds.pod.VolumeDefaults;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Stateful sets: little of their specification may change, since their pods keep their state. */
final class StatefulSetRules extends WorkloadRules {
  private static final List<String> MAY_CHANGE =
      List.of(
          "replicas",
          "ordinals",
          "template",
          "updateStrategy",
          "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy",
          "minReadySeconds");
  private static final List<String> RETENTION = List.of("Retain", "Delete");

  StatefulSetRules(TolerationRules tolerations) {
    super(tolerations);
  }

  @Override
  JsonObject ownDefaults(JsonObject spec) {
    JsonObject filled = FieldRules.ifEmpty(spec, "podManagementPolicy", "OrderedReady");
    filled = FieldRules.within(filled, "updateStrategy", StatefulSetRules::strategyDefaults);
    filled =
        FieldRules.within(
            filled,
            "persistentVolumeClaimRetentionPolicy",
            p ->
                FieldRules.ifEmpty(
                    FieldRules.ifEmpty(p, "whenDeleted", "Retain"), "whenScaled", "Retain"));
    filled = FieldRules.orDefault(filled, "replicas", 1L);
    filled = FieldRules.orDefault(filled, "revisionHistoryLimit", 10L);
    return FieldRules.each(filled, "volumeClaimTemplates", StatefulSetRules::claimDefaults);
  }

  /** Who names the strategy and not its steps gets none. */
  private static JsonObject strategyDefaults(JsonObject strategy) {
    JsonObject filled = strategy;
    if (strategy.text("type", "").isEmpty()) {
      filled =
          FieldRules.orDefault(
              strategy.with("type", "RollingUpdate"), "rollingUpdate", JsonObject.EMPTY);
    }
    return filled.text("type", "").equals("RollingUpdate")
        ? FieldRules.present(
            filled, "rollingUpdate", rolling -> FieldRules.orDefault(rolling, "partition", 0L))
        : filled;
  }

  private static JsonObject claimDefaults(JsonObject claim) {
    JsonObject filled = claim.with("apiVersion", "v1").with("kind", "PersistentVolumeClaim");
    filled = FieldRules.within(filled, "spec", VolumeDefaults::claim);
    return FieldRules.within(
        filled, "status", status -> FieldRules.ifEmpty(status, "phase", "Pending"));
  }

  @Override
  void validate(JsonObject spec, PodValidationOptions allowed, FieldErrorList problems) {
    validate(spec, allowed, Strictness.NEW, problems);
  }

  /** How much is looked at: what was let in before, and cannot change, is not looked at again. */
  private enum Strictness {
    NEW,
    REPLACING,
    REPLACING_INVALID
  }

  private static void validate(
      JsonObject spec,
      PodValidationOptions allowed,
      Strictness strictness,
      FieldErrorList problems) {
    String management = spec.text("podManagementPolicy", "");
    if (management.isEmpty()) {
      problems.required(SPEC.field("podManagementPolicy"), "");
    } else if (!management.equals("OrderedReady") && !management.equals("Parallel")) {
      problems.invalid(
          SPEC.field("podManagementPolicy"), management, "must be 'OrderedReady' or 'Parallel'");
    }
    strategy(spec.object("updateStrategy"), SPEC.field("updateStrategy"), problems);
    JsonObject retention = spec.object("persistentVolumeClaimRetentionPolicy");
    for (String field : List.of("whenDeleted", "whenScaled")) {
      problems.oneOf(
          SPEC.field("persistentVolumeClaimRetentionPolicy").field(field),
          retention.text(field, ""),
          RETENTION);
    }
    List<JsonObject> claims = spec.array("volumeClaimTemplates").objects();
    for (int i = 0; i < claims.size() && strictness == Strictness.NEW; i++) {
      ClaimSpecValidation.validate(
          claims.get(i).object("spec"),
          SPEC.field("volumeClaimTemplates").index(i).field("spec"),
          problems);
    }
    problems.notNegative(spec, "replicas", SPEC);
    problems.notNegative(spec, "minReadySeconds", SPEC);
    problems.notNegative(spec.object("ordinals"), "start", SPEC.field("ordinals"));
    String service = spec.text("serviceName", "");
    if (!service.isEmpty() && strictness == Strictness.NEW) {
      problems.invalid(SPEC.field("serviceName"), service, NameRules.dns1123Label(service));
    }
    selectorAndPods(spec, allowed, strictness, problems);
    PodTemplateValidation.alwaysRestarts(
        spec.object("template").object("spec"), "StatefulSet", TEMPLATE.field("spec"), problems);
  }

  private static void selectorAndPods(
      JsonObject spec,
      PodValidationOptions allowed,
      Strictness strictness,
      FieldErrorList problems) {
    FieldPath at = SPEC.field("selector");
    JsonObject selector = spec.object("selector");
    if (!spec.has("selector")) {
      problems.required(at, "");
    }
    List<FieldError> wrong = LabelSelectorForm.validate(selector, at.toString());
    problems.addAll(wrong);
    if (spec.has("selector") && isEmpty(selector)) {
      problems.invalid(at, selector, "empty selector is invalid for statefulset");
    }
    if (!wrong.isEmpty()) {
      problems.invalid(at, selector, "");
      return;
    }
    selected(spec, problems);
    JsonObject template = asItsPodsAre(spec);
    if (strictness != Strictness.REPLACING_INVALID) {
      PodTemplateValidation.validate(template, TEMPLATE, allowed, problems);
    }
    PodTemplateValidation.metadata(template, TEMPLATE, allowed, problems);
  }

  /** Names are the controller's to give, and claims become volumes of their names. */
  private static JsonObject asItsPodsAre(JsonObject spec) {
    JsonObject pod =
        spec.object("template").object("spec").without("subdomain").without("hostname");
    Map<String, JsonObject> claims = new LinkedHashMap<>();
    for (JsonObject claim : spec.array("volumeClaimTemplates").objects()) {
      String name = Metadata.of(claim).name();
      claims.put(
          name,
          new JsonObject.Builder()
              .put("name", name)
              .put("persistentVolumeClaim", JsonObject.of("claimName", name))
              .build());
    }
    if (!claims.isEmpty()) {
      List<JsonObject> volumes = new ArrayList<>(claims.values());
      pod.array("volumes").objects().stream()
          .filter(volume -> !claims.containsKey(volume.text("name", "")))
          .forEach(volumes::add);
      pod = pod.with("volumes", JsonArray.copyOf(volumes));
    }
    return spec.object("template").with("spec", pod);
  }

  private static void strategy(JsonObject strategy, FieldPath at, FieldErrorList problems) {
    FieldPath place = at.field("rollingUpdate");
    JsonObject rolling = strategy.object("rollingUpdate");
    switch (strategy.text("type", "")) {
      case "" -> problems.required(at, "");
      case "OnDelete" -> {
        if (strategy.has("rollingUpdate")) {
          problems.invalid(
              place,
              InternalForm.of("RollingUpdateStatefulSetStrategy", rolling),
              "only allowed for updateStrategy 'RollingUpdate'");
        }
      }
      case "RollingUpdate" -> {
        problems.notNegative(rolling, "partition", place);
        if (rolling.has("maxUnavailable")) {
          RollingSteps.notNegative(rolling, "maxUnavailable", place, problems);
          if (RollingSteps.isZero(rolling, "maxUnavailable")) {
            problems.invalid(
                place.field("maxUnavailable"),
                RollingSteps.shown(rolling, "maxUnavailable"),
                "cannot be 0");
          }
          RollingSteps.atMostAll(rolling, "maxUnavailable", place, problems);
        }
      }
      default ->
          problems.invalid(
              at,
              InternalForm.of("StatefulSetUpdateStrategy", strategy),
              "must be 'RollingUpdate' or 'OnDelete'");
    }
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject object, JsonObject old) {
    PodValidationOptions allowed = options(old);
    FieldErrorList before = new FieldErrorList();
    validate(old.object("spec"), allowed, Strictness.REPLACING, before);
    FieldErrorList problems = new FieldErrorList();
    validate(
        object.object("spec"),
        allowed,
        before.size() > 0 ? Strictness.REPLACING_INVALID : Strictness.REPLACING,
        problems);
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    JsonObject expected = old.object("spec");
    for (String field : MAY_CHANGE) {
      expected = FieldRules.keep(field, expected, object.object("spec"));
    }
    return expected.equals(object.object("spec"))
        ? List.of()
        : List.of(
            FieldError.forbidden(
                "spec",
                "updates to statefulset spec for fields other than 'replicas', 'ordinals',"
                    + " 'template', 'updateStrategy', 'revisionHistoryLimit',"
                    + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are"
                    + " forbidden"));
  }

  @Override
  void validateStatus(JsonObject status, JsonObject old, FieldErrorList problems) {
    counts(
        status,
        List.of(
            "replicas",
            "readyReplicas",
            "currentReplicas",
            "updatedReplicas",
            "availableReplicas",
            "observedGeneration",
            "collisionCount"),
        problems);
    atMost(
        status,
        List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
        "replicas",
        "status.replicas",
        problems);
    atMost(status, List.of("availableReplicas"), "readyReplicas", "status.readyReplicas", problems);
    collisions(status, old, problems);
  }
}
