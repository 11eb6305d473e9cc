package dev.berth.model.device;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A claim that a pod's specification names, and the object that is behind it.
 *
 * @param template the template that its claim is made from; empty if it names a claim
 */
public record PodResourceClaim(String name, String template, Behind behind) {

  /** What is behind the claim of a pod. */
  public sealed interface Behind {
    /**
     * A claim of this name.
     *
     * @param isMade whether it was made for the pod, and so must be owned by it
     */
    record Claim(String claim, boolean isMade) implements Behind {}

    /** No claim was needed. */
    record NotNeeded() implements Behind {}

    /** None yet, or nobody knows what. */
    record Missing(String message) implements Behind {}
  }

  /** The claims of a pod, in the order in which it names them. */
  public static List<PodResourceClaim> of(JsonObject pod) {
    JsonArray named = pod.object("spec").array("resourceClaims");
    if (named.isEmpty()) {
      return List.of();
    }
    List<PodResourceClaim> claims = new ArrayList<>(named.size());
    for (JsonObject claim : named.objects()) {
      String name = claim.text("name", "");
      String template = claim.text("resourceClaimTemplateName", "");
      claims.add(new PodResourceClaim(name, template, behind(pod, claim, name, template)));
    }
    return List.copyOf(claims);
  }

  private static Behind behind(JsonObject pod, JsonObject claim, String name, String template) {
    String direct = claim.text("resourceClaimName", "");
    ObjectName podName = ObjectName.of(pod);
    if (!direct.isEmpty()) {
      return new Behind.Claim(direct, false);
    }
    if (template.isEmpty()) {
      return new Behind.Missing(
          "pod \"%s\", spec.resourceClaim \"%s\": none of the supported fields are set"
              .formatted(podName, name));
    }
    for (JsonObject made : pod.object("status").array("resourceClaimStatuses").objects()) {
      if (made.text("name", "").equals(name)) {
        String claimName = made.text("resourceClaimName", "");
        return claimName.isEmpty() ? new Behind.NotNeeded() : new Behind.Claim(claimName, true);
      }
    }
    return new Behind.Missing("pod \"%s\": ResourceClaim not created yet".formatted(podName));
  }

  /** The names of the claims behind all that a pod names, the one for extended resources too. */
  public static List<ObjectName> names(JsonObject pod) {
    JsonObject extended = pod.object("status").object("extendedResourceClaimStatus");
    List<PodResourceClaim> claims = of(pod);
    if (claims.isEmpty() && extended.isEmpty()) {
      return List.of();
    }
    String namespace = Metadata.of(pod).namespace();
    List<ObjectName> names = new ArrayList<>();
    for (PodResourceClaim claim : claims) {
      if (claim.behind() instanceof Behind.Claim(String behind, boolean _)) {
        names.add(new ObjectName(namespace, behind));
      }
    }
    String special = extended.text("resourceClaimName", "");
    if (!special.isEmpty()) {
      names.add(new ObjectName(namespace, special));
    }
    return names;
  }
}
