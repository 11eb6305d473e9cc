package dev.berth.kinds.networking;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.TreeSet;

/** How ingresses and their classes are printed. */
final class IngressColumns {
  private static final String DEFAULT_CLASS = "ingressclass.kubernetes.io/is-default-class";
  private static final int MOST_HOSTS = 3;
  private static final int WIDEST_ADDRESS = 16;

  private IngressColumns() {}

  static final Column HOSTS =
      Column.text("Hosts", "The names that are served.", IngressColumns::hosts);

  static final Column ADDRESS =
      Column.text("Address", "Where the ingress is reached.", IngressColumns::address);

  static final Column PORTS =
      Column.text(
          "Ports",
          "The ports that are served.",
          ingress -> ingress.object("spec").array("tls").isEmpty() ? "80" : "80, 443");

  static final Column CLASS_NAME =
      new Column(
          "Name",
          "string",
          "name",
          Column.NAME.description(),
          0,
          (object, now) -> {
            JsonObject metadata = object.object("metadata");
            String isDefault = metadata.object("annotations").text(DEFAULT_CLASS, "");
            return metadata.text("name", "") + (isDefault.equals("true") ? " (default)" : "");
          });

  static final Column PARAMETERS =
      Column.text("Parameters", "An object with more about the class.", IngressColumns::parameters);

  private static String hosts(JsonObject ingress) {
    List<JsonObject> rules = ingress.object("spec").array("rules").objects();
    List<String> hosts =
        rules.stream().map(rule -> rule.text("host", "")).filter(host -> !host.isEmpty()).toList();
    if (hosts.isEmpty()) {
      return "*";
    }
    String shown = Cells.join(hosts.stream().limit(MOST_HOSTS).toList());
    return hosts.size() < MOST_HOSTS || rules.size() <= MOST_HOSTS
        ? shown
        : "%s + %d more...".formatted(shown, rules.size() - MOST_HOSTS);
  }

  private static String address(JsonObject ingress) {
    TreeSet<String> addresses = new TreeSet<>();
    for (JsonObject point :
        ingress.object("status").object("loadBalancer").array("ingress").objects()) {
      String ip = point.text("ip", "");
      String address = ip.isEmpty() ? point.text("hostname", "") : ip;
      if (!address.isEmpty()) {
        addresses.add(address);
      }
    }
    String text = String.join(",", addresses);
    return text.length() > WIDEST_ADDRESS ? text.substring(0, WIDEST_ADDRESS - 3) + "..." : text;
  }

  private static String parameters(JsonObject ingressClass) {
    JsonObject parameters = ingressClass.object("spec").object("parameters");
    if (parameters.isEmpty()) {
      return Cells.NONE;
    }
    String group = parameters.text("apiGroup", "");
    return parameters.text("kind", "")
        + (group.isEmpty() ? "" : "." + group)
        + "/"
        + parameters.text("name", "");
  }
}
