package dev.berth.controllers.persistentvolume;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.ClaimUse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pods that use claims and have no node yet, by claim. No others are kept.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class UnscheduledPods {
  private final Map<ObjectName, Set<String>> pods = new HashMap<>();
  private final Consumer<ObjectName> touched;

  /**
   * @param touched told of each claim whose pods are others now
   */
  UnscheduledPods(Consumer<ObjectName> touched) {
    this.touched = touched;
  }

  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null && ClaimUse.awaitsNode(after)) {
      String name = ObjectName.of(after).name();
      for (PodClaim use : PodClaim.of(after)) {
        if (pods.computeIfAbsent(use.claim(), _ -> new TreeSet<>()).add(name)) {
          touched.accept(use.claim());
        }
      }
    } else if (after != null || before != null) {
      forget(after == null ? before : after);
    }
  }

  private void forget(@Nullable JsonObject pod) {
    if (pod == null) {
      return;
    }
    String name = ObjectName.of(pod).name();
    for (PodClaim use : PodClaim.of(pod)) {
      Set<String> names = pods.get(use.claim());
      if (names != null && names.remove(name)) {
        if (names.isEmpty()) {
          pods.remove(use.claim());
        }
        touched.accept(use.claim());
      }
    }
  }

  List<String> of(ObjectName claim) {
    return List.copyOf(pods.getOrDefault(claim, Set.of()));
  }
}
