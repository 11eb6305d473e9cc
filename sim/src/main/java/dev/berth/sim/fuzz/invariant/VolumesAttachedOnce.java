package dev.berth.sim.fuzz.invariant;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/** N15: a volume that one node may use is never attached to two. */
public final class VolumesAttachedOnce implements Invariant {

  @Override
  public String words() {
    return "no volume is attached twice";
  }

  @Override
  public Optional<String> changed(StoreChange change, ClusterState state) {
    JsonObject made = change.after();
    if (!change.resource().equals(ClusterState.ATTACHMENTS)
        || change.before() != null
        || made == null) {
      return Optional.empty();
    }
    String volume = volume(made);
    JsonObject object = state.find(ClusterState.VOLUMES, ObjectName.of(volume));
    boolean isShared =
        object != null
            && object.object("spec").array("accessModes").texts().contains("ReadWriteMany");
    if (isShared) {
      return Optional.empty();
    }
    return state.all(ClusterState.ATTACHMENTS).stream()
        .filter(other -> volume(other).equals(volume))
        .filter(other -> !ObjectName.of(other).equals(change.name()))
        .findFirst()
        .map(other ->
            "%s is being attached to %s by %s, and is to %s"
                .formatted(volume, node(made), change.sender(), node(other)));
  }

  private static String volume(JsonObject attachment) {
    return attachment.object("spec").object("source").text("persistentVolumeName", "");
  }

  private static String node(JsonObject attachment) {
    return attachment.object("spec").text("nodeName", "");
  }
}
