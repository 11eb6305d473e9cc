package dev.berth.kinds.pod;

import static dev.berth.kinds.resource.FieldRules.each;
import static dev.berth.kinds.resource.FieldRules.present;

import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * Fields of features that Kubernetes 1.36 has turned off: they are left out of what is written, as
 * if nobody knew them, unless they were there before.
 */
public final class DisabledFields {
  private DisabledFields() {}

  /** The specification of a pod without them. */
  public static JsonObject drop(JsonObject spec, JsonObject old) {
    JsonObject left = old.has("schedulingGroup") ? spec : spec.without("schedulingGroup");
    for (String source : List.of("clusterTrustBundle", "podCertificate")) {
      left = projects(old, source) ? left : each(left, "volumes", v -> unprojected(v, source));
    }
    if (!hasStopSignal(old)) {
      for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
        left = each(left, list, DisabledFields::withoutStopSignal);
      }
    }
    return left;
  }

  /** A template without them. */
  public static JsonObject dropFromTemplate(JsonObject template, JsonObject old) {
    return present(template, "spec", spec -> drop(spec, old.object("spec")));
  }

  private static boolean projects(JsonObject spec, String source) {
    return spec.array("volumes").objects().stream()
        .flatMap(volume -> volume.object("projected").array("sources").objects().stream())
        .anyMatch(projection -> projection.has(source));
  }

  private static JsonObject unprojected(JsonObject volume, String source) {
    return present(
        volume, "projected", p -> each(p, "sources", projection -> projection.without(source)));
  }

  private static boolean hasStopSignal(JsonObject spec) {
    return PodContainers.of(spec, FieldPath.of("spec")).stream()
        .anyMatch(placed -> placed.container().object("lifecycle").has("stopSignal"));
  }

  private static JsonObject withoutStopSignal(JsonObject container) {
    JsonObject lifecycle = container.object("lifecycle");
    if (!lifecycle.has("stopSignal")) {
      return container;
    }
    JsonObject left = lifecycle.without("stopSignal");
    return left.isEmpty() ? container.without("lifecycle") : container.with("lifecycle", left);
  }
}
