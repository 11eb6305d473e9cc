package dev.berth.serving.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The resources of one version, in the old form of discovery. */
final class ResourceLists {
  /** What Kubernetes 1.36 has in etcd in an older version than it serves, and so has Berth. */
  private static final Set<GroupKind> STORED_AS_BETA =
      Set.of(
          new GroupKind("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
          new GroupKind("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
          new GroupKind("apiextensions.k8s.io", "CustomResourceDefinition"));

  private static final int HASH_BYTES = 8;

  private ResourceLists() {}

  static JsonObject of(GroupVersion version, List<Resource> resources) {
    List<JsonObject> entries = new ArrayList<>();
    for (Resource resource : resources) {
      entries.add(entry(resource));
      for (Subresource subresource : resource.subresources()) {
        entries.add(entry(resource, subresource));
      }
    }
    if (resources.stream().allMatch(resource -> resource.custom().isEmpty())) {
      entries.sort(Comparator.comparing(entry -> entry.text("name", "")));
    }
    JsonObject.Builder list = new JsonObject.Builder().put("kind", "APIResourceList");
    // The oldest of these documents is from before they had a version.
    if (!version.group().isEmpty()) {
      list.put("apiVersion", "v1");
    }
    return list.put("groupVersion", version.toString())
        .put("resources", JsonArray.copyOf(entries))
        .build();
  }

  private static JsonObject entry(Resource resource) {
    JsonObject.Builder entry =
        new JsonObject.Builder()
            .put("name", resource.plural())
            .put("singularName", resource.singular())
            .put("namespaced", resource.isNamespaced())
            .put("kind", resource.kind().kind())
            .put("verbs", JsonArray.copyOf(resource.verbs()));
    if (!resource.shortNames().isEmpty()) {
      entry.put("shortNames", JsonArray.copyOf(resource.shortNames()));
    }
    if (!resource.categories().isEmpty()) {
      entry.put("categories", JsonArray.copyOf(resource.categories()));
    }
    if (resource.isStored()) {
      entry.put("storageVersionHash", hash(resource.stored().kind()));
    }
    return entry.build();
  }

  /** By which clients find out that objects are stored in another version than before. */
  private static String hash(GroupVersionKind stored) {
    String version = STORED_AS_BETA.contains(stored.groupKind()) ? "v1beta1" : stored.version();
    String text = stored.group() + "/" + version + "/" + stored.kind();
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, HASH_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonObject entry(Resource resource, Subresource subresource) {
    JsonObject.Builder entry =
        new JsonObject.Builder()
            .put("name", resource.plural() + "/" + subresource.name())
            .put("singularName", "")
            .put("namespaced", resource.isNamespaced());
    GroupVersionKind kind = subresource.kind();
    if (!kind.groupVersion().equals(resource.kind().groupVersion())) {
      entry.put("group", kind.group()).put("version", kind.version());
    }
    return entry
        .put("kind", kind.kind())
        .put("verbs", JsonArray.copyOf(subresource.verbs()))
        .build();
  }
}
