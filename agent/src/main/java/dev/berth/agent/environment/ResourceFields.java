package dev.berth.agent.environment;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.stream.Stream;

/**
 * Amounts of a container's resources as its processes may see them: divided by what they ask for
 * and rounded up. A limit that is not set is what the node has to give.
 *
 * @param allocatable the node's
 */
public record ResourceFields(JsonObject pod, JsonObject allocatable) {

  /**
   * The value of a {@code resourceFieldRef}.
   *
   * @param container the one that asks, unless the reference names another
   */
  public String value(JsonObject reference, JsonObject container) throws EnvironmentFailure {
    String named = reference.text("containerName", "");
    JsonObject resources = (named.isEmpty() ? container : find(named)).object("resources");
    String[] path = reference.text("resource", "").split("\\.", 2);
    boolean isLimit = path[0].equals("limits");
    if (path.length < 2 || !(isLimit || path[0].equals("requests"))) {
      throw new EnvironmentFailure(
          "unsupported container resource : " + reference.text("resource", ""));
    }
    Quantity amount = ResourceList.read(resources.object(path[0])).get(path[1]);
    if (isLimit && amount.isZero()) {
      amount = ResourceList.read(allocatable).get(path[1]);
    }
    Object divisor = reference.get("divisor");
    Quantity by = divisor == null ? Quantity.ZERO : Quantity.fromTree(divisor);
    BigDecimal unit = by.isZero() ? BigDecimal.ONE : by.amount();
    return amount.amount().divide(unit, 0, RoundingMode.CEILING).toPlainString();
  }

  private JsonObject find(String name) throws EnvironmentFailure {
    JsonObject spec = pod.object("spec");
    return Stream.concat(
            spec.array("containers").objects().stream(),
            spec.array("initContainers").objects().stream())
        .filter(container -> container.text("name", "").equals(name))
        .findFirst()
        .orElseThrow(() -> new EnvironmentFailure("container " + name + " not found"));
  }
}
