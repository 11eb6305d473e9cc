package dev.berth.policy.resourceclaim;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** Claims that are made for a pod. */
final class GeneratedClaim {
  /** A name has 63 characters at most, of which the server draws five. */
  private static final int LONGEST_BASE = 57;

  private GeneratedClaim() {}

  static JsonObject make(JsonObject pod, String podClaim, JsonObject template) {
    JsonObject spec = template.object("spec");
    Metadata given = Metadata.of(spec);
    JsonObject annotations =
        given.annotations().with(ResourceClaimView.POD_CLAIM_ANNOTATION, podClaim);
    String name = generateName(Metadata.of(pod).name(), podClaim);
    return ownedBy(pod, name, given.labels(), annotations, spec.object("spec"));
  }

  /** A claim that goes with a pod. */
  static JsonObject ownedBy(
      JsonObject pod,
      String generateName,
      JsonObject labels,
      JsonObject annotations,
      JsonObject spec) {
    Metadata owner = Metadata.of(pod);
    OwnerReference reference =
        new OwnerReference("v1", "Pod", owner.name(), owner.uid(), true, false);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", owner.namespace())
            .put("generateName", generateName)
            .putIfPresent("labels", labels.isEmpty() ? null : labels)
            .put("annotations", annotations)
            .put("ownerReferences", JsonArray.of(reference.toTree()))
            .build();
    return new JsonObject.Builder()
        .put("apiVersion", "resource.k8s.io/v1")
        .put("kind", "ResourceClaim")
        .put("metadata", metadata)
        .put("spec", spec)
        .build();
  }

  /**
   * {@code <pod>-<claim>-}. Where that is too long, both names are cut in proportion: the server
   * would cut at the end, and so take the claim's name alone.
   */
  static String generateName(String pod, String podClaim) {
    String full = pod + "-" + podClaim + "-";
    if (full.length() <= LONGEST_BASE) {
      return full;
    }
    return pod.substring(0, pod.length() * LONGEST_BASE / full.length())
        + "-"
        + podClaim.substring(0, podClaim.length() * LONGEST_BASE / full.length());
  }
}
