package dev.berth.agent.pod;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The pods of this node as other parts of the agent see them. For any thread; nothing blocks. */
public interface RunningPods {

  /** All pods that this node knows of, static ones included, with their status as known here. */
  List<JsonObject> pods();

  Optional<JsonObject> find(String namespace, String name);

  /**
   * A container of a pod.
   *
   * @param previous the one before the newest, if there was one
   */
  Optional<ContainerStatus> container(PodId pod, String name, boolean previous);

  /**
   * Ends a pod for the node's sake. Its status says so from now on, and it is not started again.
   *
   * @param grace what its containers get at most
   */
  void evict(PodId pod, Eviction eviction, Duration grace);

  /**
   * What the status of an evicted pod says.
   *
   * @param reason such as {@code Evicted}
   * @param disruption the message of its condition DisruptionTarget, whose reason is {@code
   *     TerminationByKubelet}; empty for none
   */
  record Eviction(String reason, String message, Optional<String> disruption) {}
}
