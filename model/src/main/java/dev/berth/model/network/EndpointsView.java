package dev.berth.model.network;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An Endpoints object, read where it stands in the tree. Its subsets are the tree's own: it is
 * right only if it says exactly what it should, and nothing else.
 */
public record EndpointsView(JsonObject tree) {

  /** One who answers, or does not yet. */
  public record Address(
      String ip, String hostname, String nodeName, JsonObject target, boolean isReady) {}

  /**
   * Those who answer at the same ports.
   *
   * @param addresses ready ones first
   * @param ports in the form that they have in an EndpointSlice
   */
  public record Subset(List<Address> addresses, List<JsonObject> ports) {}

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  public JsonArray subsets() {
    return tree.array("subsets");
  }

  /** The same, read. */
  public List<Subset> groups() {
    return subsets().objects().stream()
        .map(subset -> {
          List<Address> addresses = new ArrayList<>();
          subset.array("addresses").objects().forEach(each -> addresses.add(address(each, true)));
          subset
              .array("notReadyAddresses")
              .objects()
              .forEach(each -> addresses.add(address(each, false)));
          return new Subset(
              addresses,
              subset.array("ports").objects().stream().map(EndpointsView::port).toList());
        })
        .toList();
  }

  private static Address address(JsonObject address, boolean isReady) {
    return new Address(
        address.text("ip", ""),
        address.text("hostname", ""),
        address.text("nodeName", ""),
        address.object("targetRef"),
        isReady);
  }

  private static JsonObject port(JsonObject port) {
    return new JsonObject.Builder()
        .put("name", port.text("name", ""))
        .put("protocol", port.text("protocol", "TCP"))
        .put("port", port.integer("port").orElse(0))
        .putIfPresent("appProtocol", orNull(port.text("appProtocol", "")))
        .build();
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
