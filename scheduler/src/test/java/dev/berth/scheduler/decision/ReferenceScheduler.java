package dev.berth.scheduler.decision;

import dev.berth.model.core.ContainerPort;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.plugin.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Slow and obvious: objects in maps, everything computed from them for every pod. What {@link
 * Decider} is compared with.
 */
final class ReferenceScheduler {
  private static final long MEBIBYTE = 1024 * 1024;

  private final SortedMap<String, Node> nodes = new TreeMap<>();

  /** The pods on nodes, by their names. */
  private final Map<String, Placed> pods = new LinkedHashMap<>();

  private final Map<String, List<Placed>> byNode = new HashMap<>();

  private final boolean zoneLimit;
  private final boolean zoneLimitFirst;

  ReferenceScheduler(Profile profile) {
    this.zoneLimit = profile.schedulerName().startsWith("zone-limit");
    this.zoneLimitFirst = profile.schedulerName().equals("zone-limit-first");
  }

  record Node(JsonObject tree, NodeView view) {}

  record Placed(PodView view, ResourceList requests, String node) {}

  void put(JsonObject node) {
    NodeView view = NodeView.read(node);
    nodes.put(view.name(), new Node(node, view));
  }

  void removeNode(String name) {
    nodes.remove(name);
  }

  Set<String> nodeNames() {
    return nodes.keySet();
  }

  void place(JsonObject pod, String node) {
    PodView view = PodView.read(pod);
    Placed placed = new Placed(view, EffectiveResources.requests(view.spec()), node);
    pods.put(view.name(), placed);
    byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(placed);
  }

  void remove(String pod) {
    Placed placed = pods.remove(pod);
    byNode.values().forEach(there -> there.remove(placed));
  }

  List<Placed> pods() {
    return List.copyOf(pods.values());
  }

  List<Placed> podsOn(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  NodeView view(String node) {
    return node(node).view;
  }

  private Node node(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("There is no node " + name);
    }
    return node;
  }

  /** What the first filter says that refuses a node; empty if it is allowed. */
  List<String> refusal(JsonObject podTree, String nodeName) {
    PodView pod = PodView.read(podTree);
    NodeView node = view(nodeName);
    List<String> zoneIsFull = zoneIsFull(pod, nodeName);
    if (zoneLimitFirst && !zoneIsFull.isEmpty()) {
      return zoneIsFull;
    }
    Taint cordoned = Taint.of(WellKnownTaints.UNSCHEDULABLE, TaintEffect.NO_SCHEDULE);
    if (node.unschedulable()
        && !TolerationRules.STANDARD.tolerates(pod.spec().tolerations(), cordoned)) {
      return List.of("node(s) were unschedulable");
    }
    if (remaining(pod, node).refusal().isPresent()) {
      return List.of("node(s) had untolerated taint(s)");
    }
    if (!NodeSelection.allows(pod.spec(), node)) {
      return List.of("node(s) didn't match Pod's node affinity/selector");
    }
    if (portTaken(pod, nodeName)) {
      return List.of("node(s) didn't have free ports for the requested pod ports");
    }
    List<String> missing = missing(pod, node);
    if (!missing.isEmpty()) {
      return missing;
    }
    return restartsAll(podTree) && !knowsToRestartAll(nodeName)
        ? List.of("node(s) didn't match Pod's required features")
        : zoneIsFull;
  }

  private static boolean restartsAll(JsonObject pod) {
    return pod.toString().contains("\"RestartAllContainers\"");
  }

  private boolean knowsToRestartAll(String node) {
    return node(node).tree().toString().contains("\"RestartAllContainersOnContainerExits\"");
  }

  private List<String> zoneIsFull(PodView pod, String node) {
    return zoneLimit
            && pod.labels().get("max-pods-per-zone") instanceof String most
            && podsInZoneOf(node) >= Integer.parseInt(most)
        ? List.of(ZonePodLimit.MESSAGE)
        : List.of();
  }

  private long podsInZoneOf(String node) {
    return nodes.keySet().stream()
        .filter(other -> zone(other).equals(zone(node)))
        .mapToLong(other -> podsOn(other).size())
        .sum();
  }

  private String zone(String node) {
    return node(node).tree().object("metadata").object("labels").text("zone", "");
  }

  private static RemainingTaints remaining(PodView pod, NodeView node) {
    return RemainingTaints.of(node.taints(), pod.spec().tolerations(), TolerationRules.STANDARD);
  }

  private boolean portTaken(PodView pod, String node) {
    List<Long> taken = new ArrayList<>();
    podsOn(node).forEach(other -> taken.addAll(ports(other.view)));
    return ports(pod).stream().anyMatch(taken::contains);
  }

  private static List<Long> ports(PodView pod) {
    return pod.spec().containers().stream()
        .flatMap(container -> container.ports().stream())
        .map(ContainerPort::hostPort)
        .filter(port -> port > 0)
        .toList();
  }

  private List<String> missing(PodView pod, NodeView node) {
    List<String> missing = new ArrayList<>();
    ResourceList allocatable = ResourceList.read(node.allocatable());
    if (podsOn(node.name()).size() + 1 > allocatable.get("pods").value()) {
      missing.add("Too many pods");
    }
    EffectiveResources.requests(pod.spec())
        .amounts()
        .forEach((resource, amount) -> {
          Quantity with = requested(node.name(), resource).plus(amount);
          if (!amount.isZero() && with.compareTo(allocatable.get(resource)) > 0) {
            missing.add("Insufficient " + resource);
          }
        });
    return missing;
  }

  private Quantity requested(String node, String resource) {
    return podsOn(node).stream()
        .map(pod -> pod.requests.get(resource))
        .reduce(Quantity.ZERO, Quantity::plus);
  }

