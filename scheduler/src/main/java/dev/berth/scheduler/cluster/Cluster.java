package dev.berth.scheduler.cluster;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.affinity.AffinityTerms;
import dev.berth.scheduler.cluster.affinity.NamespaceLabels;
import dev.berth.scheduler.cluster.affinity.OwnerSelectors;
import dev.berth.scheduler.cluster.affinity.PodCounts;
import dev.berth.scheduler.cluster.device.ClusterDevices;
import dev.berth.scheduler.cluster.node.NodeImages;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.node.TaintSets;
import dev.berth.scheduler.cluster.node.TopologyColumn;
import dev.berth.scheduler.cluster.pod.PlacedPods;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.pod.PodListener;
import dev.berth.scheduler.cluster.pod.PodListeners;
import dev.berth.scheduler.cluster.pod.PodReader;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import dev.berth.scheduler.cluster.volume.ClusterVolumes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster and the pods on them, laid out so that looking at all nodes is a walk over
 * arrays. A node has an index for as long as it is there; an index whose node is gone is given to
 * the next that comes. Pods may be on nodes that are not there (yet): they are kept under the
 * node's name and count once it comes.
 *
 * <p>All of this is soft state, made from what the API server tells. Owned by one thread.
 */
public final class Cluster implements PlacedPods {
  private static final int INITIAL_NODES = 64;
  private static final int REMEMBERED_CHANGES = 16_384;

  private final ResourceTable resources = new ResourceTable();
  private final PodReader reader = new PodReader(resources);
  private final ChangeLog changes = new ChangeLog(REMEMBERED_CHANGES);
  private final Nominations nominations = new Nominations(this::changed);
  private final NodeImages images = new NodeImages();
  private final Map<String, Integer> indexes = new HashMap<>();
  private final List<Integer> free = new ArrayList<>();
  private final Map<String, List<PodInfo>> podsByNode = new HashMap<>();
  private final TaintSets taintSets = new TaintSets();
  private final NamespaceLabels namespaces = new NamespaceLabels();
  private final PodListeners listeners = new PodListeners();
  private final Map<String, TopologyColumn> topologies = new HashMap<>();
  private final PodCounts podCounts = new PodCounts(this, namespaces);
  private final AffinityTerms affinityTerms = new AffinityTerms(this, namespaces);
  private final OwnerSelectors owners = new OwnerSelectors();
  private final ClusterVolumes volumes = new ClusterVolumes(this);
  private final ClusterDevices devices = new ClusterDevices();

  private @Nullable NodeInfo[] nodes = new NodeInfo[INITIAL_NODES];
  private long[][] allocatable = new long[0][];
  private long[][] requested = new long[0][];
  private long[] scoredCpu = new long[INITIAL_NODES];
  private long[] scoredMemory = new long[INITIAL_NODES];
  private int[] taintSet = new int[INITIAL_NODES];
  private int[] hostPortPods = new int[INITIAL_NODES];
  private List<PodInfo>[] pods = emptyLists(INITIAL_NODES);
  private int limit;
  private int size;

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types.
  private static List<PodInfo>[] emptyLists(int length) {
    List[] lists = new List[length];
    Arrays.fill(lists, List.of());
    return lists;
  }

  // Nodes.

  /** All indexes are below this; some may be of no node. */
  public int limit() {
    return limit;
  }

  /** How many nodes there are. */
  public int size() {
    return size;
  }

  public boolean exists(int node) {
    return node < limit && nodes[node] != null;
  }

  public NodeInfo node(int node) {
    NodeInfo info = nodes[node];
    if (info == null) {
      throw new IllegalArgumentException("No node has the index " + node);
    }
    return info;
  }

  /** A node by its name; null if there is none. */
  public @Nullable NodeInfo find(String name) {
    Integer index = indexes.get(name);
    return index == null ? null : nodes[index];
  }

  /** The index of a node, or -1. */
  public int indexOf(String name) {
    return indexes.getOrDefault(name, -1);
  }

