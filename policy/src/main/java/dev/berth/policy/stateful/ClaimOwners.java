package dev.berth.policy.stateful;

import dev.berth.model.apps.StatefulSetSpec;
import dev.berth.model.apps.StatefulSetView;
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
   * The claim with the owners that it is to have; empty if it has them.
   *
   * @param pod the pod of the claim; null if there is none yet
   */
  public static Optional<JsonObject> update(
      JsonObject claim, StatefulSetView set, long ordinal, @Nullable JsonObject pod) {
    JsonArray owners = Metadata.of(claim).ownerReferencesAsWritten();
    List<JsonObject> wanted = new ArrayList<>();
    for (JsonObject tree : owners.objects()) {
      OwnerReference owner = OwnerReference.fromTree(tree);
      if (owner.uid().equals(set.metadata().uid()) || isPod(owner, set, ordinal)) {
        continue;
      }
      if (owner.controller()) {
        return Optional.empty();
      }
      wanted.add(tree);
    }
    StatefulSetSpec spec = set.spec();
    if (pod != null && spec.deletedWithPod() && !spec.wants(ordinal)) {
      wanted.add(OwnerReference.controllerOf(pod).toTree());
    } else if (spec.deletedWithSet()) {
      wanted.add(OwnerReference.controllerOf(set.tree()).toTree());
    }
    JsonArray after = JsonArray.copyOf(wanted);
    return after.equals(owners)
        ? Optional.empty()
        : Optional.of(Metadata.update(claim, metadata -> metadata.with("ownerReferences", after)));
  }

  private static boolean isPod(OwnerReference owner, StatefulSetView set, long ordinal) {
    return owner.kind().equals("Pod") && owner.name().equals(set.podName(ordinal));
  }

  /**
   * Whether a claim is about to go with a pod that is no more, or is going: a new pod of the name
   * has to wait for it to be gone.
   */
  public static boolean isStale(JsonObject claim, StatefulSetView set, long ordinal) {
    Metadata metadata = Metadata.of(claim);
    return metadata.isBeingDeleted()
        || metadata.ownerReferences().stream().anyMatch(owner -> isPod(owner, set, ordinal));
  }
}
