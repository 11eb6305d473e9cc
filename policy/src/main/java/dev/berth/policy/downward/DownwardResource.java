package dev.berth.policy.downward;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceFieldSelector;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A container's request or limit as its pod is told it, {@code resourceFieldRef}.
 *
 * <ol>
 *   <li>{@code requests.} and {@code limits.} of CPU, memory, local storage and huge pages.
 *   <li>A limit that is not set is what the node has to give; in variables, what the pod as a whole
 *       is limited to, if it is. In files, as upstream, it is the node's in any case.
 *   <li>Huge pages are never overcommitted, so nothing stands in for their limit.
 *   <li>The amount is divided by {@code divisor} and rounded up.
 * </ol>
 */
public final class DownwardResource {
  private static final String REQUESTS = "requests.";
  private static final String LIMITS = "limits.";
  private static final String HUGE_PAGES = "hugepages-";
  private static final Set<String> KNOWN =
      Set.of(ResourceList.CPU, ResourceList.MEMORY, ResourceList.EPHEMERAL_STORAGE);

  private DownwardResource() {}

  /**
   * Reads what a selector of a volume means, which names its container.
   *
   * @param unlimited what a limit is that is not set, such as the node's allocatable
   */
  public static DownwardValue read(
      PodSpecView pod, ResourceFieldSelector selector, ResourceList unlimited) {
    Optional<ContainerView> container =
        Stream.concat(pod.containers().stream(), pod.initContainers().stream())
            .filter(candidate -> candidate.name().equals(selector.containerName()))
            .findFirst();
    return container.isEmpty()
        ? new DownwardValue.Problem("container " + selector.containerName() + " not found")
        : ofContainer(container.get(), selector, unlimited);
  }

  /** What the limit of a container of a pod is in its environment that it does not set itself. */
  public static ResourceList unlimited(PodSpecView pod, ResourceList allocatable) {
    ResourceList unlimited = allocatable;
    ResourceList own = ResourceList.read(pod.limits());
    for (String name : List.of(ResourceList.CPU, ResourceList.MEMORY)) {
      if (!own.get(name).isZero()) {
        unlimited = unlimited.with(name, own.get(name));
      }
    }
    return unlimited;
  }

  /** The same for a container that is known, as in its environment. */
  public static DownwardValue ofContainer(
      ContainerView container, ResourceFieldSelector selector, ResourceList unlimited) {
    String resource = selector.resource();
    boolean isLimit = resource.startsWith(LIMITS);
    if (!isLimit && !resource.startsWith(REQUESTS)) {
      return unsupported(resource);
    }
    String name = resource.substring(isLimit ? LIMITS.length() : REQUESTS.length());
    if (!KNOWN.contains(name) && !name.startsWith(HUGE_PAGES)) {
      return unsupported(resource);
    }
    Quantity amount =
        ResourceList.read(isLimit ? container.limits() : container.requests()).get(name);
    if (isLimit && amount.isZero() && KNOWN.contains(name)) {
      amount = unlimited.get(name);
    }
    double quotient =
        name.equals(ResourceList.CPU)
            ? (double) amount.milliValue() / selector.divisor().milliValue()
            : (double) amount.value() / selector.divisor().value();
    return new DownwardValue.Text(Long.toString((long) Math.ceil(quotient)));
  }

  private static DownwardValue unsupported(String resource) {
    return new DownwardValue.Problem("unsupported container resource : " + resource);
  }
}