  /** Adds a node, or takes note of its new revision. Returns its index. */
  public int put(JsonObject tree) {
    NodeView view = NodeView.read(tree);
    int index = indexes.computeIfAbsent(view.name(), _ -> take());
    NodeInfo before = nodes[index];
    images.put(index, before == null ? JsonArray.EMPTY : imagesOf(before.tree()), imagesOf(tree));
    if (before == null) {
      size++;
      images.nodesChanged();
      pods[index] = podsByNode.computeIfAbsent(view.name(), _ -> new ArrayList<>());
      pods[index].forEach(pod -> count(index, pod, 1));
    }
    ResourceList amounts = ResourceList.read(view.allocatable());
    nodes[index] = new NodeInfo(index, tree, view, amounts);
    taintSet[index] = taintSets.number(view.taints());
    topologies.values().forEach(column -> column.put(index, view.labels()));
    for (long[] column : allocatable) {
      column[index] = 0;
    }
    for (Map.Entry<String, Quantity> amount : amounts.amounts().entrySet()) {
      int column = resources.column(amount.getKey());
      makeColumn(column);
      allocatable[column][index] = ResourceTable.amount(column, amount.getValue());
    }
    changes.add(index);
    return index;
  }

  /** Takes a node out; its pods stay known under its name. */
  public void remove(String name) {
    Integer index = indexes.remove(name);
    if (index == null) {
      return;
    }
    pods[index].forEach(pod -> listeners.tell(pod, index, -1));
    images.remove(index, imagesOf(node(index).tree()));
    images.nodesChanged();
    nodes[index] = null;
    for (long[] column : allocatable) {
      column[index] = 0;
    }
    for (long[] column : requested) {
      column[index] = 0;
    }
    scoredCpu[index] = 0;
    scoredMemory[index] = 0;
    hostPortPods[index] = 0;
    topologies.values().forEach(column -> column.remove(index));
    if (pods[index].isEmpty()) {
      podsByNode.remove(name);
    }
    pods[index] = List.of();
    free.add(index);
    size--;
    changes.add(index);
  }

  private static JsonArray imagesOf(JsonObject tree) {
    return tree.object("status").array("images");
  }

  private int take() {
    if (!free.isEmpty()) {
      return free.removeLast();
    }
    if (limit == nodes.length) {
      int length = 2 * limit;
      nodes = Arrays.copyOf(nodes, length);
      scoredCpu = Arrays.copyOf(scoredCpu, length);
      scoredMemory = Arrays.copyOf(scoredMemory, length);
      taintSet = Arrays.copyOf(taintSet, length);
      hostPortPods = Arrays.copyOf(hostPortPods, length);
      pods = Arrays.copyOf(pods, length);
      Arrays.fill(pods, limit, length, List.of());
      for (int column = 0; column < allocatable.length; column++) {
        allocatable[column] = Arrays.copyOf(allocatable[column], length);
        requested[column] = Arrays.copyOf(requested[column], length);
      }
    }
    return limit++;
  }

  // Pods.

  /** A pod as the scheduler sees it. Pods that are alike share what was computed for one. */
  public PodInfo read(JsonObject tree) {
    return reader.read(tree);
  }

  /** Puts a pod on the node that it names or is assumed to be on. */
  public void add(PodInfo pod, String nodeName) {
    place(pod, nodeName);
    changed(nodeName);
  }

  /** Takes a pod, by identity, off a node. Returns false if it was not there. */
  public boolean remove(PodInfo pod, String nodeName) {
    if (take(pod, nodeName) == null) {
      return false;
    }
    changed(nodeName);
    return true;
  }

  private void changed(String nodeName) {
    Integer index = indexes.get(nodeName);
    if (index != null) {
      changes.add(index);
    }
  }

  /** Begins to try something out; close it before anything else is done. */
  public DryRun dryRun() {
    return new DryRun(this);
  }

  void place(PodInfo pod, String nodeName) {
    podsByNode.computeIfAbsent(nodeName, _ -> new ArrayList<>()).add(pod);
    Integer index = indexes.get(nodeName);
    if (index != null) {
      count(index, pod, 1);
    }
  }

  /** Takes a pod off a node; returns it as it was counted there, or null if it was not there. */
  @Nullable PodInfo take(PodInfo pod, String nodeName) {
    List<PodInfo> there = podsByNode.getOrDefault(nodeName, List.of());
    for (int i = 0; i < there.size(); i++) {
      PodInfo known = there.get(i);
      if (known.isSamePodAs(pod)) {
        there.set(i, there.getLast());
        there.removeLast();
        Integer index = indexes.get(nodeName);
        if (index != null) {
          count(index, known, -1);
        } else if (there.isEmpty()) {
          podsByNode.remove(nodeName);
        }
        return known;
      }
    }
    return null;
  }

