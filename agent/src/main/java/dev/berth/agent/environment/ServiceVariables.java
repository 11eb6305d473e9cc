package dev.berth.agent.environment;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Variables that tell a container where services are: those of its own namespace, unless it does
 * not want them, and always {@code kubernetes} of the namespace {@code default}. Services without
 * an address of the cluster have none.
 */
final class ServiceVariables {
  private static final String DEFAULT_NAMESPACE = "default";
  private static final String KUBERNETES = "kubernetes";

  private ServiceVariables() {}

  /**
   * The variables of services.
   *
   * @param own the services of the pod's namespace
   * @param defaults those of the default namespace
   * @param links whether the pod wants those of its namespace
   */
  static Map<String, String> of(List<JsonObject> own, List<JsonObject> defaults, boolean links) {
    Map<String, JsonObject> services = new TreeMap<>();
    for (JsonObject service : defaults) {
      if (Metadata.of(service).name().equals(KUBERNETES)) {
        services.put(KUBERNETES, service);
      }
    }
    if (links) {
      for (JsonObject service : own) {
        Metadata metadata = Metadata.of(service);
        if (metadata.namespace().equals(DEFAULT_NAMESPACE)) {
          services.putIfAbsent(metadata.name(), service);
        } else {
          services.put(metadata.name(), service);
        }
      }
    }
    Map<String, String> variables = new TreeMap<>();
    services.forEach((name, service) -> add(variables, name, service.object("spec")));
    return variables;
  }

  private static void add(Map<String, String> variables, String service, JsonObject spec) {
    String address = spec.text("clusterIP", "");
    List<JsonObject> ports = spec.array("ports").objects();
    if (address.isEmpty() || address.equals("None") || ports.isEmpty()) {
      return;
    }
    String prefix = variableName(service);
    variables.put(prefix + "_SERVICE_HOST", address);
    variables.put(prefix + "_SERVICE_PORT", number(ports.getFirst()));
    String host = address.contains(":") ? "[" + address + "]" : address;
    for (JsonObject port : ports) {
      String name = port.text("name", "");
      if (!name.isEmpty()) {
        variables.put(prefix + "_SERVICE_PORT_" + variableName(name), number(port));
      }
      String protocol = port.text("protocol", "TCP").toLowerCase(Locale.ROOT);
      String url = protocol + "://" + host + ":" + number(port);
      variables.putIfAbsent(prefix + "_PORT", url);
      String each = prefix + "_PORT_" + number(port) + "_" + protocol.toUpperCase(Locale.ROOT);
      variables.put(each, url);
      variables.put(each + "_PROTO", protocol);
      variables.put(each + "_PORT", number(port));
      variables.put(each + "_ADDR", address);
    }
  }

  private static String number(JsonObject port) {
    return Long.toString(port.integer("port").orElse(0));
  }

  private static String variableName(String name) {
    return name.replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
