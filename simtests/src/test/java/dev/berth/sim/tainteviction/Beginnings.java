package dev.berth.sim.tainteviction;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * When taints came to their nodes, and pods to theirs, to the nanosecond: what is written in
 * objects is cut off to seconds, and whoever judges evictions should know better.
 */
final class Beginnings {
  private final Map<Key, Instant> instants = new HashMap<>();

  /** A taint by what an edit of its value keeps, or a pod that is on a node. */
  private record Key(String uid, String key, String written) {
    static Key ofTaint(JsonObject node, JsonObject taint) {
      return new Key(Metadata.of(node).uid(), taint.text("key", ""), taint.text("timeAdded", ""));
    }

    static Key ofPod(JsonObject pod) {
      return new Key(Metadata.of(pod).uid(), "", "");
    }
  }

  void node(JsonObject node, Instant now) {
    for (JsonObject taint : node.object("spec").array("taints").objects()) {
      instants.putIfAbsent(Key.ofTaint(node, taint), now);
    }
  }

  void pod(JsonObject pod, Instant now) {
    if (!pod.object("spec").text("nodeName", "").isEmpty()) {
      instants.putIfAbsent(Key.ofPod(pod), now);
    }
  }

  /** When both were there. */
  Instant ofBoth(JsonObject pod, JsonObject node, JsonObject taint) {
    Instant arrived = instants.getOrDefault(Key.ofPod(pod), Instant.MIN);
    Instant added = instants.getOrDefault(Key.ofTaint(node, taint), Instant.MIN);
    return added.isAfter(arrived) ? added : arrived;
  }
}
