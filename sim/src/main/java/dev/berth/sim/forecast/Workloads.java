package dev.berth.sim.forecast;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.explain.WorkloadKind;
import dev.berth.sim.snapshot.ClusterSnapshot;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What pods belong to, and how many of each workload's are ready as the forecast goes on. */
final class Workloads {
  private final Map<String, JsonObject> byUid = new HashMap<>();
  private final Map<String, Tally> tallies = new LinkedHashMap<>();

  /** A workload's ready pods. */
  static final class Tally {
    final String name;
    final long wanted;
    long ready;
    final Low low = new Low();

    Tally(String name, long wanted) {
      this.name = name;
      this.wanted = wanted;
    }
  }

  Workloads(ClusterSnapshot snapshot) {
    for (WorkloadKind kind : WorkloadKind.values()) {
      snapshot.list(kind.resource()).forEach(tree -> byUid.put(Metadata.of(tree).uid(), tree));
    }
  }

  /** The workload of a pod: its controller, or the controller of that. A bare pod is its own. */
  Tally of(JsonObject pod) {
    String namespace = ObjectName.of(pod).namespace();
    Optional<OwnerReference> owner = Metadata.of(pod).controller();
    if (owner.isEmpty()) {
      return tally("Pod", new ObjectName(namespace, ObjectName.of(pod).name()), 1);
    }
    OwnerReference top = owner.get();
    JsonObject tree = byUid.get(top.uid());
    Optional<OwnerReference> above =
        tree == null ? Optional.empty() : Metadata.of(tree).controller();
    if (above.isPresent() && byUid.containsKey(above.get().uid())) {
      top = above.get();
      tree = byUid.get(top.uid());
    }
    JsonObject found = tree;
    long wanted =
        found == null ? 0 : WorkloadKind.of(top.kind()).map(kind -> kind.wanted(found)).orElse(0L);
    return tally(top.kind(), new ObjectName(namespace, top.name()), wanted);
  }

  private Tally tally(String kind, ObjectName name, long wanted) {
    String key = kind + " " + name;
    return tallies.computeIfAbsent(key, _ -> new Tally(key, wanted));
  }

  Collection<Tally> all() {
    return tallies.values();
  }
}
