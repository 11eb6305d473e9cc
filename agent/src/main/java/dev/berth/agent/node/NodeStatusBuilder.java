package dev.berth.agent.node;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.machine.MachineInfo;
import dev.berth.agent.runtime.Image;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Views;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.DeclaredFeatures;
import dev.berth.policy.nodestatus.Allocatable;
import dev.berth.policy.nodestatus.KubeletConditions;
import dev.berth.policy.pressure.Threshold;
import dev.berth.policy.pressure.Thresholds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a node looks like to the server: the object that it registers with, and its status. */
final class NodeStatusBuilder {
  /** What {@code kubectl get nodes} shows as the node's version. */
  static final String KUBELET_VERSION = "v1.36.0+berth";

  private static final String SYSTEM = "linux";

  private static final JsonArray DECLARED_FEATURES = JsonArray.copyOf(DeclaredFeatures.OF_BERTH);
  private static final int MOST_NAMES = 5;
  private static final int MILLIS = 1000;

  private final AgentSettings settings;
  private final List<Threshold> thresholds;
  private final NodeSources sources;

  NodeStatusBuilder(AgentSettings settings, NodeSources sources) {
    this.settings = settings;
    this.sources = sources;
    this.thresholds = Thresholds.parse(settings.eviction().thresholds());
  }

  /** The labels that every node has, which are set right whenever they differ. */
  JsonObject ownLabels(NodeFacts facts) {
    return new JsonObject.Builder()
        .put(WellKnownLabels.BETA_ARCH, facts.machine().architecture())
        .put(WellKnownLabels.BETA_OS, SYSTEM)
        .put(WellKnownLabels.ARCH, facts.machine().architecture())
        .put(WellKnownLabels.HOSTNAME, settings.node().hostname())
        .put(WellKnownLabels.OS, SYSTEM)
        .build();
  }

  /** Where this agent keeps its data, by which the agents of a machine are told apart. */
  String directory() {
    return settings.root().toAbsolutePath().normalize().toString();
  }

  JsonObject annotations() {
    JsonObject annotations = JsonObject.of(RegisteredNode.DIRECTORY, directory());
    if (settings.node().controllerAttaches()) {
      annotations = annotations.with(WellKnownAnnotations.CONTROLLER_MANAGED_ATTACH_DETACH, "true");
    }
    List<String> told =
        settings.node().ips().stream().filter(ip -> !NodeAddressChoice.isAny(ip)).toList();
    return settings.node().hasCloudProvider() && !told.isEmpty()
        ? annotations.with(WellKnownAnnotations.NODE_ADDRESS_PROVIDED, String.join(",", told))
        : annotations;
  }

