package dev.berth.hollow.pod;

import dev.berth.hollow.node.HollowNode;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.time.Loop;
import org.jspecify.annotations.Nullable;

/** A pod that is bound to a simulated node. Belongs to the loop of the hollow nodes. */
public final class HollowPod {

  /** How far it has come. */
  enum Stage {
    /** Its node has not decided about it yet. */
    NEW,
    STARTING,
    RUNNING,
    /** Told to stop, and doing so. */
    STOPPING,
    /** Nothing of it runs any more, and it is to be deleted. */
    STOPPED,
    /** Nothing of it runs any more, or ever did; it stays until somebody deletes it. */
    FINISHED
  }

  private final NodePods home;
  private final String uid;

  /** As the server last showed it. */
  JsonObject tree;

  Stage stage = Stage.NEW;

  /** What runs; null until something does. */
  @Nullable PodRun run;

  /** Why it was not admitted; null if it was. */
  @Nullable AdmissionRejection rejection;

  /** Why its node evicts it; null if it does not. */
  @Nullable String eviction;

  /** What it holds of its node; null while it holds nothing. */
  @Nullable ResourceList holds;

  /** Its place among its node's addresses; -1 if it has none. */
  int place = -1;

  /** How often its containers were started again since they last ran for long. */
  int restarts;

  /** What happens next: one thing at a time. */
  Loop.@Nullable Timer next;

  boolean underWay;

  /** The server was asked to delete it, and did so, or will once its finalizers are gone. */
  boolean isDeleted;

  /** It is no longer there; whatever was to be done is moot. */
  boolean isForgotten;

  /** Whether its status is to be posted. */
  boolean changed;

  int failures;

  /** What it is counted as; null before it is. */
  @Nullable PodPhase counted;

  public HollowPod(NodePods home, JsonObject tree) {
    this.home = home;
    this.tree = tree;
    this.uid = Metadata.of(tree).uid();
  }

  public HollowNode node() {
    return home.node();
  }

  /** The pods of its node. */
  NodePods home() {
    return home;
  }

  public JsonObject tree() {
    return tree;
  }

  /** The server shows this revision of it. */
  public void shown(JsonObject now) {
    tree = now;
  }

  /** Whether its node has not decided about it yet. */
  public boolean isNew() {
    return stage == Stage.NEW;
  }

  /** Whether a request about it has not been answered yet. */
  public boolean hasRequestUnderWay() {
    return underWay;
  }

  /** Has its status posted with the next {@link HollowPods#sync}. */
  public void markChanged() {
    changed = true;
  }

  public String uid() {
    return uid;
  }

  ObjectName name() {
    return ObjectName.of(tree);
  }

  boolean isBeingDeleted() {
    return Metadata.of(tree).isBeingDeleted();
  }

  String restartPolicy() {
    return tree.object("spec").text("restartPolicy", "Always");
  }

  /** Its phase as its node knows it. */
  PodPhase phase() {
    if (rejection != null || wasEvicted()) {
      return PodPhase.FAILED;
    }
    return run == null || stage == Stage.NEW
        ? PodPhase.of(tree.object("status").text("phase", ""))
        : run.phase(restartPolicy(), stays());
  }

  /** Whether its node has evicted it, and it stays to tell. */
  boolean wasEvicted() {
    return eviction != null && stage == Stage.FINISHED;
  }

  /** Whether it uses something of its node, and is to go on doing so. */
  boolean canBeEvicted() {
    return stays() && !isBeingDeleted();
  }

  boolean stays() {
    return stage == Stage.STARTING || stage == Stage.RUNNING;
  }

  /** Whether the server shows another readiness than the pod's. */
  public boolean isMisjudged() {
    return stage == Stage.RUNNING
        && run != null
        && PodStatusBuilder.isReady(tree, run, true)
            != Conditions.isTrue(tree.object("status").array("conditions"), "Ready");
  }

  void cancelNext() {
    if (next != null) {
      next.cancel();
      next = null;
    }
  }
}
