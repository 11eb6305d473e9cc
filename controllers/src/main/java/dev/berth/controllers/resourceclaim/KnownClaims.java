package dev.berth.controllers.resourceclaim;

import dev.berth.model.device.PodResourceClaim;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.resourceclaim.PodClaims;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims, templates, and the pods that use them, with what leads from one to the other. Pods
 * without claims are not kept. All of it is soft, and owned by the controller's loop.
 */
final class KnownClaims {
  /** For so many deleted pods nobody needs to ask whether they are gone. */
  private static final int REMEMBERED_DELETIONS = 500;

  private final Map<ObjectName, ResourceClaimView> claims = new LinkedHashMap<>();
  private final Map<String, Map<ObjectName, ResourceClaimView>> claimsByOwner = new HashMap<>();
  private final Map<ObjectName, JsonObject> templates = new HashMap<>();
  private final Map<ObjectName, JsonObject> pods = new LinkedHashMap<>();
  private final Map<ObjectName, Set<ObjectName>> podsByClaim = new HashMap<>();
  private final Map<ObjectName, Set<ObjectName>> podsByTemplate = new HashMap<>();
  private final Map<String, Boolean> deleted =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > REMEMBERED_DELETIONS;
        }
      };

  /** Whether a pod is any of the controller's business. */
  static boolean usesClaims(JsonObject pod) {
    return !pod.object("spec").array("resourceClaims").isEmpty()
        || pod.object("status").has("extendedResourceClaimStatus");
  }

  void putPod(JsonObject pod) {
    ObjectName name = ObjectName.of(pod);
    removePod(name);
    pods.put(name, pod);
    PodResourceClaim.names(pod).forEach(claim -> link(podsByClaim, claim, name));
    templates(pod).forEach(template -> link(podsByTemplate, template, name));
  }

  /** A pod is gone, for good. */
  void podDeleted(JsonObject pod) {
    deleted.put(Metadata.of(pod).uid(), true);
    removePod(ObjectName.of(pod));
  }

  private void removePod(ObjectName name) {
    JsonObject known = pods.remove(name);
    if (known != null) {
      PodResourceClaim.names(known).forEach(claim -> unlink(podsByClaim, claim, name));
      templates(known).forEach(template -> unlink(podsByTemplate, template, name));
    }
  }

  private static List<ObjectName> templates(JsonObject pod) {
    String namespace = Metadata.of(pod).namespace();
    return PodResourceClaim.of(pod).stream()
        .map(PodResourceClaim::template)
        .filter(template -> !template.isEmpty())
        .map(template -> new ObjectName(namespace, template))
        .toList();
  }

  private static void link(Map<ObjectName, Set<ObjectName>> links, ObjectName to, ObjectName pod) {
    links.computeIfAbsent(to, _ -> new LinkedHashSet<>()).add(pod);
  }

  private static void unlink(
      Map<ObjectName, Set<ObjectName>> links, ObjectName to, ObjectName pod) {
    Set<ObjectName> linked = links.get(to);
    if (linked != null) {
      linked.remove(pod);
      if (linked.isEmpty()) {
        links.remove(to);
      }
    }
  }

  void putClaim(JsonObject tree) {
    ResourceClaimView claim = ResourceClaimView.read(tree);
    removeClaim(claim.name());
    claims.put(claim.name(), claim);
    claim
        .metadata()
        .controller()
        .ifPresent(owner ->
            claimsByOwner
                .computeIfAbsent(owner.uid(), _ -> new LinkedHashMap<>())
                .put(claim.name(), claim));
  }

  void removeClaim(ObjectName name) {
    ResourceClaimView known = claims.remove(name);
    if (known == null) {
      return;
    }
    known
        .metadata()
        .controller()
        .map(OwnerReference::uid)
        .ifPresent(owner -> {
          Map<ObjectName, ResourceClaimView> owned = claimsByOwner.get(owner);
          if (owned != null) {
            owned.remove(name);
            if (owned.isEmpty()) {
              claimsByOwner.remove(owner);
            }
          }
        });
  }

  void putTemplate(JsonObject template) {
    templates.put(ObjectName.of(template), template);
  }

  void removeTemplate(ObjectName name) {
    templates.remove(name);
  }

  @Nullable JsonObject pod(ObjectName name) {
    return pods.get(name);
  }

  @Nullable ResourceClaimView claim(ObjectName name) {
    return claims.get(name);
  }

  List<ObjectName> allPods() {
    return List.copyOf(pods.keySet());
  }

  List<ObjectName> allClaims() {
    return List.copyOf(claims.keySet());
  }

  boolean isDeleted(String podUid) {
    return deleted.containsKey(podUid);
  }

  List<ObjectName> podsWithClaim(ObjectName claim) {
    return List.copyOf(podsByClaim.getOrDefault(claim, Set.of()));
  }

  List<ObjectName> podsWithTemplate(ObjectName template) {
    return List.copyOf(podsByTemplate.getOrDefault(template, Set.of()));
  }

  /** The pod that a claim was made for. */
  static Optional<OwnerReference> owningPod(ResourceClaimView claim) {
    return claim
        .metadata()
        .controller()
        .filter(owner -> owner.apiVersion().equals("v1") && owner.kind().equals("Pod"));
  }

  /** What is known about the claims of a pod. */
  PodClaims of(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    Map<String, ResourceClaimView> byName = new HashMap<>();
    for (ObjectName name : PodResourceClaim.names(pod)) {
      ResourceClaimView claim = claims.get(name);
      if (claim != null) {
        byName.put(name.name(), claim);
      }
    }
    Map<String, JsonObject> named = new HashMap<>();
    for (ObjectName name : templates(pod)) {
      JsonObject template = templates.get(name);
      if (template != null) {
        named.put(name.name(), template);
      }
    }
    List<ResourceClaimView> owned =
        List.copyOf(claimsByOwner.getOrDefault(metadata.uid(), Map.of()).values());
    return new PodClaims(pod, byName, owned, named);
  }
}
