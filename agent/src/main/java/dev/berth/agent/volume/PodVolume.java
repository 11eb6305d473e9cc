package dev.berth.agent.volume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.OptionalLong;

/**
 * A volume as a pod's specification has it.
 *
 * @param kind the field that says of what kind it is, such as {@code emptyDir}; empty if none does
 * @param source what is in that field
 */
record PodVolume(JsonObject pod, String name, String kind, JsonObject source) {
  private static final String NAME = "name";

  static PodVolume read(JsonObject pod, JsonObject volume) {
    for (int i = 0; i < volume.size(); i++) {
      if (!volume.name(i).equals(NAME) && volume.value(i) instanceof JsonObject source) {
        return new PodVolume(pod, volume.text(NAME, ""), volume.name(i), source);
      }
    }
    return new PodVolume(pod, volume.text(NAME, ""), "", JsonObject.EMPTY);
  }

  String podUid() {
    return Metadata.of(pod).uid();
  }

  String namespace() {
    return Metadata.of(pod).namespace();
  }

  FsGroup fsGroup() {
    return fsGroup(pod);
  }

  static FsGroup fsGroup(JsonObject pod) {
    JsonObject context = pod.object("spec").object("securityContext");
    return new FsGroup(
        context.integer("fsGroup"),
        context.text("fsGroupChangePolicy", "").equals("OnRootMismatch"));
  }

  /** The user that all containers run as; empty if they run as several, or do not say. */
  OptionalLong onlyUser() {
    JsonObject spec = pod.object("spec");
    OptionalLong ofPod = spec.object("securityContext").integer("runAsUser");
    OptionalLong only = OptionalLong.empty();
    for (JsonObject container : Containers.of(pod)) {
      OptionalLong own = container.object("securityContext").integer("runAsUser");
      OptionalLong user = own.isPresent() ? own : ofPod;
      if (user.isEmpty() || (only.isPresent() && !only.equals(user))) {
        return OptionalLong.empty();
      }
      only = user;
    }
    return only;
  }
}
