package dev.berth.policy.podrun;

import dev.berth.model.core.PodCondition;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import java.util.ArrayList;
import java.util.List;

/**
 * The conditions of a pod that its node owns, in a kubelet's order and words.
 *
 * <ul>
 *   <li>PodReadyToStartContainers: what its containers share is there.
 *   <li>Initialized: its init containers have done their work and its sidecars have started, once;
 *       it stays so when they start again later.
 *   <li>ContainersReady: all containers and sidecars are ready. A pod that has ended is not.
 *   <li>Ready: that, and all of its readiness gates are True.
 *   <li>PodScheduled: it is here.
 * </ul>
 */
public final class PodConditions {
  private static final String COMPLETED = "PodCompleted";
  private static final String FAILED = "PodFailed";

  private PodConditions() {}

  /**
   * What conditions depend on of a container.
   *
   * @param isDone for an init container: it has done its work, or has started if it is a sidecar;
   *     for others: it was ever started
   */
  public record Container(String name, boolean isSidecar, boolean isReady, boolean isDone) {}

  /**
   * What the conditions follow from.
   *
   * @param hasSandbox whether what the containers share is there
   * @param gates the types of its readiness gates
   * @param shown all conditions of its status, also those that others set
   */
  public record Inputs(
      PodPhase phase,
      boolean hasSandbox,
      List<Container> inits,
      List<Container> containers,
      List<String> gates,
      JsonArray shown) {}

  public static List<PodCondition> of(Inputs pod) {
    PodCondition containersReady = containersReady(pod);
    return List.of(
        pod.hasSandbox
            ? PodCondition.isTrue(PodCondition.READY_TO_START)
            : PodCondition.isFalse(PodCondition.READY_TO_START, "", ""),
        initialized(pod),
        ready(pod, containersReady),
        containersReady,
        PodCondition.isTrue(PodCondition.SCHEDULED));
  }

  private static PodCondition initialized(Inputs pod) {
    String type = PodCondition.INITIALIZED;
    if (pod.phase == PodPhase.SUCCEEDED) {
      return new PodCondition(type, true, COMPLETED, "");
    }
    List<String> incomplete =
        pod.inits.stream().filter(c -> !c.isDone).map(Container::name).toList();
    boolean wasInitialized =
        pod.containers.stream().anyMatch(Container::isDone) || Conditions.isTrue(pod.shown, type);
    return incomplete.isEmpty() || wasInitialized
        ? PodCondition.isTrue(type)
        : PodCondition.isFalse(
            type,
            "ContainersNotInitialized",
            "containers with incomplete status: " + list(incomplete));
  }

  private static PodCondition containersReady(Inputs pod) {
    String type = PodCondition.CONTAINERS_READY;
    if (pod.phase == PodPhase.SUCCEEDED) {
      return PodCondition.isFalse(type, COMPLETED, "");
    }
    if (pod.phase == PodPhase.FAILED) {
      return PodCondition.isFalse(type, FAILED, "");
    }
    List<String> unready = new ArrayList<>();
    pod.inits.stream().filter(c -> c.isSidecar && !c.isReady).forEach(c -> unready.add(c.name));
    pod.containers.stream().filter(c -> !c.isReady).forEach(c -> unready.add(c.name));
    return unready.isEmpty()
        ? PodCondition.isTrue(type)
        : PodCondition.isFalse(
            type, "ContainersNotReady", "containers with unready status: " + list(unready));
  }

  private static PodCondition ready(Inputs pod, PodCondition containersReady) {
    String type = PodCondition.READY;
    if (!containersReady.isTrue()) {
      return PodCondition.isFalse(type, containersReady.reason(), containersReady.message());
    }
    List<String> unmet = unmetGates(pod.gates, pod.shown);
    return unmet.isEmpty()
        ? PodCondition.isTrue(type)
        : PodCondition.isFalse(type, "ReadinessGatesNotReady", String.join(", ", unmet));
  }

  /** Why readiness gates keep a pod from being ready; empty if they do not. */
  public static List<String> unmetGates(List<String> gates, JsonArray shown) {
    List<String> unmet = new ArrayList<>();
    for (String type : gates) {
      if (Conditions.find(shown, type).isEmpty()) {
        unmet.add(
            "corresponding condition of pod readiness gate \"%s\" does not exist.".formatted(type));
      } else if (!Conditions.isTrue(shown, type)) {
        unmet.add(
            "the status of pod readiness gate \"%s\" is not \"True\", but %s"
                .formatted(type, Conditions.status(shown, type)));
      }
    }
    return unmet;
  }

  private static String list(List<String> names) {
    return "[" + String.join(" ", names) + "]";
  }
}
