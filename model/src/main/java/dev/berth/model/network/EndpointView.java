package dev.berth.model.network;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;

/**
 * An endpoint of an EndpointSlice.
 *
 * @param hostname empty if it has none
 * @param nodeName empty if nobody says
 * @param forNodes the nodes whose clients should use it; empty if nobody says
 * @param forZones the same, by zone
 */
public record EndpointView(
    List<String> addresses,
    String hostname,
    String nodeName,
    boolean ready,
    boolean serving,
    boolean terminating,
    Set<String> forNodes,
    Set<String> forZones) {

  public static EndpointView read(JsonObject endpoint) {
    JsonObject conditions = endpoint.object("conditions");
    JsonObject hints = endpoint.object("hints");
    return new EndpointView(
        endpoint.array("addresses").texts(),
        endpoint.text("hostname", ""),
        endpoint.text("nodeName", ""),
        conditions.flag("ready", true),
        conditions.flag("serving", true),
        conditions.flag("terminating", false),
        names(hints, "forNodes"),
        names(hints, "forZones"));
  }

  private static Set<String> names(JsonObject hints, String list) {
    return Set.copyOf(
        hints.array(list).objects().stream().map(each -> each.text("name", "")).toList());
  }
}
