package dev.berth.cel.device;

import dev.berth.cel.library.Semvers;
import dev.berth.cel.value.CelException;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A device as expressions see it. Attributes and capacities without a domain are of the driver's.
 *
 * @param problem why expressions cannot see it; empty if they can
 */
public record DeviceValues(Map<String, Object> variable, String problem) {

  /** The values of a device of a slice. */
  public static DeviceValues of(String driver, JsonObject device) {
    Map<String, Map<String, Object>> attributes = new Domains();
    Map<String, Map<String, Object>> capacity = new Domains();
    JsonObject written = device.object("attributes");
    for (String name : written.names()) {
      try {
        put(attributes, driver, name, value(written.object(name)));
      } catch (CelException e) {
        return new DeviceValues(Map.of(), "attribute " + name + ": " + e.reason());
      }
    }
    JsonObject amounts = device.object("capacity");
    for (String name : amounts.names()) {
      Object value = amounts.object(name).get("value");
      put(capacity, driver, name, value == null ? Quantity.ZERO : Quantity.fromTree(value));
    }
    Map<String, Object> variable =
        Map.of(
            "driver",
            driver,
            "allowMultipleAllocations",
            device.flag("allowMultipleAllocations", false),
            "attributes",
            attributes,
            "capacity",
            capacity);
    return new DeviceValues(variable, "");
  }

  private static void put(
      Map<String, Map<String, Object>> domains, String driver, String name, Object value) {
    int slash = name.indexOf('/');
    String domain = slash < 0 ? driver : name.substring(0, slash);
    domains.computeIfAbsent(domain, _ -> new HashMap<>()).put(name.substring(slash + 1), value);
  }

  private static Object value(JsonObject attribute) {
    if (attribute.integer("int").isPresent()) {
      return attribute.integer("int").getAsLong();
    }
    if (attribute.get("bool") instanceof Boolean flag) {
      return flag;
    }
    String text = attribute.text("string");
    if (text != null) {
      return text;
    }
    String version = attribute.text("version");
    if (version == null) {
      throw new CelException("unsupported attribute value");
    }
    try {
      return Semvers.parse(version);
    } catch (CelException e) {
      throw new CelException("parse semantic version: " + e.reason());
    }
  }

  /** Looks as if every domain were there, the unknown ones with nothing in them. */
  private static final class Domains extends HashMap<String, Map<String, Object>> {
    private static final long serialVersionUID = 1;

    @Override
    public @Nullable Map<String, Object> get(@Nullable Object domain) {
      Map<String, Object> known = super.get(domain);
      return known == null && domain instanceof String ? Map.of() : known;
    }
  }
}