  /** The node as it registers. */
  JsonObject registered(NodeFacts facts, Set<String> pressures, Instant now) {
    JsonObject labels = ownLabels(facts);
    for (Map.Entry<String, String> each : new TreeMap<>(settings.node().labels()).entrySet()) {
      labels = labels.with(each.getKey(), each.getValue());
    }
    return new JsonObject.Builder()
        .put("kind", "Node")
        .put("apiVersion", "v1")
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("name", settings.node().name())
                .put("labels", labels)
                .put("annotations", annotations())
                .build())
        .put("spec", spec())
        .put("status", status(JsonObject.EMPTY, facts, pressures, now))
        .build();
  }

  private JsonObject spec() {
    List<Taint> taints = new ArrayList<>(settings.node().taints());
    if (settings.node().hasCloudProvider()) {
      taints.add(
          Taint.of(
              "node.cloudprovider.kubernetes.io/uninitialized", "true", TaintEffect.NO_SCHEDULE));
    }
    JsonObject spec = JsonObject.EMPTY;
    if (!settings.node().providerId().isEmpty()) {
      spec = spec.with("providerID", settings.node().providerId());
    }
    return taints.isEmpty()
        ? spec
        : spec.with("taints", JsonArray.copyOf(taints.stream().map(Taint::toTree).toList()));
  }

  /**
   * All of a node's status that is its own to write.
   *
   * @param shown the status that the server shows
   */
  JsonObject status(JsonObject shown, NodeFacts facts, Set<String> pressures, Instant now) {
    ResourceList capacity = capacity(facts);
    ResourceList others = othersResources(shown, capacity);
    ResourceList allocatable =
        Allocatable.of(
            capacity.plus(others),
            settings.reservations().system(),
            settings.reservations().kube(),
            thresholds);
    for (Map.Entry<String, Long> device : facts.devices().allocatable().entrySet()) {
      allocatable = allocatable.with(device.getKey(), Quantity.of(device.getValue()));
    }
    JsonObject.Builder status =
        new JsonObject.Builder()
            .put("capacity", tree(capacity))
            .put("allocatable", tree(allocatable))
            .put("conditions", conditions(shown, facts, pressures, now))
            .put("addresses", addresses(shown, facts))
            .put("daemonEndpoints", endpoints(facts))
            .put("nodeInfo", info(facts))
            .put("declaredFeatures", DECLARED_FEATURES)
            .put("images", images(facts.images()));
    facts.volumesInUse().ifPresent(volumes -> status.put("volumesInUse", orNull(volumes)));
    if (!facts.runtimeHandlers().isEmpty()) {
      status.put("runtimeHandlers", facts.runtimeHandlers());
    }
    if (!facts.features().isEmpty()) {
      status.put("features", facts.features());
    }
    return status.build();
  }

  private JsonArray conditions(
      JsonObject shown, NodeFacts facts, Set<String> pressures, Instant now) {
    List<Condition> before = Views.list(shown.array("conditions"), Condition::read);
    List<Condition> conditions = new ArrayList<>();
    sources
        .network(before)
        .ifPresent(network -> conditions.add(KubeletConditions.timed(network, before, now)));
    conditions.addAll(KubeletConditions.of(before, pressures, notReady(facts), now));
    return JsonArray.copyOf(conditions.stream().map(Condition::toTree).toList());
  }

  private static Object orNull(List<String> volumes) {
    return volumes.isEmpty() ? JsonNull.NULL : JsonArray.copyOf(volumes);
  }

  /** Several reasons are written as Go writes a list of errors. */
  private static String notReady(NodeFacts facts) {
    List<String> problems = facts.problems();
    return problems.size() > 1
        ? "[" + String.join(", ", problems) + "]"
        : String.join("", problems);
  }

  ResourceList capacity(NodeFacts facts) {
    MachineInfo machine = facts.machine();
    Map<String, Quantity> amounts = new TreeMap<>(facts.extendedResources().amounts());
    facts.devices().capacity().forEach((name, count) -> amounts.put(name, Quantity.of(count)));
    amounts.put(ResourceList.CPU, Quantity.ofMillis((long) machine.cpus() * MILLIS));
    amounts.put(ResourceList.MEMORY, bytes(machine.memoryBytes()));
    amounts.put(ResourceList.PODS, Quantity.of(mostPods(machine.cpus())));
    machine
        .hugePages()
        .forEach((size, total) -> amounts.put("hugepages-" + bytes(size), bytes(total)));
    if (facts.storageBytes() > 0) {
      amounts.put(ResourceList.EPHEMERAL_STORAGE, bytes(facts.storageBytes()));
    }
    return new ResourceList(new TreeMap<>(amounts));
  }

  /** What others wrote into the capacity, such as a patch of an administrator's. */
  private static ResourceList othersResources(JsonObject shown, ResourceList own) {
    Map<String, Quantity> others =
        new TreeMap<>(ResourceList.read(shown.object("capacity")).amounts());
    others.keySet().removeIf(name -> own.has(name) || name.indexOf('/') < 0);
    return new ResourceList(new TreeMap<>(others));
  }

  private int mostPods(int cpus) {
    int perCore = settings.pods().perCore();
    int most = settings.pods().most();
    return perCore > 0 ? Math.min(cpus * perCore, most) : most;
  }

  private static Quantity bytes(long amount) {
    return Quantity.of(amount, QuantityFormat.BINARY_SI);
  }

  static JsonObject tree(ResourceList list) {
    JsonObject.Builder tree = new JsonObject.Builder();
    list.amounts().forEach((name, amount) -> tree.put(name, amount.toString()));
    return tree.build();
  }

  /** A cloud's controller knows better, once it has said something. */
  private JsonArray addresses(JsonObject shown, NodeFacts facts) {
    if (settings.node().hasCloudProvider() && !shown.array("addresses").isEmpty()) {
      return shown.array("addresses");
    }
    List<JsonObject> addresses = new ArrayList<>();
    if (!settings.node().hasCloudProvider() || !settings.node().ips().isEmpty()) {
      facts.addresses().forEach(address -> addresses.add(address("InternalIP", address)));
    }
    addresses.add(address("Hostname", settings.node().hostname()));
    return JsonArray.copyOf(addresses);
  }

  private static JsonObject address(String type, String address) {
    return new JsonObject.Builder().put("type", type).put("address", address).build();
  }

  private JsonObject endpoints(NodeFacts facts) {
    long port = facts.port().orElse(settings.port().number());
    return JsonObject.of("kubeletEndpoint", JsonObject.of("Port", port));
  }

  private static JsonObject info(NodeFacts facts) {
    MachineInfo machine = facts.machine();
    JsonObject.Builder info =
        new JsonObject.Builder()
            .put("machineID", machine.identity().machineId())
            .put("systemUUID", machine.identity().systemUuid())
            .put("bootID", machine.identity().bootId())
            .put("kernelVersion", machine.kernelVersion())
            .put("osImage", machine.osImage())
            .put("containerRuntimeVersion", facts.runtimeVersion())
            .put("kubeletVersion", KUBELET_VERSION)
            .put("kubeProxyVersion", "")
            .put("operatingSystem", SYSTEM)
            .put("architecture", machine.architecture());
    if (machine.swapBytes() > 0) {
      info.put("swap", JsonObject.of("capacity", machine.swapBytes()));
    }
    return info.build();
  }

  private JsonArray images(List<Image> images) {
    int most = settings.node().mostImages();
    List<JsonObject> listed = new ArrayList<>();
    for (Image image : most < 0 || images.size() <= most ? images : images.subList(0, most)) {
      List<String> names = image.names();
      listed.add(
          new JsonObject.Builder()
              .put(
                  "names",
                  JsonArray.copyOf(
                      names.size() > MOST_NAMES ? names.subList(0, MOST_NAMES) : names))
              .put("sizeBytes", image.bytes())
              .build());
    }
    return JsonArray.copyOf(listed);
  }
}
