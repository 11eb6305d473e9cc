package dev.berth.policy.node;

import dev.berth.model.core.PodTree;
import java.util.ArrayList;
import java.util.List;

/**
 * Which features a node must declare in {@code status.declaredFeatures} for what a pod wants of it:
 * a server may be newer than its nodes, and what a node does not know it would not do.
 *
 * <ol>
 *   <li>To be put there, a pod whose containers may restart all of it, and one with users of its
 *       own in the host's network.
 *   <li>To be changed there, a pod that is resized as a whole, and one of whose init containers is
 *       resized that is no sidecar.
 * </ol>
 */
public final class DeclaredFeatures {
  private static final String POD_RESIZE = "InPlacePodLevelResourcesVerticalScaling";
  private static final String INIT_CONTAINER_RESIZE = "InPlacePodVerticalScalingInitContainers";
  private static final String RESTART_ALL = "RestartAllContainersOnContainerExits";
  private static final String USERS_IN_HOST_NETWORK = "UserNamespacesHostNetworkSupport";

  /** Those that nodes of Berth have; by name. */
  public static final List<String> OF_BERTH =
      List.of(POD_RESIZE, INIT_CONTAINER_RESIZE, RESTART_ALL);

  private DeclaredFeatures() {}

  /** What a pod needs to be put on a node; by name. */
  public static List<String> toSchedule(PodTree pod) {
    boolean hasUsers = pod.hasUsersInHostNetwork();
    if (!pod.mayRestartAll()) {
      return hasUsers ? List.of(USERS_IN_HOST_NETWORK) : List.of();
    }
    return hasUsers ? List.of(RESTART_ALL, USERS_IN_HOST_NETWORK) : List.of(RESTART_ALL);
  }

  /** What the change of a pod needs of the node that it is on; by name. */
  public static List<String> toUpdate(PodTree before, PodTree after) {
    List<String> needed = new ArrayList<>();
    if (!before.resources().equals(after.resources())) {
      needed.add(POD_RESIZE);
    }
    if (!before.initContainerResources().equals(after.initContainerResources())) {
      needed.add(INIT_CONTAINER_RESIZE);
    }
    return List.copyOf(needed);
  }

  /** Those of the needed that a node does not declare. */
  public static List<String> missing(List<String> needed, List<String> declared) {
    return needed.stream().filter(feature -> !declared.contains(feature)).toList();
  }
}
