package dev.berth.hollow.node;

import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pressure.PressureState;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;
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
  private String address;

  /** As the server last showed it; empty before it is registered and after it was deleted. */
  private JsonObject tree = JsonObject.EMPTY;

  private @Nullable NodeView view;
  private SimulatedFaults faults = SimulatedFaults.NONE;
  private boolean wasRegistered;

  /** Silent because of a call, beside what its annotations say. */
  private boolean silenced;

  /** Since when it is silent, on the monotonic clock; from the beginning unless it fell silent. */
  private Instant silentSince = Instant.MIN;

  /** Not ready for a while, by chance. */
  private boolean failed;

  /** How short of memory it is, by what its annotation says. */
  private PressureState pressure = PressureState.NONE;

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

  /** Its own, or the one that the server shows: a node of a snapshot keeps the address it had. */
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
    address = shownAddress();
    wasRegistered = true;
  }

  private String shownAddress() {
    for (JsonObject shown : tree.object("status").array("addresses").objects()) {
      if (shown.text("type", "").equals("InternalIP")) {
        return shown.text("address", address);
      }
    }
    return address;
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

  /** It fell silent now. */
  public void fellSilent(Instant now) {
    silentSince = now;
  }

  /** The last moment at which it could be heard, by now. */
  public Instant lastAudible(Instant now) {
    return !isRegistered() ? Instant.MIN : isSilent() ? silentSince : now;
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
    return NodeConditions.of(shownConditions(), reported(), notReady(), now);
  }

  /** The conditions beside its readiness that it reports as True. */
  public SortedSet<String> reported() {
    SortedSet<String> reported = new TreeSet<>(faults.conditions());
    reported.addAll(pressure.conditions());
    return reported;
  }

  public PressureState pressure() {
    return pressure;
  }

  /** Its memory was looked at; returns whether it reports something else now. */
  public boolean observed(PressureState now) {
    boolean differs = !now.conditions().equals(pressure.conditions());
    pressure = now;
    return differs;
  }

  /** Whether the server shows another state of it than it has to report by now. */
  public boolean isMisreported(Instant now) {
    return NodeConditions.differ(shownConditions(), conditions(now))
        || !OthersResources.behind(tree).isEmpty();
  }

  JsonArray shownConditions() {
    return tree.object("status").array("conditions");
  }

  public NodeView view() {
    if (view == null) {
      view = NodeView.read(tree);
    }
    return view;
  }
}
