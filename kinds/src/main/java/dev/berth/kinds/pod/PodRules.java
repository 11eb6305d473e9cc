package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.TreeMemo;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.List;

/** Pods: hardly changed once they are made, and given time to end. */
final class PodRules implements ResourceRules {
  static final String EPHEMERAL_CONTAINERS = "ephemeralcontainers";
  static final String RESIZE = "resize";
  static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");

  /** What is worked out once for all pods of a template. */
  private static final TreeMemo<JsonObject> DEFAULTS = new TreeMemo<>(PodDefaults::of);

  private static final TreeMemo<Begun> BEGUN = new TreeMemo<>(PodRules::begun);

  private final PodValidationOptions options;

  /** Whether nothing is wrong with the specification of a pod without annotations. */
  private final TreeMemo<Boolean> valid = new TreeMemo<>(this::isValid);

  /**
   * What a new pod begins with.
   *
   * @param qos its class of service
   * @param spec without what is turned off
   */
  private record Begun(String qos, JsonObject spec) {}

  /**
   * @param tolerations what the tolerations of a new pod may say
   */
  PodRules(TolerationRules tolerations) {
    this.options = PodValidationOptions.of(true, tolerations);
  }

  @Override
  public JsonObject defaults(JsonObject pod) {
    return FieldRules.within(pod, "spec", DEFAULTS::of);
  }

  private static Begun begun(JsonObject spec) {
    // Judged by what is well formed: amounts that are not are refused when the pod is validated.
    String qos = Qos.of(PodSpecView.read(spec)).text();
    return new Begun(qos, DisabledFields.drop(spec, JsonObject.EMPTY));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject pod, Instant now) {
    Begun begun = BEGUN.of(pod.object("spec"));
    JsonObject status =
        new JsonObject.Builder().put("phase", "Pending").put("qosClass", begun.qos).build();
    JsonObject spec = begun.spec;
    if (!spec.array("schedulingGates").isEmpty()) {
      status = status.with("conditions", JsonArray.of(PodPreparation.gated(now)));
    }
    JsonObject metadata = pod.object("metadata");
    spec = PodPreparation.withLabelKeys(spec, metadata.object("labels"));
    spec = PodPreparation.withAppArmor(spec, metadata.object("annotations"));
    return pod.with("spec", spec).with("status", status);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject pod, JsonObject old, Instant now) {
    return FieldRules.within(pod, "spec", spec -> DisabledFields.drop(spec, old.object("spec")));
  }

  @Override
  public List<FieldError> validate(JsonObject pod) {
    boolean known = annotations(pod).isEmpty() && !namesClaims(pod) && valid.of(pod.object("spec"));
    return known ? List.of() : problems(pod);
  }

  /** Whether claims are made for the pod's volumes, whose names begin with its own. */
  private static boolean namesClaims(JsonObject pod) {
    for (JsonObject volume : pod.object("spec").array("volumes").objects()) {
      if (volume.has("ephemeral")) {
        return true;
      }
    }
    return false;
  }

  private boolean isValid(JsonObject spec) {
    return problems(JsonObject.of("spec", spec)).isEmpty();
  }

  private List<FieldError> problems(JsonObject pod) {
    FieldErrorList problems = new FieldErrorList();
    metadataAndSpec(pod, options, problems);
    JsonObject spec = pod.object("spec");
    if (!spec.array("ephemeralContainers").isEmpty()) {
      problems.forbidden(SPEC.field("ephemeralContainers"), "cannot be set on create");
    }
    if (!spec.text("nodeName", "").isEmpty() && !spec.array("schedulingGates").isEmpty()) {
      problems.forbidden(
          SPEC.field("nodeName"), "cannot be set until all schedulingGates have been cleared");
    }
    PodAnnotationsValidation.match(annotations(pod), spec, SPEC, problems);
    return problems.all();
  }

  private static JsonObject annotations(JsonObject pod) {
    return Metadata.of(pod).annotations();
  }

