package dev.berth.serving.openapi;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersion;
import java.util.Locale;

/** The names of operations, as generated clients know them: {@code listCoreV1NamespacedPod}. */
record Naming(Resource resource) {

  String of(String action) {
    return action + version() + scope() + resource.kind().kind();
  }

  String of(String action, Subresource part) {
    return of(action) + capitalised(part.name());
  }

  String ofAllNamespaces() {
    return "list" + version() + resource.kind().kind() + "ForAllNamespaces";
  }

  String ofCollection() {
    return "delete" + version() + "Collection" + scope() + resource.kind().kind();
  }

  private String scope() {
    return resource.isNamespaced() ? "Namespaced" : "";
  }

  private String version() {
    GroupVersion version = resource.kind().groupVersion();
    return group(version) + capitalised(version.version());
  }

  static String tag(GroupVersion version) {
    String group = group(version);
    return group.substring(0, 1).toLowerCase(Locale.ROOT)
        + group.substring(1)
        + "_"
        + version.version();
  }

  private static String group(GroupVersion version) {
    if (version.group().isEmpty()) {
      return "Core";
    }
    StringBuilder name = new StringBuilder();
    for (String word : version.group().replace(".k8s.io", "").split("\\.", -1)) {
      name.append(capitalised(word));
    }
    return name.toString();
  }

  private static String capitalised(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