  /**
   * The totals of the nodes that are allowed.
   *
   * @param reserved nodes that are not allowed for the sake of others
   */
  Map<String, Long> totals(JsonObject podTree, Predicate<String> reserved) {
    PodView pod = PodView.read(podTree);
    List<String> allowed =
        List.copyOf(nodes.keySet()).stream()
            .filter(node -> refusal(podTree, node).isEmpty() && !reserved.test(node))
            .toList();
    Map<String, Long> totals = new HashMap<>();
    allowed.forEach(node -> totals.put(node, 0L));
    add(totals, 3, scaled(allowed, node -> (long) remaining(pod, view(node)).avoidance(), true));
    var affinity = pod.spec().nodeAffinity();
    if (affinity != null && !affinity.preferred().isEmpty()) {
      add(totals, 2, scaled(allowed, n -> NodeSelection.preference(pod.spec(), view(n)), false));
    }
    add(totals, 1, each(allowed, node -> leastAllocated(pod, node)));
    ResourceList requests = EffectiveResources.requests(pod.spec());
    if (!requests.get("cpu").isZero() || !requests.get("memory").isZero()) {
      add(totals, 1, each(allowed, node -> balanced(requests, node)));
    }
    add(totals, 1, each(allowed, node -> images(podTree, node)));
    if (zoneLimit && pod.labels().has("max-pods-per-zone")) {
      add(totals, 2, scaled(allowed, this::podsInZoneOf, true));
    }
    return totals;
  }

  private static Map<String, Long> each(List<String> nodes, Function<String, Long> score) {
    Map<String, Long> scores = new HashMap<>();
    nodes.forEach(node -> scores.put(node, score.apply(node)));
    return scores;
  }

  private static Map<String, Long> scaled(
      List<String> nodes, Function<String, Long> score, boolean reversed) {
    Map<String, Long> scores = each(nodes, score);
    long most = scores.values().stream().mapToLong(s -> s).max().orElse(0);
    scores.replaceAll((_, raw) -> {
      long scaled = most == 0 ? 0 : 100 * raw / most;
      return reversed ? 100 - scaled : scaled;
    });
    return scores;
  }

  private static void add(Map<String, Long> totals, long weight, Map<String, Long> scores) {
    scores.forEach((node, score) -> totals.merge(node, weight * score, Long::sum));
  }

  private long leastAllocated(PodView pod, String node) {
    ResourceList allocatable = ResourceList.read(view(node).allocatable());
    long cpu = allocatable.get("cpu").milliValue();
    long memory = allocatable.get("memory").value();
    long usedCpu = usual(pod, "cpu");
    long usedMemory = usual(pod, "memory");
    for (Placed other : podsOn(node)) {
      usedCpu += usual(other.view, "cpu");
      usedMemory += usual(other.view, "memory");
    }
    long sum = 0;
    long weights = 0;
    if (cpu > 0) {
      sum += usedCpu > cpu ? 0 : (cpu - usedCpu) * 100 / cpu;
      weights++;
    }
    if (memory > 0) {
      sum += usedMemory > memory ? 0 : (memory - usedMemory) * 100 / memory;
      weights++;
    }
    return weights == 0 ? 0 : sum / weights;
  }

  /** Only for pods whose containers are all plain ones. */
  private static long usual(PodView pod, String resource) {
    long sum = 0;
    for (var container : pod.spec().containers()) {
      ResourceList requests = ResourceList.read(container.requests());
      boolean cpu = resource.equals("cpu");
      if (requests.has(resource)) {
        Quantity amount = requests.get(resource);
        sum += cpu ? amount.milliValue() : amount.value();
      } else {
        sum += cpu ? 100 : 200 * MEBIBYTE;
      }
    }
    return sum;
  }

  private long balanced(ResourceList requests, String node) {
    return 50 + (50 + evenness(requests, node) - evenness(ResourceList.EMPTY, node)) / 2;
  }

  private long evenness(ResourceList more, String node) {
    ResourceList allocatable = ResourceList.read(view(node).allocatable());
    List<Double> shares = new ArrayList<>();
    for (String resource : List.of("cpu", "memory")) {
      Quantity used = requested(node, resource).plus(more.get(resource));
      if (!allocatable.get(resource).isZero()) {
        shares.add(
            Math.min(1.0, (double) used.milliValue() / allocatable.get(resource).milliValue()));
      }
    }
    double deviation = shares.size() < 2 ? 0 : Math.abs(shares.get(0) - shares.get(1)) / 2;
    return (long) ((1 - deviation) * 100);
  }

  private long images(JsonObject pod, String node) {
    long sum = 0;
    List<JsonObject> containers = pod.object("spec").array("containers").objects();
    int images = 0;
    for (JsonObject container : containers) {
      String image = container.text("image", "");
      images += image.isEmpty() ? 0 : 1;
      if (!image.isEmpty() && has(node, image)) {
        long share = nodes.keySet().stream().filter(other -> has(other, image)).count();
        sum += (long) (size(node) * ((double) share / nodes.size()));
      }
    }
    long most = 1000 * MEBIBYTE * images;
    long least = 23 * MEBIBYTE;
    return images == 0 ? 0 : 100 * (Math.max(least, Math.min(most, sum)) - least) / (most - least);
  }

  private boolean has(String node, String image) {
    return node(node).tree().object("status").array("images").objects().stream()
        .anyMatch(report -> report.array("names").texts().contains(image));
  }

  private long size(String node) {
    return node(node)
        .tree()
        .object("status")
        .array("images")
        .objects()
        .getFirst()
        .integer("sizeBytes")
        .orElse(0);
  }
}
