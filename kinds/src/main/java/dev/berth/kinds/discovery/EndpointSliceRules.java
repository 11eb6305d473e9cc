package dev.berth.kinds.discovery;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.EndpointAddresses;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Slices of a service's endpoints: addresses of one family, and their ports. */
final class EndpointSliceRules implements ResourceRules {
  private static final String TOPOLOGY = "deprecatedTopology";
  private static final FieldPath TYPE = FieldPath.of("addressType");
  private static final FieldPath PORTS = FieldPath.of("ports");
  private static final FieldPath ENDPOINTS = FieldPath.of("endpoints");
  private static final List<String> TYPES = List.of("FQDN", "IPv4", "IPv6");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final int MOST_PORTS = 20_000;
  private static final int MOST_ENDPOINTS = 1000;
  private static final int MOST_ADDRESSES = 100;
  private static final int MOST_LABELS = 16;
  private static final int MOST_HINTS = 8;

  @Override
  public JsonObject defaults(JsonObject slice) {
    return slice.has("ports")
        ? slice.with(
            "ports",
            slice
                .array("ports")
                .mapObjects(port ->
                    FieldRules.orDefault(
                        FieldRules.orDefault(port, "name", ""), "protocol", "TCP")))
        : slice;
  }

  @Override
  public JsonObject prepareForCreate(JsonObject slice, Instant now) {
    return withoutTopology(slice, Set.of());
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject slice, JsonObject old, Instant now) {
    if (slice.array("endpoints").equals(old.array("endpoints"))) {
      return slice;
    }
    Set<String> nodes = new HashSet<>();
    for (JsonObject endpoint : old.array("endpoints").objects()) {
      nodes.add(endpoint.object(TOPOLOGY).text(WellKnownLabels.HOSTNAME, ""));
    }
    return withoutTopology(slice, nodes);
  }

  /**
   * Without the topology of older versions, but with the node that it names.
   *
   * @param nodes those that the topology named before
   */
  private static JsonObject withoutTopology(JsonObject slice, Set<String> nodes) {
    return FieldRules.each(
        slice,
        "endpoints",
        endpoint -> {
          String node = endpoint.object(TOPOLOGY).text(WellKnownLabels.HOSTNAME, "");
          boolean known = nodes.contains(node) && NameRules.dns1123Subdomain(node).isEmpty();
          return known && !endpoint.has("nodeName")
              ? endpoint.without(TOPOLOGY).with("nodeName", node)
              : endpoint.without(TOPOLOGY);
        });
  }

  @Override
  public List<FieldError> validate(JsonObject slice) {
    FieldErrorList problems = new FieldErrorList();
    form(slice, problems);
    endpoints(slice, problems);
    return problems.all();
  }

  /** Endpoints that stay as they were may have been let in by older rules. */
  @Override
  public List<FieldError> validateReplacing(JsonObject slice, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    form(slice, problems);
    if (!slice.array("endpoints").equals(old.array("endpoints"))) {
      endpoints(slice, problems);
    }
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject slice, JsonObject old) {
    return FieldRules.immutable(TYPE, slice, old);
  }

  private static void form(JsonObject slice, FieldErrorList problems) {
    if (problems.present(slice, "addressType", FieldPath.ROOT)) {
      problems.oneOf(TYPE, slice.text("addressType", ""), TYPES);
    }
    List<JsonObject> ports = slice.array("ports").objects();
    if (problems.tooMany(PORTS, ports.size(), MOST_PORTS)) {
      return;
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < ports.size(); i++) {
      FieldPath at = PORTS.index(i);
      String name = ports.get(i).text("name", "");
      if (!name.isEmpty()) {
        problems.invalid(at.field("name"), name, NameRules.dns1123Label(name));
      }
      if (!names.add(name)) {
        problems.duplicate(at.field("name"), name);
      }
      problems.oneOf(at.field("protocol"), ports.get(i).text("protocol", ""), PROTOCOLS);
      String protocol = ports.get(i).text("appProtocol");
      if (protocol != null) {
        problems.invalid(at.field("appProtocol"), protocol, NameRules.qualifiedName(protocol));
      }
    }
  }

