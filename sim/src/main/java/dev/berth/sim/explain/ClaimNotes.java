package dev.berth.sim.explain;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The claims of a pod that are not bound, and what that depends on. */
final class ClaimNotes {
  private static final String CLAIMS = "persistentvolumeclaims";
  private static final String CLASSES = "storageclasses.storage.k8s.io";

  private ClaimNotes() {}

  static List<String> of(ExplainedCluster cluster, JsonObject pod) {
    List<String> notes = new ArrayList<>();
    ObjectName name = ObjectName.of(pod);
    for (JsonObject volume : pod.object("spec").array("volumes").objects()) {
      String claim =
          volume.has("ephemeral")
              ? name.name() + "-" + volume.text("name", "")
              : volume.object("persistentVolumeClaim").text("claimName", "");
      if (!claim.isEmpty()) {
        note(cluster, new ObjectName(name.namespace(), claim)).ifPresent(notes::add);
      }
    }
    return notes;
  }

  private static Optional<String> note(ExplainedCluster cluster, ObjectName name) {
    Optional<JsonObject> claim = cluster.find(CLAIMS, name);
    if (claim.isEmpty()) {
      return Optional.of("Claim %s does not exist: create it.".formatted(name));
    }
    String phase = claim.get().object("status").text("phase", "Pending");
    if (phase.equals("Bound")) {
      return Optional.empty();
    }
    String className = claim.get().object("spec").text("storageClassName", "");
    if (className.isEmpty()) {
      return Optional.of(
          "Claim %s is %s and has no storage class: it waits for a volume that fits."
              .formatted(name, phase));
    }
    return Optional.of(
        cluster
            .find(CLASSES, ObjectName.of(className))
            .map(found ->
                found.text("volumeBindingMode", "").equals("WaitForFirstConsumer")
                    ? "Claim %s is %s: its class %s gives it a volume once the pod has a node."
                        .formatted(name, phase, className)
                    : "Claim %s is %s: the provisioner %s of its class %s has not made a volume."
                        .formatted(name, phase, found.text("provisioner", ""), className))
            .orElse(
                "Claim %s is %s: its storage class %s does not exist."
                    .formatted(name, phase, className)));
  }
}
