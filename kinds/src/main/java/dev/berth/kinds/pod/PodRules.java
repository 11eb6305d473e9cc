package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.List;

/** Pods: hardly changed once they are made, and given time to end. */
final class PodRules implements ResourceRules {
  static final String BINDING = "binding";
  static final String EPHEMERAL_CONTAINERS = "ephemeralcontainers";
  static final String RESIZE = "resize";
  static final FieldPath SPEC = FieldPath.of("spec");

  private final TolerationRules tolerations;

  /**
   * @param tolerations what the tolerations of a new pod may say
   */
  PodRules(TolerationRules tolerations) {
    this.tolerations = tolerations;
  }

  @Override
  public JsonObject defaults(JsonObject pod) {
    JsonObject spec = PodSpecDefaults.of(pod.object("spec"));
    return pod.with("spec", FieldRules.orDefault(spec, "enableServiceLinks", true));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject pod, Instant now) {
    // Judged by what is well formed: amounts that are not are refused when the pod is validated.
    String qos = Qos.of(PodSpecView.read(pod.object("spec"))).text();
    return pod.with(
        "status", new JsonObject.Builder().put("phase", "Pending").put("qosClass", qos).build());
  }

  @Override
  public List<FieldError> validate(JsonObject pod) {
    return PodSpecValidation.validate(pod.object("spec"), SPEC, tolerations);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject pod, JsonObject old) {
    return PodSpecValidation.validate(
        pod.object("spec"), SPEC, PodSpecValidation.replacing(old.object("spec"), tolerations));
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject pod, JsonObject old) {
    return PodUpdateValidation.validate(pod.object("spec"), old.object("spec"));
  }

  /** Binding sets the node and says so in the status; no writer comes here by itself. */
  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return switch (subresource) {
      case BINDING -> object;
      case EPHEMERAL_CONTAINERS -> PodSubresources.ephemeralContainers(object, old);
      case RESIZE -> PodSubresources.resized(object, old);
      default -> ResourceRules.super.throughSubresource(subresource, object, old);
    };
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject pod, JsonObject old) {
    return PodSubresources.validate(pod.object("spec"), old.object("spec"));
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
