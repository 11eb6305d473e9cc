package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.pod.ResourceNames;
import java.util.List;
import java.util.Set;

/** What is wrong with the amounts of a pod as a whole, beside those of its containers. */
final class PodResourceValidation {
  private final JsonObject spec;
  private final FieldPath at;
  private final FieldErrorList problems;

  private PodResourceValidation(JsonObject spec, FieldPath at, FieldErrorList problems) {
    this.spec = spec;
    this.at = at;
    this.problems = problems;
  }

  static void validate(
      JsonObject spec,
      Set<String> claims,
      FieldPath path,
      PodValidationOptions options,
      FieldErrorList problems) {
    if (!spec.has("resources")) {
      return;
    }
    FieldPath at = path.field("resources");
    if (spec.object("os").text("name", "").equals("windows")) {
      problems.forbidden(at, "may not be set for a windows pod");
      return;
    }
    JsonObject resources = spec.object("resources");
    if (!resources.array("claims").isEmpty()) {
      problems.forbidden(at.field("claims"), "claims may not be set for Resources at pod-level");
    }
    ResourceValidation.pod(resources, claims, at, options, problems);
    new PodResourceValidation(spec, at, problems).beside(resources);
  }

  private void beside(JsonObject resources) {
    PodSpecView containers = PodSpecView.read(spec.without("resources").without("overhead"));
    least(EffectiveResources.requests(containers), resources.object("requests"), "requests", false);
    least(EffectiveResources.limits(containers), resources.object("limits"), "limits", true);
    List<JsonObject> all = spec.array("containers").objects();
    for (int i = 0; i < all.size(); i++) {
      JsonObject limits = all.get(i).object("resources").object("limits");
      for (String name : limits.names()) {
        Object ofPod = resources.object("limits").get(name);
        Quantity limit = ResourceValidation.amount(limits, name);
        if (ofPod != null && limit.compareTo(Quantity.fromTree(ofPod)) > 0) {
          problems.invalid(
              at.field("containers").index(i).key(name).field("limits"),
              limit.toString(),
              "must be less than or equal to pod limits of " + Quantity.fromTree(ofPod));
        }
      }
    }
  }

  private void least(ResourceList sum, JsonObject ofPod, String kind, boolean hugePagesOnly) {
    sum.amounts()
        .forEach((name, amount) -> {
          Object own = ofPod.get(name);
          if (own == null || (hugePagesOnly && !ResourceNames.isHugePages(name))) {
            return;
          }
          Quantity most = Quantity.fromTree(own);
          if (amount.compareTo(most) > 0) {
            problems.invalid(
                at.field(kind).key(name),
                most.toString(),
                "must be greater than or equal to aggregate container %s of %s"
                    .formatted(kind, amount));
          }
        });
  }
}
