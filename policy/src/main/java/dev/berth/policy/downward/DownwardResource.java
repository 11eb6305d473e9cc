package dev.berth.policy.downward;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A container's request or limit as its pod is told it, {@code resourceFieldRef}.
 *
 * <ol>
 *   <li>{@code requests.} and {@code limits.} of CPU, memory, local storage and huge pages.
 *   <li>A limit that is not set is what the node has to give.
 *   <li>The amount is divided by {@code divisor}, 1 if none is given, and rounded up.
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
   * Reads what a reference of a volume means, which names its container.
   *
   * @param allocatable of the node
   */
  public static DownwardValue read(JsonObject pod, JsonObject reference, ResourceList allocatable) {
    String name = reference.text("containerName", "");
    JsonObject spec = pod.object("spec");
    Optional<JsonObject> container =
        Stream.of("containers", "initContainers")
            .flatMap(list -> spec.array(list).objects().stream())
            .filter(candidate -> candidate.text("name", "").equals(name))
            .findFirst();
    return container.isEmpty()
        ? new DownwardValue.Problem("container " + name + " not found")
        : ofContainer(container.get(), reference, allocatable);
  }

  /** The same for a container that is known, as in its environment. */
  public static DownwardValue ofContainer(
      JsonObject container, JsonObject reference, ResourceList allocatable) {
    String resource = reference.text("resource", "");
    boolean isLimit = resource.startsWith(LIMITS);
    if (!isLimit && !resource.startsWith(REQUESTS)) {
      return unsupported(resource);
    }
    String name = resource.substring(isLimit ? LIMITS.length() : REQUESTS.length());
    if (!KNOWN.contains(name) && !name.startsWith(HUGE_PAGES)) {
      return unsupported(resource);
    }
    ResourceList amounts =
        ResourceList.read(container.object("resources").object(isLimit ? "limits" : "requests"));
    Quantity amount = amounts.get(name);
    if (isLimit && amount.isZero() && KNOWN.contains(name)) {
      amount = allocatable.get(name);
    }
    Quantity divisor = divisor(reference);
    double quotient =
        name.equals(ResourceList.CPU)
            ? (double) amount.milliValue() / divisor.milliValue()
            : (double) amount.value() / divisor.value();
    return new DownwardValue.Text(Long.toString((long) Math.ceil(quotient)));
  }

  private static DownwardValue unsupported(String resource) {
    return new DownwardValue.Problem("unsupported container resource : " + resource);
  }

  private static Quantity divisor(JsonObject reference) {
    Object divisor = reference.get("divisor");
    try {
      Quantity given = divisor == null ? Quantity.ZERO : Quantity.fromTree(divisor);
      return given.isZero() ? Quantity.of(1) : given;
    } catch (QuantityFormatException malformed) {
      return Quantity.of(1);
    }
  }
}