  private void count(int node, PodInfo pod, int sign) {
    ResourceAmounts requests = pod.requests();
    for (int i = 0; i < requests.size(); i++) {
      makeColumn(requests.column(i));
      requested[requests.column(i)][node] += sign * requests.amount(i);
    }
    makeColumn(ResourceTable.PODS);
    requested[ResourceTable.PODS][node] += sign;
    scoredCpu[node] += sign * pod.scoredCpu();
    scoredMemory[node] += sign * pod.scoredMemory();
    hostPortPods[node] += pod.podClass().hostPorts().isEmpty() ? 0 : sign;
    listeners.tell(pod, node, sign);
  }

  @Override
  public void forEach(ObjIntConsumer<PodInfo> action) {
    for (int node = 0; node < limit; node++) {
      for (PodInfo pod : pods[node]) {
        action.accept(pod, node);
      }
    }
  }

  @Override
  public void listen(PodListener listener) {
    forEach(listener::added);
    listeners.add(listener);
  }

  /** Makes sure that a resource has its columns. */
  private void makeColumn(int column) {
    if (column >= allocatable.length) {
      int from = allocatable.length;
      allocatable = Arrays.copyOf(allocatable, resources.size());
      requested = Arrays.copyOf(requested, resources.size());
      for (int i = from; i < allocatable.length; i++) {
        allocatable[i] = new long[nodes.length];
        requested[i] = new long[nodes.length];
      }
    }
  }

  /** The pods on a node, in no particular order. */
  public List<PodInfo> pods(int node) {
    return Collections.unmodifiableList(pods[node]);
  }

  // Columns.

  public ResourceTable resources() {
    return resources;
  }

  public long allocatable(int resource, int node) {
    return resource < allocatable.length ? allocatable[resource][node] : 0;
  }

  /** The sum of what the pods on a node request. */
  public long requested(int resource, int node) {
    return resource < requested.length ? requested[resource][node] : 0;
  }

  /** Likewise, with something assumed for pods that request nothing. */
  public long scoredCpu(int node) {
    return scoredCpu[node];
  }

  public long scoredMemory(int node) {
    return scoredMemory[node];
  }

  /** How many pods on a node take ports of it. */
  public int hostPortPods(int node) {
    return hostPortPods[node];
  }

  /** The number of a node's set of taints: nodes with the same taints have the same number. */
  public int taintSet(int node) {
    return taintSet[node];
  }

  public List<Taint> taints(int taintSet) {
    return taintSets.get(taintSet);
  }

  public int taintSets() {
    return taintSets.size();
  }

  /** The domains into which a label divides the nodes; kept from when it is first asked for. */
  public TopologyColumn topology(String labelKey) {
    return topologies.computeIfAbsent(labelKey, this::newTopology);
  }

  private TopologyColumn newTopology(String labelKey) {
    TopologyColumn column = new TopologyColumn(labelKey);
    for (int node = 0; node < limit; node++) {
      NodeInfo info = nodes[node];
      if (info != null) {
        column.put(node, info.labels());
      }
    }
    return column;
  }

  // What else there is.

  public void putNamespace(String name, JsonObject labels) {
    if (namespaces.put(name, labels)) {
      listeners.namespaceChanged(name);
    }
  }

  public void removeNamespace(String name) {
    if (namespaces.remove(name)) {
      listeners.namespaceChanged(name);
    }
  }

  public NamespaceLabels namespaces() {
    return namespaces;
  }

  /** How many pods of a selection are on each node. */
  public PodCounts podCounts() {
    return podCounts;
  }

  /** What the pods on nodes have for and against other pods. */
  public AffinityTerms affinityTerms() {
    return affinityTerms;
  }

  /** What services and controllers select. */
  public OwnerSelectors owners() {
    return owners;
  }

  public ClusterVolumes volumes() {
    return volumes;
  }

  public ClusterDevices devices() {
    return devices;
  }

  /** Pods that are to go to a node for which others are asked to leave. */
  public Nominations nominations() {
    return nominations;
  }

  public NodeImages images() {
    return images;
  }

  public ChangeLog changes() {
    return changes;
  }
}
