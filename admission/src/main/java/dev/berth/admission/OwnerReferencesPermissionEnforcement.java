package dev.berth.admission;

import dev.berth.admission.match.Authorizers;
import dev.berth.cel.library.AccessCheck;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersion;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;

/**
 * Whoever changes an object's owners must be allowed to delete the object, which the owners' end
 * will do; and whoever makes an owner's deletion wait must be allowed to set the owner's
 * finalizers.
 */
public final class OwnerReferencesPermissionEnforcement implements AdmissionPlugin {
  private final Registry registry;
  private final Authorizers authorizers;

  public OwnerReferencesPermissionEnforcement(Registry registry, Authorizers authorizers) {
    this.registry = registry;
    this.authorizers = authorizers;
  }

  @Override
  public void validate(AdmissionRequest request) {
    boolean podStatus =
        request.resource().groupResource().toString().equals("pods")
            && request.subresource().equals("status");
    boolean writes = request.creates() || request.operation() == AdmissionRequest.Operation.UPDATE;
    List<OwnerReference> owners = Metadata.of(request.object()).ownerReferences();
    List<OwnerReference> before = Metadata.of(request.old()).ownerReferences();
    if (!writes || podStatus || owners.equals(before)) {
      return;
    }
    AccessCheck may = authorizers.of(request.user());
    if (!request.creates()) {
      Resource resource = request.resource();
      AccessCheck.Decision delete =
          may.decide(
              new AccessCheck.ResourceCheck(
                  may,
                  resource.kind().group(),
                  resource.plural(),
                  request.subresource(),
                  request.name().namespace(),
                  request.name().name(),
                  "",
                  ""),
              "delete");
      if (!delete.allowed()) {
        throw refused(request, "cannot set an ownerRef on a resource you can't delete", delete);
      }
    }
    List<OwnerReference> blocking =
        owners.stream()
            .filter(OwnerReference::blocksOwnerDeletion)
            .filter(owner ->
                before.stream()
                    .noneMatch(old -> old.uid().equals(owner.uid()) && old.blocksOwnerDeletion()))
            .toList();
    if (!blocking.isEmpty() && !finalizers(may, "*", "*", "", "*").allowed()) {
      blocking.forEach(owner -> check(request, owner, may));
    }
  }

  private void check(AdmissionRequest request, OwnerReference owner, AccessCheck may) {
    List<Resource> resources =
        registry.catalog().resources(GroupVersion.parse(owner.apiVersion())).stream()
            .filter(resource -> resource.kind().kind().equals(owner.kind()))
            .toList();
    if (resources.isEmpty()) {
      throw ClusterReader.forbidden(
          request,
          "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion %1$s Kind %2$s: no matches for kind \"%2$s\" in version \"%1$s\""
              .formatted(owner.apiVersion(), owner.kind()));
    }
    for (Resource resource : resources) {
      String namespace = resource.isNamespaced() ? request.name().namespace() : "";
      AccessCheck.Decision decision =
          finalizers(may, resource.kind().group(), resource.plural(), namespace, owner.name());
      if (!decision.allowed()) {
        throw refused(
            request,
            "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set"
                + " finalizers on",
            decision);
      }
    }
  }

  private static AccessCheck.Decision finalizers(
      AccessCheck may, String group, String resource, String namespace, String name) {
    return may.decide(
        new AccessCheck.ResourceCheck(may, group, resource, "finalizers", namespace, name, "", ""),
        "update");
  }

  private static RuntimeException refused(
      AdmissionRequest request, String what, AccessCheck.Decision decision) {
    String error = decision.error().isEmpty() ? "<nil>" : decision.error();
    return ClusterReader.forbidden(request, what + ": " + decision.reason() + ", " + error);
  }
}
