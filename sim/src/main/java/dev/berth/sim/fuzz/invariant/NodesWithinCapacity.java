package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** N11: the requests of the pods that are bound to a node and not finished stay within it. */
public final class NodesWithinCapacity implements Invariant {
  private final Map<String, Map<String, ResourceList>> requests = new HashMap<>();

  @Override
  public String words() {
    return "no node is over-committed";
  }

  @Override
  public Optional<String> changed(StoreChange change, ClusterState state) {
    if (!change.resource().equals(ClusterState.PODS)) {
      return Optional.empty();
    }
    String before = place(change.before());
    String after = place(change.after());
    if (before.equals(after)) {
      return Optional.empty();
    }
    String uid = new PodTree(change.latest()).uid();
    if (!before.isEmpty()) {
      requests.getOrDefault(before, new HashMap<>()).remove(uid);
    }
    if (after.isEmpty()) {
      return Optional.empty();
    }
    ResourceList wanted = EffectiveResources.requests(new PodTree(change.latest()).readSpec());
    requests
        .computeIfAbsent(after, _ -> new HashMap<>())
        .put(uid, wanted.plus(ResourceList.read(JsonObject.of(ResourceList.PODS, "1"))));
    return check(after, state, change);
  }

  /** The node that a pod takes room of; empty if it takes none. */
  private static String place(@Nullable JsonObject tree) {
    if (tree == null) {
      return "";
    }
    PodTree pod = new PodTree(tree);
    return pod.phase().finished() ? "" : pod.nodeName();
  }

  private Optional<String> check(String name, ClusterState state, StoreChange change) {
    JsonObject node = state.node(name);
    if (node == null) {
      return Optional.empty();
    }
    ResourceList room = ResourceList.read(node.object("status").object("allocatable"));
    ResourceList taken = ResourceList.sum(requests.getOrDefault(name, Map.of()).values());
    for (Map.Entry<String, Quantity> one : taken.amounts().entrySet()) {
      if (one.getValue().compareTo(room.get(one.getKey())) > 0) {
        return Optional.of(
            "%s was put on %s by %s, whose pods now ask for %s of %s, of which it has %s"
                .formatted(
                    change.name(),
                    name,
                    change.sender(),
                    one.getValue(),
                    one.getKey(),
                    room.get(one.getKey())));
      }
    }
    return Optional.empty();
  }
}
