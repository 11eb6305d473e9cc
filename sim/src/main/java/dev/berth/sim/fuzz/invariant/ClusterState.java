package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the store has acknowledged, kept from its changes alone: what there should be,
 * whatever became of the server. Beside them, how far apart the faults of this history have put
 * what happens and what is written down of it.
 */
public final class ClusterState {
  public static final String PODS = "pods";
  public static final String NODES = "nodes";
  public static final String DEPLOYMENTS = "deployments.apps";
  public static final String REPLICA_SETS = "replicasets.apps";
  public static final String STATEFUL_SETS = "statefulsets.apps";
  public static final String DAEMON_SETS = "daemonsets.apps";
  public static final String JOBS = "jobs.batch";
  public static final String BUDGETS = "poddisruptionbudgets.policy";
  public static final String ATTACHMENTS = "volumeattachments.storage.k8s.io";
  public static final String CLAIMS = "persistentvolumeclaims";
  public static final String VOLUMES = "persistentvolumes";
  public static final String LEASES = "leases.coordination.k8s.io";

  /** The resources whose objects are kept. */
  public static final Set<String> KEPT =
      Set.of(
          PODS,
          NODES,
          DEPLOYMENTS,
          REPLICA_SETS,
          STATEFUL_SETS,
          DAEMON_SETS,
          JOBS,
          BUDGETS,
          ATTACHMENTS,
          CLAIMS,
          VOLUMES);

  private final Map<String, NavigableMap<ObjectName, JsonObject>> objects = new HashMap<>();

  /** Asked for with each change of a pod, so that nobody walks through all of them. */
  private final Map<String, NavigableMap<ObjectName, PodTree>> podsByApp = new HashMap<>();

  private Duration clockDifference = Duration.ZERO;
  private Duration longestDelay = Duration.ZERO;
  private Instant now = Instant.EPOCH;

  /** Takes note of a write. */
  public void apply(StoreChange change) {
    now = change.at();
    NavigableMap<ObjectName, JsonObject> all =
        objects.computeIfAbsent(change.resource(), _ -> new TreeMap<>());
    JsonObject after = change.after();
    if (after == null) {
      all.remove(change.name());
    } else {
      all.put(change.name(), after);
    }
    if (change.resource().equals(PODS)) {
      applyToApp(change.name(), change.before(), after);
    }
  }

  private void applyToApp(
      ObjectName name, @Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null) {
      podsByApp.getOrDefault(app(before), new TreeMap<>()).remove(name);
    }
    if (after != null) {
      podsByApp.computeIfAbsent(app(after), _ -> new TreeMap<>()).put(name, new PodTree(after));
    }
  }

  private static String app(JsonObject pod) {
    return Metadata.of(pod).labels().text("app", "");
  }

  /** When the latest write was, on the monotonic clock. */
  public Instant now() {
    return now;
  }

  /** The objects of a resource, by their names. */
  public Collection<JsonObject> all(String resource) {
    return objects.getOrDefault(resource, new TreeMap<>()).values();
  }

  public @Nullable JsonObject find(String resource, ObjectName name) {
    return objects.getOrDefault(resource, new TreeMap<>()).get(name);
  }

  public @Nullable JsonObject node(String name) {
    return find(NODES, ObjectName.of(name));
  }

  /** The pods with a label {@code app}. */
  public Collection<PodTree> podsOf(String app) {
    return podsByApp.getOrDefault(app, new TreeMap<>()).values();
  }

  /** From now on, the clocks of two processes may differ by so much. */
  public void clocksDiffer(Duration by) {
    clockDifference = max(clockDifference, by.abs());
  }

  /** From now on, a message may be on its way for so long. */
  public void messagesTake(Duration atMost) {
    longestDelay = max(longestDelay, atMost);
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /**
   * By how much a time that one process wrote down and another read may be off: as far as clocks
   * differ, and the second that times in objects are cut to.
   */
  public Duration clockDifference() {
    return clockDifference.isZero() ? Duration.ZERO : clockDifference.plusSeconds(1);
  }

  /** How long a message may be under way. */
  public Duration longestDelay() {
    return longestDelay;
  }
}
