package dev.berth.model.device;

import dev.berth.model.core.Views;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a claim asks for, in one of its requests.
 *
 * @param alternatives what will do, the best first; one if the request says exactly what it wants
 * @param isPrioritized whether these are subrequests, of which one is chosen
 */
public record DeviceRequestView(String name, List<Wanted> alternatives, boolean isPrioritized) {

  public static DeviceRequestView read(JsonObject request) {
    String name = request.text("name", "");
    JsonArray first = request.array("firstAvailable");
    List<Wanted> alternatives =
        first.isEmpty()
            ? Stream.of(request)
                .filter(exact -> exact.has("exactly"))
                .map(exact -> Wanted.read(name, exact.object("exactly")))
                .toList()
            : Views.list(first, sub -> Wanted.read(sub.text("name", ""), sub));
    return new DeviceRequestView(name, alternatives, !first.isEmpty());
  }

  /** The name of an alternative in results: {@code request} or {@code request/subrequest}. */
  public String reference(Wanted wanted) {
    return isPrioritized ? name + "/" + wanted.name() : name;
  }

  /**
   * Which devices, and how many.
   *
   * @param name of the request, or of the subrequest
   * @param count how many; of no meaning if all are wanted
   * @param selectors the expressions of its selectors
   * @param tolerations as they are written
   * @param amounts what is wanted of the devices' capacity
   */
  public record Wanted(
      String name,
      String deviceClass,
      String mode,
      long count,
      boolean adminAccess,
      List<String> selectors,
      JsonArray tolerations,
      Map<String, Quantity> amounts) {

    static Wanted read(String name, JsonObject tree) {
      Map<String, Quantity> amounts = new LinkedHashMap<>();
      JsonObject requests = tree.object("capacity").object("requests");
      requests.names().forEach(key -> amounts.put(key, CapacityView.quantity(requests, key)));
      return new Wanted(
          name,
          tree.text("deviceClassName", ""),
          tree.text("allocationMode", "ExactCount"),
          tree.integer("count").orElse(1),
          tree.flag("adminAccess", false),
          DeviceClassView.expressions(tree.array("selectors")),
          tree.array("tolerations"),
          amounts);
    }

    public boolean tolerates(DeviceTaint taint) {
      return tolerations.objects().stream()
          .anyMatch(toleration -> DeviceToleration.read(toleration).tolerates(taint));
    }
  }
}
