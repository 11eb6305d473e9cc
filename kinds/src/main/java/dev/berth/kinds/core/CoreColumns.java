package dev.berth.kinds.core;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/** How the smaller kinds of the core group are printed. */
final class CoreColumns {
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

  private static String endpoints(JsonObject endpoints) {
    String text =
        endpoints.array("subsets").objects().stream()
            .flatMap(subset ->
                subset.array("addresses").objects().stream()
                    .flatMap(address ->
                        subset.array("ports").objects().stream()
                            .map(port ->
                                address.text("ip", "") + ":" + port.integer("port").orElse(0))))
            .collect(Collectors.joining(","));
    return Cells.orNone(text);
  }
}
