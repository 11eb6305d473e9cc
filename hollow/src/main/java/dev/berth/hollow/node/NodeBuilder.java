package dev.berth.hollow.node;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.hollow.HollowMachine;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.DeclaredFeatures;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What hollow nodes look like to the server: the objects that they register with, the status that
 * they post, and their leases. What nodes have in common is shared between them.
 */
public final class NodeBuilder {
  /** Volumes are attached to hollow nodes by the controller. */
  static final JsonObject ANNOTATIONS =
      JsonObject.of(WellKnownAnnotations.CONTROLLER_MANAGED_ATTACH_DETACH, "true");

  /** What a kubelet of their version can do, of what servers ask for. */
  private static final JsonArray FEATURES = JsonArray.copyOf(DeclaredFeatures.OF_BERTH);

  /** Where the addresses of nodes begin: 172.16.0.0/12, which has a million of them. */
  private static final int FIRST_ADDRESS = 0xAC10_0000;

  private final HollowSettings settings;
  private final JsonObject amounts;
  private final JsonObject info;

  public NodeBuilder(HollowSettings settings) {
    this.settings = settings;
    this.amounts = settings.size().toTree();
    this.info =
        new JsonObject.Builder()
            .put("machineID", "")
            .put("systemUUID", "")
            .put("bootID", "")
            .put("kernelVersion", "hollow")
            .put("osImage", "Hollow node")
            .put("containerRuntimeVersion", "hollow://1")
            .put("kubeletVersion", "v1.36.0")
            .put("kubeProxyVersion", "")
            .put("operatingSystem", "linux")
            .put("architecture", "amd64")
            .build();
  }

  public String name(int index) {
    return machine(index).map(HollowMachine::name).orElse(settings.fleet().prefix() + "-" + index);
  }

  /** What a node is, if it is not like all others. */
  private Optional<HollowMachine> machine(int index) {
    List<HollowMachine> machines = settings.fleet().machines();
    return machines.isEmpty() ? Optional.empty() : Optional.of(machines.get(index));
  }

  private JsonObject amounts(int index) {
    return machine(index).map(HollowMachine::amounts).orElse(amounts);
  }

  static String address(int index) {
    int address = FIRST_ADDRESS + index + 1;
    return (address >>> 24)
        + "."
        + (address >>> 16 & 0xFF)
        + "."
        + (address >>> 8 & 0xFF)
        + "."
        + (address & 0xFF);
  }

  /** The labels that a node has from the beginning. */
  JsonObject labels(int index) {
    JsonObject.Builder labels =
        new JsonObject.Builder()
            .put(WellKnownLabels.BETA_ARCH, "amd64")
            .put(WellKnownLabels.BETA_OS, "linux")
            .put(WellKnownLabels.ARCH, "amd64")
            .put(WellKnownLabels.HOSTNAME, name(index))
            .put(WellKnownLabels.OS, "linux")
            .put(HollowAnnotations.MANAGED, "true");
    List<String> zones = settings.fleet().zones();
    if (!zones.isEmpty()) {
      labels.put(WellKnownLabels.REGION, settings.fleet().region());
      labels.put(WellKnownLabels.ZONE, zones.get(index % zones.size()));
    }
    machine(index).ifPresent(machine -> machine.labels().forEach(labels::put));
    return labels.build();
  }

  /** The node as it registers. */
  JsonObject registered(HollowNode node, Instant now) {
    return new JsonObject.Builder()
        .put("kind", "Node")
        .put("apiVersion", "v1")
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("name", node.name())
                .put("labels", labels(node.index()))
                .put("annotations", ANNOTATIONS)
                .build())
        .put("spec", spec(node.index()))
        .put("status", status(node, now))
        .build();
  }

  private JsonObject spec(int index) {
    JsonArray taints = machine(index).map(HollowMachine::taints).orElse(JsonArray.EMPTY);
    return taints.isEmpty() ? JsonObject.EMPTY : JsonObject.of("taints", taints);
  }

  /** Whether a node on the server has the labels and the amounts of a hollow one. */
  public boolean isComplete(HollowNode node, JsonObject shown) {
    if (machine(node.index()).filter(HollowMachine::isKept).isPresent()) {
      return true;
    }
    String marked = WellKnownAnnotations.CONTROLLER_MANAGED_ATTACH_DETACH;
    if (Metadata.of(shown).annotation(marked).isEmpty()) {
      return false;
    }
    JsonObject has = Metadata.of(shown).labels();
    JsonObject wanted = labels(node.index());
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.value(i).equals(has.get(wanted.name(i)))) {
        return false;
      }
    }
    JsonObject status = shown.object("status");
    return status.object("allocatable").equals(amounts(node.index()))
        && !status.array("addresses").isEmpty();
  }

  /** All of a node's status. */
  JsonObject status(HollowNode node, Instant now) {
    JsonObject own =
        info.with("machineID", node.name())
            .with("systemUUID", node.name())
            .with("bootID", node.name());
    return new JsonObject.Builder()
        .put("capacity", amounts(node.index()))
        .put("allocatable", amounts(node.index()))
        .put("conditions", node.conditions(now))
        .put(
            "addresses",
            JsonArray.of(address("InternalIP", node.address()), address("Hostname", node.name())))
        .put("nodeInfo", own)
        .put("declaredFeatures", FEATURES)
        .build();
  }

  private static JsonObject address(String type, String address) {
    return new JsonObject.Builder().put("type", type).put("address", address).build();
  }
}
