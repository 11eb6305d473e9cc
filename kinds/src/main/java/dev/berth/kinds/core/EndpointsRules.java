package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.EndpointAddresses;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Endpoints: addresses that serve, in sets with the same ports. */
final class EndpointsRules implements ResourceRules {
  private static final FieldPath SUBSETS = FieldPath.of("subsets");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final List<String> ADDRESSES = List.of("addresses", "notReadyAddresses");

  @Override
  public JsonObject defaults(JsonObject endpoints) {
    return endpoints.has("subsets")
        ? endpoints.with(
            "subsets",
            endpoints
                .array("subsets")
                .mapObjects(subset ->
                    subset.has("ports")
                        ? subset.with(
                            "ports",
                            subset
                                .array("ports")
                                .mapObjects(p -> FieldRules.orDefault(p, "protocol", "TCP")))
                        : subset))
        : endpoints;
  }

  @Override
  public List<FieldError> validate(JsonObject endpoints) {
    FieldErrorList problems = new FieldErrorList();
    List<JsonObject> subsets = endpoints.array("subsets").objects();
    for (int i = 0; i < subsets.size(); i++) {
      subset(subsets.get(i), SUBSETS.index(i), problems);
    }
    return problems.all();
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject endpoints, JsonObject old) {
    return endpoints.array("subsets").equals(old.array("subsets"))
        ? List.of()
        : validate(endpoints);
  }

  private static void subset(JsonObject subset, FieldPath at, FieldErrorList problems) {
    if (ADDRESSES.stream().allMatch(field -> subset.array(field).isEmpty())) {
      problems.required(at, "must specify `addresses` or `notReadyAddresses`");
    }
    for (String field : ADDRESSES) {
      List<JsonObject> addresses = subset.array(field).objects();
      for (int i = 0; i < addresses.size(); i++) {
        address(addresses.get(i), at.field(field).index(i), problems);
      }
    }
    List<JsonObject> ports = subset.array("ports").objects();
    for (int i = 0; i < ports.size(); i++) {
      port(ports.get(i), ports.size() > 1, at.field("ports").index(i), problems);
    }
  }

  private static void address(JsonObject address, FieldPath at, FieldErrorList problems) {
    String ip = address.text("ip", "");
    problems.invalid(at.field("ip"), ip, AddressRules.address(ip));
    String name = address.text("hostname", "");
    if (!name.isEmpty()) {
      problems.invalid(at.field("hostname"), name, NameRules.dns1123Label(name));
    }
    String node = address.text("nodeName");
    if (node != null) {
      problems.invalid(at.field("nodeName"), node, NameRules.dns1123Subdomain(node));
    }
    problems.invalid(at.field("ip"), ip, EndpointAddresses.problems(ip));
  }

  private static void port(
      JsonObject port, boolean oneOfSeveral, FieldPath at, FieldErrorList problems) {
    String name = port.text("name", "");
    if (!name.isEmpty()) {
      problems.invalid(at.field("name"), name, NameRules.dns1123Label(name));
    } else if (oneOfSeveral) {
      problems.required(at.field("name"), "");
    }
    problems.portNumber(port.integer("port").orElse(0), at.field("port"));
    if (problems.present(port, "protocol", at)) {
      problems.oneOf(at.field("protocol"), port.text("protocol", ""), PROTOCOLS);
    }
    String protocol = port.text("appProtocol");
    if (protocol != null) {
      problems.invalid(at.field("appProtocol"), protocol, NameRules.qualifiedName(protocol));
    }
  }
}
