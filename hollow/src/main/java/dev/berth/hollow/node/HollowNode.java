package dev.berth.hollow.node;

import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One simulated node. There are many of them, so it holds little, and has neither a thread nor
 * timers of its own. Belongs to the loop of the hollow nodes.
 */
public final class HollowNode {

  /** The state of a node, as metrics show it. */
  public enum State {
    REGISTERING,
    READY,
    NOT_READY,
    SILENT,
    DELETED
  }

  private final int index;
  private final String name;
  private final String address;

  /** As the server last showed it; empty before it is registered and after it was deleted. */
  private JsonObject tree = JsonObject.EMPTY;

  private @Nullable NodeView view;
  private SimulatedFaults faults = SimulatedFaults.NONE;
  private boolean wasRegistered;

  /** Silent because of a call, beside what its annotations say. */
  private boolean silenced;

  /** Not ready for a while, by chance. */
  private boolean failed;

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

  public HollowNode(int index, String name) {
    this.index = index;
    this.name = name;
    this.address = NodeBuilder.address(index);
  }

  public int index() {
    return index;
  }

  public String name() {
    return name;
  }

  public String address() {
    return address;
  }

  public JsonObject tree() {
    return tree;
  }

  /** Empty while there is no such node on the server. */
  public String uid() {
    return Metadata.of(tree).uid();
  }

  public boolean isRegistered() {
    return !tree.isEmpty();
  }

  public State state() {
    if (isSilent()) {
      return State.SILENT;
    }
    if (!isRegistered()) {
      return wasRegistered ? State.DELETED : State.REGISTERING;
    }
    return notReady().isEmpty() ? State.READY : State.NOT_READY;
  }

  /** The server shows this revision of it. */
  public void shown(JsonObject now) {
    tree = now;
    view = null;
    faults = SimulatedFaults.read(Metadata.of(now).annotations());
    wasRegistered = true;
  }

  public void gone() {
    tree = JsonObject.EMPTY;
    view = null;
    leaseOwner = "";
  }

  public SimulatedFaults faults() {
    return faults;
  }

  public void silence(boolean silent) {
    silenced = silent;
  }

  /** Makes it not ready, or ready again. */
  public void fail(boolean now) {
    failed = now;
  }

  public boolean isSilent() {
    return silenced || faults.silent();
  }

  /** Whether it sends requests: it is registered, and not silent. */
  public boolean speaks() {
    return isRegistered() && !isSilent();
  }

  /** Why it is not ready; empty if it is. */
  public String notReady() {
    return !faults.notReady().isEmpty()
        ? faults.notReady()
        : failed ? "container runtime is down" : "";
  }

  public JsonArray conditions(Instant now) {
    return NodeConditions.of(shownConditions(), faults, notReady(), now);
  }

  public JsonArray shownConditions() {
    return tree.object("status").array("conditions");
  }

  public NodeView view() {
    if (view == null) {
      view = NodeView.read(tree);
    }
    return view;
  }
}
