package dev.berth.sim.snapshot;

import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What was seen of a cluster at an instant. */
public final class ClusterSnapshot {
  private final Instant takenAt;
  private final Map<String, List<JsonObject>> objects = new LinkedHashMap<>();
  private final SortedMap<String, String> settings;
  private final List<String> unseen;

  /**
   * @param objects by resource, such as {@code deployments.apps}; those that no snapshot holds are
   *     left out
   */
  ClusterSnapshot(
      Instant takenAt,
      Map<String, List<JsonObject>> objects,
      Map<String, String> settings,
      List<String> unseen) {
    this.takenAt = takenAt;
    this.settings = new TreeMap<>(settings);
    this.unseen = List.copyOf(unseen);
    for (GroupVersionResource resource : SnapshotContents.resources()) {
      String name = resource.groupResource().toString();
      this.objects.put(
          name,
          objects.getOrDefault(name, List.of()).stream()
              .sorted(Comparator.comparing(ObjectName::of))
              .toList());
    }
  }

  public Instant takenAt() {
    return takenAt;
  }

  /**
   * The objects of a resource, by namespace and name; none if they could not be read.
   *
   * @param resource its plural and its group, such as {@code pods} or {@code deployments.apps}
   * @throws IllegalArgumentException if no snapshot holds any of them
   */
  public List<JsonObject> list(String resource) {
    List<JsonObject> found = objects.get(resource);
    if (found == null) {
      throw new IllegalArgumentException(
          "Snapshots hold no %s, but %s.".formatted(resource, String.join(", ", resources())));
    }
    return found;
  }

  /** What {@link #list} knows, in an order in which it can be created. */
  public List<String> resources() {
    return List.copyOf(objects.keySet());
  }

  /**
   * The settings of the cluster's control plane, by the flags of kube-controller-manager and of
   * kube-apiserver without their dashes; none if they could not be seen.
   */
  public SortedMap<String, String> settings() {
    return settings;
  }

  /** What could not be read, and why, in words. */
  public List<String> unseen() {
    return unseen;
  }
}