  private static void endpoints(JsonObject slice, FieldErrorList problems) {
    List<JsonObject> endpoints = slice.array("endpoints").objects();
    if (problems.tooMany(ENDPOINTS, endpoints.size(), MOST_ENDPOINTS)) {
      return;
    }
    String type = slice.text("addressType", "");
    for (int i = 0; i < endpoints.size(); i++) {
      endpoint(endpoints.get(i), type, ENDPOINTS.index(i), problems);
    }
  }

  private static void endpoint(
      JsonObject endpoint, String type, FieldPath at, FieldErrorList problems) {
    FieldPath addressesAt = at.field("addresses");
    List<String> addresses = endpoint.array("addresses").texts();
    if (addresses.isEmpty()) {
      problems.required(addressesAt, "must contain at least 1 address");
    }
    problems.tooMany(addressesAt, addresses.size(), MOST_ADDRESSES);
    for (int i = 0; i < addresses.size(); i++) {
      address(addresses.get(i), type, addressesAt, i, problems);
    }
    String node = endpoint.text("nodeName");
    if (node != null) {
      problems.invalid(at.field("nodeName"), node, NameRules.dns1123Subdomain(node));
    }
    JsonObject topology = endpoint.object(TOPOLOGY);
    FieldPath topologyAt = at.field(TOPOLOGY);
    problems.tooMany(topologyAt, topology.size(), MOST_LABELS);
    for (String key : topology.names()) {
      String value = topology.text(key, "");
      problems.invalid(topologyAt, key, NameRules.qualifiedName(key));
      problems.invalid(topologyAt, value, NameRules.labelValue(value));
    }
    String name = endpoint.text("hostname");
    if (name != null) {
      problems.invalid(at.field("hostname"), name, NameRules.dns1123Label(name));
    }
    JsonObject hints = endpoint.object("hints");
    hints(hints, "forZones", NameRules::labelValue, at.field("hints"), problems);
    hints(hints, "forNodes", NameRules::dns1123Subdomain, at.field("hints"), problems);
  }

  private static void address(
      String address, String type, FieldPath at, int index, FieldErrorList problems) {
    if (type.equals("FQDN")) {
      domain(address, at.index(index), problems);
      return;
    }
    if (!TYPES.contains(type)) {
      return;
    }
    List<String> wrong =
        type.equals("IPv4")
            ? AddressRules.address(address)
            : AddressRules.canonicalAddress(address);
    problems.invalid(at.index(index), address, wrong);
    if (wrong.isEmpty()) {
      if (!Cidr.parseAddress(address).orElseThrow().family().toString().equals(type)) {
        problems.invalid(at, address, "must be an %s address".formatted(type));
      }
      problems.invalid(at.index(index), address, EndpointAddresses.problems(address));
    }
  }

  private static void domain(String name, FieldPath at, FieldErrorList problems) {
    String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    if (name.isEmpty()) {
      problems.required(at, "");
    } else if (!NameRules.dns1123Subdomain(plain).isEmpty()) {
      problems.invalid(at, plain, NameRules.dns1123Subdomain(plain));
    } else if (!plain.contains(".")) {
      problems.invalid(
          at, plain, "should be a domain with at least two segments separated by dots");
    }
  }

  private static void hints(
      JsonObject hints,
      String field,
      Function<String, List<String>> rule,
      FieldPath at,
      FieldErrorList problems) {
    List<JsonObject> all = hints.array(field).objects();
    if (problems.tooMany(at.field(field), all.size(), MOST_HINTS)) {
      return;
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < all.size(); i++) {
      FieldPath place = at.field(field).index(i).field("name");
      String name = all.get(i).text("name", "");
      if (!names.add(name)) {
        problems.duplicate(place, name);
      }
      problems.invalid(place, name, rule.apply(name));
    }
  }
}
