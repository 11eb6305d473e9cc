package dev.berth.policy.resourceclaim;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** The claim that is made for a pod from a template. */
final class GeneratedClaim {
  /** A name has 63 characters at most, of which the server draws five. */
  private static final int LONGEST_BASE = 57;

  private GeneratedClaim() {}

  static JsonObject make(JsonObject pod, String podClaim, JsonObject template) {
    Metadata owner = Metadata.of(pod);
    JsonObject spec = template.object("spec");
    Metadata given = Metadata.of(spec);
    OwnerReference reference =
        new OwnerReference("v1", "Pod", owner.name(), owner.uid(), true, false);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", owner.namespace())
            .put("generateName", generateName(owner.name(), podClaim))
            .putIfPresent("labels", given.labels().isEmpty() ? null : given.labels())
            .put(
                "annotations",
                given.annotations().with(ResourceClaimView.POD_CLAIM_ANNOTATION, podClaim))
            .put("ownerReferences", JsonArray.of(reference.toTree()))
            .build();
    return new JsonObject.Builder()
        .put("apiVersion", "resource.k8s.io/v1")
        .put("kind", "ResourceClaim")
        .put("metadata", metadata)
        .put("spec", spec.object("spec"))
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
