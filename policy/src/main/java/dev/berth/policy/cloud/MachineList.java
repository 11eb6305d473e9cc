package dev.berth.policy.cloud;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.NodeAddress;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The machines of a cloud that somebody wrote down, in the fields of a configuration file:
 *
 * <pre>
 * apiVersion: cloud.berth.dev/v1
 * kind: MachineList
 * machines:
 * - name: worker-1                  # the node's name
 *   providerID: file://worker-1     # this is the default
 *   instanceType: large
 *   zone: a
 *   region: north
 *   addresses: [{type: InternalIP, address: 192.0.2.1}]
 *   labels: {example.com/rack: r7}
 *   state: Running                  # or Stopped
 * </pre>
 */
public final class MachineList {
  public static final String API_VERSION = "cloud.berth.dev/v1";
  public static final String KIND = "MachineList";

  private static final String MACHINES = "machines";
  private static final String STOPPED = "Stopped";
  private static final List<String> STATES = List.of("Running", STOPPED);
  private static final Set<String> FIELDS =
      Set.of(
          "name", "providerID", "instanceType", "zone", "region", "addresses", "labels", "state");

  private final Map<String, Machine> byName = new HashMap<>();
  private final Map<String, Machine> byProviderId = new HashMap<>();

  private MachineList() {}

  /**
   * The machine of a node: the one of its provider id if it has one, or else that of its name.
   *
   * @param providerId empty for none
   */
  public CloudAnswer find(String node, String providerId) {
    Machine machine = providerId.isEmpty() ? byName.get(node) : byProviderId.get(providerId);
    return machine == null ? new CloudAnswer.NotFound() : new CloudAnswer.Found(machine);
  }

  public int size() {
    return byName.size();
  }

  /**
   * Reads a file's fields, and notes what is wrong with them. The list itself must be there: an
   * empty file does not say that there are no machines.
   */
  public static MachineList read(ConfigFields file) {
    file.onlyHas(Set.of("apiVersion", "kind", MACHINES));
    if (!file.has(MACHINES)) {
      file.required(MACHINES, "a list, which may be empty");
    }
    MachineList list = new MachineList();
    for (ConfigFields fields : file.objects(MACHINES)) {
      list.add(fields);
    }
    return list;
  }

  private void add(ConfigFields fields) {
    fields.onlyHas(FIELDS);
    String name = fields.text("name", "");
    if (name.isEmpty()) {
      fields.required("name", "the name of the machine's node");
      return;
    }
    NameRules.dns1123Subdomain(name).forEach(wrong -> fields.invalid("name", name, wrong));
    String state = fields.text("state", STATES.getFirst());
    if (!STATES.contains(state)) {
      fields.error(FieldError.notSupported(fields.path("state"), state, STATES));
    }
    Machine machine =
        new Machine(
            fields.text("providerID", "file://" + name),
            checked(fields, "instanceType", NameRules::labelValue),
            checked(fields, "zone", NameRules::labelValue),
            checked(fields, "region", NameRules::labelValue),
            addresses(fields),
            labels(fields.object("labels")),
            state.equals(STOPPED));
    if (machine.providerId().isEmpty()) {
      fields.required("providerID", "leave it out for file://" + name);
    }
    if (byName.put(name, machine) != null) {
      fields.error(FieldError.duplicate(fields.path("name"), name));
    }
    if (byProviderId.put(machine.providerId(), machine) != null) {
      fields.error(FieldError.duplicate(fields.path("providerID"), machine.providerId()));
    }
  }

  private static String checked(
      ConfigFields fields, String name, Function<String, List<String>> rule) {
    String value = fields.text(name, "");
    rule.apply(value).forEach(wrong -> fields.invalid(name, value, wrong));
    return value;
  }

  private static List<NodeAddress> addresses(ConfigFields fields) {
    List<NodeAddress> addresses = new ArrayList<>();
    Set<NodeAddress> seen = new HashSet<>();
    for (ConfigFields each : fields.objects("addresses")) {
      each.onlyHas(Set.of("type", "address"));
      each.expect("type", NodeAddress.TYPES);
      String type = each.text("type", "");
      String address = each.text("address", "");
      if (address.isEmpty()) {
        each.required("address", "");
      } else if (type.endsWith("IP") && Cidr.parseAddress(address).isEmpty()) {
        each.invalid(
            "address", address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
      } else if (!type.endsWith("IP")) {
        NameRules.dns1123Subdomain(address)
            .forEach(wrong -> each.invalid("address", address, wrong));
      }
      NodeAddress one = new NodeAddress(type, address);
      if (!seen.add(one)) {
        each.error(FieldError.duplicate(each.path(), address));
      }
      addresses.add(one);
    }
    return addresses;
  }

  private static Map<String, String> labels(ConfigFields fields) {
    Map<String, String> labels = new TreeMap<>();
    for (String key : fields.tree().names()) {
      NameRules.qualifiedName(key).forEach(wrong -> fields.invalid(key, key, wrong));
      if (CloudLabels.isOfKubernetes(key)) {
        fields.error(
            FieldError.forbidden(
                fields.path(key),
                "labels of kubernetes.io and k8s.io are not for clouds to give; use instanceType,"
                    + " zone and region"));
      }
      labels.put(key, checked(fields, key, NameRules::labelValue));
    }
    return labels;
  }
}
