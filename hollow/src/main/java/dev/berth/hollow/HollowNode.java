package dev.berth.hollow;

import dev.berth.hollow.pod.NodeAdmission;
import dev.berth.hollow.pod.PodAddresses;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One simulated node. There are many of them, so it holds little, and has neither a thread nor
 * timers of its own. Belongs to the loop of {@link HollowNodes}.
 */
final class HollowNode {

  /** What a node is up to, as metrics show it. */
  enum State {
    REGISTERING,
    READY,
    NOT_READY,
    SILENT,
    DELETED
  }

  private final int index;
  private final String name;
  private final String address;
  private final PodAddresses podAddresses;
  private final List<HollowPod> pods = new ArrayList<>(0);
  private final NodeMounts mounts = new NodeMounts();
  private final Map<String, Quantity> used = new HashMap<>(4);
  private int podsCounted;

  /** As the server last showed it; empty before it is registered and after it was deleted. */
  private JsonObject tree = JsonObject.EMPTY;

  private @Nullable NodeView view;
  private SimulatedFaults orders = SimulatedFaults.NONE;
  private boolean wasRegistered;

  /** Told so by a call, beside what its annotations say. */
  boolean silenced;

  /** It is not ready for a while, by chance. */
  boolean unwell;

  /** The uid of the node that its lease is known to belong to; empty before it has a lease. */
  String leaseOwner = "";

  boolean leaseUnderWay;
  int leaseFailures;

  boolean statusUnderWay;
  boolean statusChanged;

  /** Whether the server has only some of its status. */
  boolean statusIncomplete;

  int statusFailures;

  /** What it is counted as; null before it is. */
  @Nullable State counted;

  /** Whether it will soon compare what the server shows with what it knows. */
  boolean looksAgain;

  HollowNode(int index, String name) {
    this.index = index;
    this.name = name;
    this.address = NodeBuilder.address(index);
    this.podAddresses = new PodAddresses(index);
  }

  int index() {
    return index;
  }

  String name() {
    return name;
  }

  String address() {
    return address;
  }

  JsonObject tree() {
    return tree;
  }

  /** Empty while there is no such node on the server. */
  String uid() {
    return Metadata.of(tree).uid();
  }

  boolean isRegistered() {
    return !tree.isEmpty();
  }

  State state() {
    if (isSilent()) {
      return State.SILENT;
    }
    if (!isRegistered()) {
      return wasRegistered ? State.DELETED : State.REGISTERING;
    }
    return notReady().isEmpty() ? State.READY : State.NOT_READY;
  }

  /** Takes note of what the server shows. */
  void shown(JsonObject now) {
    tree = now;
    view = null;
    orders = SimulatedFaults.read(Metadata.of(now).annotations());
    wasRegistered = true;
  }

  void gone() {
    tree = JsonObject.EMPTY;
    view = null;
    leaseOwner = "";
  }

  SimulatedFaults orders() {
    return orders;
  }

  boolean isSilent() {
    return silenced || orders.silent();
  }

  /** Whether it says something about itself: it is on the server, and not silent. */
  boolean speaks() {
    return isRegistered() && !isSilent();
  }

  /** Why it is not ready; empty if it is. */
  String notReady() {
    return !orders.notReady().isEmpty()
        ? orders.notReady()
        : unwell ? "container runtime is down" : "";
  }

  JsonArray conditions(Instant now) {
    return NodeConditions.of(shownConditions(), orders, notReady(), now);
  }

  JsonArray shownConditions() {
    return tree.object("status").array("conditions");
  }

  NodeView view() {
    if (view == null) {
      view = NodeView.read(tree);
    }
    return view;
  }

  List<HollowPod> pods() {
    return pods;
  }

  NodeMounts mounts() {
    return mounts;
  }

  PodAddresses podAddresses() {
    return podAddresses;
  }

  /** What its pods take of it. */
  NodeAdmission.Taken taken() {
    return new NodeAdmission.Taken(podsCounted, used);
  }

  void take(ResourceList requests) {
    podsCounted++;
    requests.amounts().forEach((resource, amount) -> used.merge(resource, amount, Quantity::plus));
  }

  void giveBack(ResourceList requests) {
    podsCounted--;
    requests
        .amounts()
        .forEach(
            (resource, amount) -> used.computeIfPresent(resource, (_, sum) -> sum.minus(amount)));
  }
}
