package dev.berth.scheduler.cluster.volume;

import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * What is to be done about a pod's claims before the pod is bound to a node: what is to be written,
 * and which claims must be bound after that. Nothing for most pods.
 */
public record VolumePlan(String node, List<Write> writes) {

  public VolumePlan {
    writes = List.copyOf(writes);
  }

  public boolean isEmpty() {
    return writes.isEmpty();
  }

  /** The claims that must be bound before the pod is. */
  public List<ObjectName> claims() {
    return writes.stream().map(Write::claim).toList();
  }

  /** An object that is to be replaced by another revision of itself. */
  public sealed interface Write {
    ObjectName claim();

    /** The new revision; it has the resource version of the one that it is made from. */
    JsonObject tree();
  }

  /** A volume is reserved for a claim: a PersistentVolume is written. */
  public record BindVolume(String volume, ObjectName claim, JsonObject tree) implements Write {

    public static BindVolume of(VolumeInfo volume, ClaimInfo claim) {
      JsonObject reference =
          new JsonObject.Builder()
              .put("apiVersion", "v1")
              .put("kind", "PersistentVolumeClaim")
              .put("namespace", claim.name().namespace())
              .put("name", claim.name().name())
              .put("uid", claim.uid())
              .putIfPresent(
                  "resourceVersion", claim.tree().object("metadata").text("resourceVersion"))
              .build();
      JsonObject tree = (JsonObject) FieldPath.of("spec", "claimRef").set(volume.tree(), reference);
      if (!volume.isFor(claim)) {
        tree =
            (JsonObject)
                FieldPath.of("metadata", "annotations", WellKnownAnnotations.BOUND_BY_CONTROLLER)
                    .set(tree, "yes");
      }
      return new BindVolume(volume.name(), claim.name(), tree);
    }
  }

  /** A volume is to be provisioned for a claim on a node: a PersistentVolumeClaim is written. */
  public record SelectNode(ObjectName claim, String node, JsonObject tree) implements Write {

    public static SelectNode of(ClaimInfo claim, String node) {
      JsonObject tree =
          (JsonObject)
              FieldPath.of("metadata", "annotations", WellKnownAnnotations.SELECTED_NODE)
                  .set(claim.tree(), node);
      return new SelectNode(claim.name(), node, tree);
    }
  }
}
