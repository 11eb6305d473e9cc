package dev.berth.kinds.core;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the smaller kinds of the core group are printed. */
final class CoreColumns {
  /** More endpoints than these are only counted. */
  private static final int MOST_ENDPOINTS = 3;

  private CoreColumns() {}

  static final Column PHASE =
      Column.text("Status", "The phase the object is in.", Cells.text("status.phase", ""));

  static final Column COMPONENT_STATUS =
      Column.text(
          "Status",
          "Whether the component is well.",
          component ->
              switch (health(component).text("status", "")) {
                case Conditions.TRUE -> "Healthy";
                case Conditions.FALSE -> "Unhealthy";
                default -> "Unknown";
              });

  static Column componentField(String name, String field) {
    return Column.text(
        name, "What the component says.", component -> health(component).text(field, ""));
  }

  private static JsonObject health(JsonObject component) {
    return component.array("conditions").objects().stream().findFirst().orElse(JsonObject.EMPTY);
  }

  static final Column DATA =
      new Column(
          "Data",
          "string",
          "",
          "How many keys there are.",
          0,
          (object, now) ->
              (long) object.object("data").size() + object.object("binaryData").size());

  static final Column SECRET_TYPE =
      Column.text("Type", "What the secret is for.", Cells.text("type", ""));

  static final Column SERVICE_TYPE =
      Column.text("Type", "How the service can be reached.", Cells.text("spec.type", ""));

  static final Column CLUSTER_IP =
      Column.text("Cluster-IP", "The service's address.", Cells.text("spec.clusterIP", Cells.NONE));

  static final Column SERVICE_EXTERNAL_IP =
      Column.text("External-IP", "The addresses from outside.", CoreColumns::externalIps);

  static final Column PORTS = Column.text("Port(s)", "The service's ports.", CoreColumns::ports);

  static final Column SERVICE_SELECTOR =
      Column.text(
              "Selector",
              "Which pods serve, by their labels.",
              service -> Cells.labels(service.object("spec").object("selector")))
          .wide();

  static final Column ENDPOINTS =
      Column.text("Endpoints", "The addresses that serve.", CoreColumns::endpoints);

  private static String externalIps(JsonObject service) {
    JsonObject spec = service.object("spec");
    if (spec.text("type", "").equals("ExternalName")) {
      return Cells.orNone(spec.text("externalName", ""));
    }
    List<String> ips = spec.array("externalIPs").texts();
    return ips.isEmpty()
        ? spec.text("type", "").equals("LoadBalancer") ? "<pending>" : Cells.NONE
        : Cells.join(ips);
  }

  private static String ports(JsonObject service) {
    String ports =
        service.object("spec").array("ports").objects().stream()
            .map(port -> {
              long node = port.integer("nodePort").orElse(0);
              return port.integer("port").orElse(0)
                  + (node > 0 ? ":" + node : "")
                  + "/"
                  + port.text("protocol", "TCP");
            })
            .collect(Collectors.joining(","));
    return Cells.orNone(ports);
  }

  /** The first addresses, each with each port, and how many there are more. */
  private static String endpoints(JsonObject endpoints) {
    List<JsonObject> subsets = endpoints.array("subsets").objects();
    if (subsets.isEmpty()) {
      return Cells.NONE;
    }
    List<String> all = subsets.stream().flatMap(CoreColumns::endpointsOf).toList();
    String first = all.stream().limit(MOST_ENDPOINTS).collect(Collectors.joining(","));
    return all.size() > MOST_ENDPOINTS
        ? "%s + %d more...".formatted(first, all.size() - MOST_ENDPOINTS)
        : first;
  }

  private static Stream<String> endpointsOf(JsonObject subset) {
    List<String> ips =
        subset.array("addresses").objects().stream()
            .map(address -> address.text("ip", ""))
            .toList();
    List<JsonObject> ports = subset.array("ports").objects();
    return ports.isEmpty()
        ? ips.stream()
        : ports.stream()
            .map(port -> port.integer("port").orElse(0))
            .flatMap(port ->
                ips.stream().map(ip -> (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port));
  }
}
