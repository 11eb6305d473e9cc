package dev.berth.sim.snapshot;

import dev.berth.client.ListRequest;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The smallest ClusterRole with which a snapshot misses nothing: it lists, and that is all. */
public final class SnapshotRole {
  private static final String NAME = "berth-snapshot";

  private SnapshotRole() {}

  /** As YAML, ready to be applied. */
  public static String yaml() {
    SortedMap<String, TreeSet<String>> byGroup = new TreeMap<>();
    for (ListRequest request : SnapshotContents.requests()) {
      byGroup
          .computeIfAbsent(request.resource().group(), _ -> new TreeSet<>())
          .add(request.resource().resource());
    }
    StringBuilder yaml = new StringBuilder();
    List.of(
            "apiVersion: rbac.authorization.k8s.io/v1",
            "kind: ClusterRole",
            "metadata:",
            "  name: " + NAME,
            "rules:")
        .forEach(line -> yaml.append(line).append('\n'));
    byGroup.forEach((group, resources) ->
        yaml.append("  - apiGroups: [\"%s\"]\n".formatted(group))
            .append("    resources: [%s]\n".formatted(String.join(", ", resources)))
            .append("    verbs: [list]\n"));
    return yaml.toString();
  }
}
