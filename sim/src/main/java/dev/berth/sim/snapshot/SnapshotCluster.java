package dev.berth.sim.snapshot;

import dev.berth.hollow.HollowMachine;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.ClusterBeginning;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The cluster of a snapshot as a simulation begins with it: the same objects at the same time, with
 * hollow nodes in place of the real ones. What is different, and why:
 *
 * <ul>
 *   <li>Nodes keep the problems that they had: those that were lost are silent, the others report
 *       what they reported.
 *   <li>Owners that are in no snapshot are forgotten, since whoever collects garbage would take
 *       them for deleted. Pods of such owners are not replaced; {@link #warnings} says so.
 *   <li>Services have no cluster IPs, which are of another network's range.
 *   <li>Namespaces that could not be seen and service accounts, which nobody reads, are made up.
 *   <li>Pods of jobs run as long as those before them did.
 * </ul>
 */
public final class SnapshotCluster {
  private static final String PODS = "pods";
  private static final String NODES = "nodes";
  private static final String NAMESPACES = "namespaces";
  private static final List<String> WITH_TEMPLATES =
      List.of(
          "deployments.apps",
          "replicasets.apps",
          "statefulsets.apps",
          "daemonsets.apps",
          "jobs.batch",
          "replicationcontrollers");

  private final ClusterSnapshot snapshot;
  private final Set<String> uids = new HashSet<>();
  private final Map<String, Integer> unseenOwners = new TreeMap<>();
  private final Map<String, List<JsonObject>> objects = new LinkedHashMap<>();

  private SnapshotCluster(ClusterSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  public static SnapshotCluster of(ClusterSnapshot snapshot) {
    SnapshotCluster cluster = new SnapshotCluster(snapshot);
    cluster.convert();
    return cluster;
  }

  private void convert() {
    for (String resource : snapshot.resources()) {
      snapshot.list(resource).forEach(object -> uids.add(Metadata.of(object).uid()));
    }
    JobDurations durations = JobDurations.of(snapshot);
    for (String resource : snapshot.resources()) {
      List<JsonObject> converted = new ArrayList<>();
      for (JsonObject object : snapshot.list(resource)) {
        JsonObject owned = withSeenOwners(resource, object);
        converted.add(
            switch (resource) {
              case NODES -> FoundFaults.kept(owned);
              case "services" -> withoutAddresses(owned);
              case "cronjobs.batch", "jobs.batch", PODS -> durations.limit(owned);
              default -> owned;
            });
      }
      objects.put(resource, converted);
    }
    objects.put(NAMESPACES, withMissing(objects.getOrDefault(NAMESPACES, List.of())));
    objects.put("serviceaccounts", serviceAccounts());
  }

  private JsonObject withSeenOwners(String resource, JsonObject object) {
    JsonObject metadata = object.object("metadata");
    JsonArray owners = metadata.array("ownerReferences");
    List<JsonObject> seen =
        owners.objects().stream().filter(owner -> uids.contains(owner.text("uid", ""))).toList();
    if (seen.size() == owners.size()) {
      return object;
    }
    if (resource.equals(PODS)) {
      owners.objects().stream()
          .filter(owner -> owner.flag("controller", false))
          .filter(owner -> !uids.contains(owner.text("uid", "")))
          .forEach(owner -> unseenOwners.merge(owner.text("kind", ""), 1, Integer::sum));
    }
    return object.with(
        "metadata",
        seen.isEmpty()
            ? metadata.without("ownerReferences")
            : metadata.with("ownerReferences", JsonArray.copyOf(seen)));
  }

  private static JsonObject withoutAddresses(JsonObject service) {
    return service.update(
        "spec",
        spec ->
            spec.with("type", "ClusterIP")
                .with("clusterIP", "None")
                .with("clusterIPs", JsonArray.of("None"))
                .without("healthCheckNodePort")
                .without("externalTrafficPolicy"));
  }

  private List<JsonObject> withMissing(List<JsonObject> namespaces) {
    SortedSet<String> missing = new TreeSet<>();
    objects
        .values()
        .forEach(list -> list.forEach(object -> missing.add(Metadata.of(object).namespace())));
    missing.remove("");
    namespaces.forEach(namespace -> missing.remove(Metadata.of(namespace).name()));
    List<JsonObject> all = new ArrayList<>(namespaces);
    for (String name : missing) {
      all.add(
          object("Namespace", ObjectName.of(name), "namespace-" + name)
              .update(
                  "metadata",
                  metadata ->
                      metadata.with("labels", JsonObject.of("kubernetes.io/metadata.name", name)))
              .with("spec", JsonObject.of("finalizers", JsonArray.of("kubernetes")))
              .with("status", JsonObject.of("phase", "Active")));
    }
    return all;
  }

  private List<JsonObject> serviceAccounts() {
    SortedSet<ObjectName> named = new TreeSet<>();
    for (JsonObject pod : objects.getOrDefault(PODS, List.of())) {
      named.add(account(Metadata.of(pod).namespace(), pod.object("spec")));
    }
    for (String resource : WITH_TEMPLATES) {
      for (JsonObject owner : objects.getOrDefault(resource, List.of())) {
        JsonObject template = owner.object("spec").object("template");
        named.add(account(Metadata.of(owner).namespace(), template.object("spec")));
      }
    }
    for (JsonObject cron : objects.getOrDefault("cronjobs.batch", List.of())) {
      JsonObject job = cron.object("spec").object("jobTemplate").object("spec");
      named.add(account(Metadata.of(cron).namespace(), job.object("template").object("spec")));
    }
    return named.stream()
        .map(name -> object("ServiceAccount", name, "account-" + name.toString().replace('/', '-')))
        .toList();
  }

  private static ObjectName account(String namespace, JsonObject podSpec) {
    return new ObjectName(namespace, podSpec.text("serviceAccountName", "default"));
  }

  private JsonObject object(String kind, ObjectName name, String uid) {
    JsonObject.Builder metadata = new JsonObject.Builder().put("name", name.name());
    if (!name.namespace().isEmpty()) {
      metadata.put("namespace", name.namespace());
    }
    return new JsonObject.Builder()
        .put("kind", kind)
        .put("apiVersion", "v1")
        .put(
            "metadata",
            metadata
                .put("uid", uid)
                .put("creationTimestamp", Times.format(snapshot.takenAt()))
                .build())
        .build();
  }

  /** The time of the snapshot, and its objects. */
  public ClusterBeginning beginning() {
    return new ClusterBeginning(snapshot.takenAt(), objects);
  }

  /** A hollow node for each node. */
  public Stream<HollowMachine> machines() {
    return snapshot.list(NODES).stream()
        .map(node ->
            HollowMachine.kept(
                Metadata.of(node).name(), node.object("status").object("allocatable")));
  }

  /** The zones of its nodes. */
  public SortedSet<String> zones() {
    NavigableSet<String> zones = new TreeSet<>();
    for (JsonObject node : snapshot.list(NODES)) {
      Metadata.of(node).label(WellKnownLabels.ZONE).ifPresent(zones::add);
    }
    return zones;
  }

  /** The settings of its controllers, as far as they could be seen. */
  public SortedMap<String, String> settings() {
    return snapshot.settings();
  }

  /** What could not be seen, and what will therefore be different from the real cluster. */
  public List<String> warnings() {
    List<String> all = new ArrayList<>(snapshot.unseen());
    unseenOwners.forEach((kind, pods) ->
        all.add(
            "%d %s of the kind %s, which no snapshot holds: they are not replaced when they go"
                .formatted(pods, pods == 1 ? "pod" : "pods", kind)));
    return all;
  }
}
