package dev.berth.agent.node;

import dev.berth.model.config.ConfigException;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Resources that a machine has and the kernel knows nothing of, in a file in YAML or JSON, one name
 * and whole number each:
 *
 * <pre>{@code
 * example.com/fpga: 4
 * example.com/license: 25
 * }</pre>
 *
 * A name has a domain, which is not kubernetes.io. The file is read each time the node computes its
 * status, so that a change is reported within seconds; what is taken out is taken out of the
 * status.
 */
public final class ExtendedResourcesFile {
  private ExtendedResourcesFile() {}

  /**
   * Reads a file.
   *
   * @throws ConfigException if it cannot be used
   */
  public static ResourceList read(Path file) {
    JsonObject tree =
        ConfigFile.tree(
            file,
            twice -> {
              throw new ConfigException(file + ": " + twice);
            });
    SortedMap<String, Quantity> amounts = new TreeMap<>();
    tree.forEach((name, value) -> amounts.put(checked(file, name), amount(file, name, value)));
    return new ResourceList(amounts);
  }

  private static String checked(Path file, String name) {
    List<String> problems = NameRules.qualifiedName(name);
    if (!problems.isEmpty()) {
      throw new ConfigException("%s: %s: %s".formatted(file, name, problems.getFirst()));
    }
    int slash = name.indexOf('/');
    if (slash < 0 || name.substring(0, slash).endsWith("kubernetes.io")) {
      throw new ConfigException(
          "%s: %s: an extended resource has a domain of its own, such as example.com/fpga"
              .formatted(file, name));
    }
    return name;
  }

  private static Quantity amount(Path file, String name, Object value) {
    try {
      Quantity amount = Quantity.fromTree(value);
      if (amount.signum() >= 0 && amount.compareTo(Quantity.of(amount.value())) == 0) {
        return Quantity.of(amount.value());
      }
    } catch (QuantityFormatException e) {
      // Said below.
    }
    throw new ConfigException(
        "%s: %s: must be a whole number, not %s".formatted(file, name, value));
  }
}
