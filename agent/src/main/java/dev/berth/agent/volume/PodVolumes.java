package dev.berth.agent.volume;

import dev.berth.agent.runtime.Mount;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * The volumes of this node's pods. All methods may block, and those for one pod are called one
 * after the other.
 */
public interface PodVolumes {

  /**
   * Makes all volumes of a pod, or brings them up to date; nothing is undone on failure, since it
   * is tried again.
   *
   * @param pod as the server shows it, or a file for a static one
   */
  void prepare(JsonObject pod) throws VolumeFailure;

  /**
   * What a container of a pod with prepared volumes mounts of them, in the order of the
   * specification.
   *
   * @param environment for {@code subPathExpr}
   */
  List<Mount> mounts(JsonObject pod, JsonObject container, Map<String, String> environment)
      throws VolumeFailure;

  /** The group that the volumes of a pod belong to, among the supplemental groups of containers. */
  List<Long> groups(JsonObject pod);

  /** Brings what changes by itself up to date: config maps, secrets, tokens, labels. */
  void refresh(JsonObject pod) throws VolumeFailure;

  /** Unmounts and removes the volumes of a pod whose containers have all ended. */
  void release(String podUid) throws VolumeFailure;

  /** The pods of which there still are volumes, whoever made them. */
  List<String> leftovers();
}
