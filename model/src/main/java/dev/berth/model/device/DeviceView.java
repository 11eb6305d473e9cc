package dev.berth.model.device;

import dev.berth.model.core.Views;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A device of a slice.
 *
 * @param tree as it is written
 * @param shared whether several claims may use it at once, each a part of its capacity
 * @param capacity by qualified names
 * @param place its own; used where its slice says so
 * @param bindsToNode whether an allocation is for the chosen node alone
 */
public record DeviceView(
    String name,
    JsonObject tree,
    boolean shared,
    Map<String, CapacityView> capacity,
    List<DeviceTaint> taints,
    List<CounterSet> consumes,
    NodePlace place,
    boolean bindsToNode,
    List<String> bindingConditions,
    List<String> bindingFailureConditions) {

  public static DeviceView read(JsonObject device) {
    Map<String, CapacityView> capacity = new LinkedHashMap<>();
    JsonObject amounts = device.object("capacity");
    amounts.names().forEach(name -> capacity.put(name, CapacityView.read(amounts.object(name))));
    return new DeviceView(
        device.text("name", ""),
        device,
        device.flag("allowMultipleAllocations", false),
        capacity,
        Views.list(device.array("taints"), DeviceTaint::read),
        Views.list(device.array("consumesCounters"), set -> CounterSet.read(set, "counterSet")),
        NodePlace.read(device),
        device.flag("bindsToNode", false),
        List.copyOf(device.array("bindingConditions").texts()),
        List.copyOf(device.array("bindingFailureConditions").texts()));
  }

  /** Its attributes, by qualified names, as they are written. */
  public JsonObject attributes() {
    return tree.object("attributes");
  }

  /** Amounts by name: what there is to share of a pool, or what a device takes of that. */
  public record CounterSet(String name, Map<String, Quantity> counters) {

    static CounterSet read(JsonObject set, String nameField) {
      Map<String, Quantity> counters = new LinkedHashMap<>();
      JsonObject written = set.object("counters");
      written
          .names()
          .forEach(
              name -> counters.put(name, CapacityView.quantity(written.object(name), "value")));
      return new CounterSet(set.text(nameField, ""), counters);
    }
  }
}
