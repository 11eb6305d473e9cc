package dev.berth.policy.stateful;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a pod's claims, and so takes them along when it goes; that is what {@code
 * persistentVolumeClaimRetentionPolicy} means.
 *
 * <ul>
 *   <li>A claim of a pod that is scaled away belongs to the pod, if claims go with their pods.
 *   <li>Otherwise it belongs to the set, if claims go with the set.
 *   <li>Otherwise neither owns it.
 * </ul>
 *
 * <p>A claim that something else controls is left alone, and so are other owners.
 */
public final class ClaimOwners {
  private ClaimOwners() {}

  /**
   * The owners that a claim is to have; empty if it has them.
   *
   * @param pod the pod of the claim; null if there is none yet
   */
  public static Optional<JsonArray> wanted(
      JsonArray owners, JsonObject set, StatefulSpec spec, long ordinal, @Nullable JsonObject pod) {
    List<JsonObject> others = new ArrayList<>();
    for (JsonObject owner : owners.objects()) {
      if (isSet(owner, set) || isPod(owner, spec, ordinal)) {
        continue;
      }
      if (owner.flag("controller", false)) {
        return Optional.empty();
      }
      others.add(owner);
    }
    if (pod != null && spec.deletedWithPod() && !spec.wants(ordinal)) {
      others.add(OwnerReference.controllerOf(pod).toTree());
    } else if (spec.deletedWithSet()) {
      others.add(OwnerReference.controllerOf(set).toTree());
    }
    JsonArray wanted = JsonArray.copyOf(others);
    return wanted.equals(owners) ? Optional.empty() : Optional.of(wanted);
  }

  private static boolean isSet(JsonObject owner, JsonObject set) {
    return owner.text("uid", "").equals(Metadata.of(set).uid());
  }

  private static boolean isPod(JsonObject owner, StatefulSpec spec, long ordinal) {
    return owner.text("kind", "").equals("Pod")
        && owner.text("name", "").equals(spec.podName(ordinal));
  }

  /**
   * Whether a claim is about to go with a pod that is no more, or is going: a new pod of the name
   * has to wait for it to be gone.
   */
  public static boolean isStale(JsonObject claim, StatefulSpec spec, long ordinal) {
    Metadata metadata = Metadata.of(claim);
    return metadata.isBeingDeleted()
        || metadata.tree().array("ownerReferences").objects().stream()
            .anyMatch(owner -> isPod(owner, spec, ordinal));
  }
}