  private static void metadataAndSpec(
      JsonObject pod, PodValidationOptions allowed, FieldErrorList problems) {
    JsonObject spec = pod.object("spec");
    PodAnnotationsValidation.validate(annotations(pod), spec, ANNOTATIONS, allowed, problems);
    PodSpecValidation.validate(spec, pod.object("metadata"), SPEC, allowed, problems);
    if (spec.text("serviceAccountName", "").isEmpty()) {
      tokens(spec, problems);
    }
    for (String list : List.of("containers", "initContainers")) {
      List<JsonObject> containers = spec.array(list).objects();
      for (int i = 0; i < containers.size(); i++) {
        ContainerValidation.ofPod(containers.get(i), SPEC.field(list).index(i), problems);
      }
    }
  }

  private static void tokens(JsonObject spec, FieldErrorList problems) {
    List<JsonObject> volumes = spec.array("volumes").objects();
    for (int v = 0; v < volumes.size(); v++) {
      List<JsonObject> sources = volumes.get(v).object("projected").array("sources").objects();
      for (int s = 0; s < sources.size(); s++) {
        if (sources.get(s).has("serviceAccountToken")) {
          problems.forbidden(
              SPEC.field("volumes")
                  .index(v)
                  .field("projected")
                  .field("sources")
                  .index(s)
                  .field("serviceAccountToken"),
              "must not be specified when serviceAccountName is not set");
        }
      }
    }
  }

  private PodValidationOptions replacing(JsonObject old) {
    return options.replacing(annotations(old), old.object("spec"));
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject pod, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    metadataAndSpec(pod, replacing(old), problems);
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject pod, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    annotationUpdate(pod, old, problems);
    PodUpdateValidation.validate(pod.object("spec"), old.object("spec"), replacing(old), problems);
    return problems.all();
  }

  private void annotationUpdate(JsonObject pod, JsonObject old, FieldErrorList problems) {
    if (annotations(pod).isEmpty() && annotations(old).isEmpty()) {
      return;
    }
    PodAnnotationsValidation.update(annotations(pod), annotations(old), ANNOTATIONS, problems);
    PodAnnotationsValidation.validate(
        annotations(pod), pod.object("spec"), ANNOTATIONS, replacing(old), problems);
  }

  /** Binding sets the node and says so in the status; no writer comes here by itself. */
  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return switch (subresource) {
      case Subresource.BINDING -> object;
      case EPHEMERAL_CONTAINERS -> PodSubresources.ephemeralContainers(object, old);
      case RESIZE -> PodSubresources.resized(object, old);
      default -> PodPreparation.status(object, old);
    };
  }

  @Override
  public List<FieldError> validateSubresource(String subresource, JsonObject pod, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    switch (subresource) {
      case Subresource.STATUS -> {
        annotationUpdate(pod, old, problems);
        PodStatusValidation.validate(pod, old, problems);
      }
      case EPHEMERAL_CONTAINERS -> {
        if (annotations(old).has(PodAnnotationsValidation.MIRROR)) {
          problems.forbidden(FieldPath.ROOT, "static pods do not support ephemeral containers");
          return problems.all();
        }
        metadataAndSpec(pod, replacing(old), problems);
        annotationUpdate(pod, old, problems);
        PodSubresources.ephemeral(pod.object("spec"), old.object("spec"), problems);
      }
      case RESIZE -> {
        if (annotations(old).has(PodAnnotationsValidation.MIRROR)) {
          problems.forbidden(FieldPath.ROOT, "static pods cannot be resized");
          return problems.all();
        }
        metadataAndSpec(pod, replacing(old), problems);
        PodSubresources.resize(pod, old, problems);
      }
      default -> {}
    }
    return problems.all();
  }

  @Override
  public boolean deletesGracefully() {
    return true;
  }

  /** A pod that runs nowhere, or has ended, has nothing to be given time for. */
  @Override
  public long gracePeriodSeconds(JsonObject pod, long asked) {
    String phase = pod.object("status").text("phase", "");
    boolean ended = phase.equals("Succeeded") || phase.equals("Failed");
    if (pod.object("spec").text("nodeName", "").isEmpty() || ended) {
      return 0;
    }
    if (asked >= 0) {
      return asked;
    }
    long own =
        pod.object("spec")
            .integer("terminationGracePeriodSeconds")
            .orElse(PodSpecDefaults.GRACE_PERIOD_SECONDS);
    return own < 0 ? 1 : own;
  }
}
