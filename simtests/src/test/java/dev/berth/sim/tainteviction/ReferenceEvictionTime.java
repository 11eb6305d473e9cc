package dev.berth.sim.tainteviction;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * When a pod has to leave its node, once more: straight from the trees and from the words of row
 * T5, and sharing nothing with the product.
 */
final class ReferenceEvictionTime {
  private ReferenceEvictionTime() {}

  /** The instant from which on the pod should not be there; the end of time if it may stay. */
  static Instant of(JsonObject pod, JsonObject node, Beginnings beginnings) {
    String phase = pod.object("status").text("phase", "");
    if (pod.object("metadata").has("deletionTimestamp")
        || phase.equals("Succeeded")
        || phase.equals("Failed")) {
      return Instant.MAX;
    }
    List<JsonObject> tolerations = pod.object("spec").array("tolerations").objects();
    return node.object("spec").array("taints").objects().stream()
        .filter(taint -> taint.text("effect", "").equals("NoExecute"))
        .map(taint -> of(tolerations, taint, beginnings.ofBoth(pod, node, taint)))
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  private static Instant of(List<JsonObject> tolerations, JsonObject taint, Instant since) {
    List<JsonObject> matching =
        tolerations.stream().filter(toleration -> matches(toleration, taint)).toList();
    if (matching.isEmpty()) {
      return Instant.MIN;
    }
    return matching.stream()
        .filter(toleration -> toleration.has("tolerationSeconds"))
        .mapToLong(toleration -> toleration.integer("tolerationSeconds").orElseThrow())
        .mapToObj(seconds -> seconds <= 0 ? Instant.MIN : since.plusSeconds(seconds))
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  private static boolean matches(JsonObject toleration, JsonObject taint) {
    String effect = toleration.text("effect", "");
    if (!effect.isEmpty() && !effect.equals(taint.text("effect", ""))) {
      return false;
    }
    boolean everything = toleration.text("key", "").isEmpty();
    if (!everything && !toleration.text("key", "").equals(taint.text("key", ""))) {
      return false;
    }
    return toleration.text("operator", "Equal").equals("Exists")
        || (!everything && toleration.text("value", "").equals(taint.text("value", "")));
  }
}
