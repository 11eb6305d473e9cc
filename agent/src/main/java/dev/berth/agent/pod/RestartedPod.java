package dev.berth.agent.pod;

import dev.berth.model.tree.JsonObject;

/**
 * A static pod whose file went and came again while it ended. It begins anew, but under its old
 * uid, so its containers go on to count: their next attempts are other ones.
 */
final class RestartedPod {
  private static final String CONTAINERS = "containerStatuses";

  private RestartedPod() {}

  /**
   * @param status what was said last of the one that has ended
   */
  static JsonObject of(JsonObject pod, JsonObject status) {
    return pod.with("status", JsonObject.of(CONTAINERS, status.array(CONTAINERS)));
  }
}
