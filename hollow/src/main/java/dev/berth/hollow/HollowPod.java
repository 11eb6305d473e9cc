package dev.berth.hollow;

import dev.berth.hollow.pod.PodRun;
import dev.berth.hollow.pod.PodStatusBuilder;
import dev.berth.hollow.pod.Refusal;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import org.jspecify.annotations.Nullable;

/** A pod that is bound to a simulated node. Belongs to the loop of {@link HollowNodes}. */
final class HollowPod {

  /** How far it has come. */
  enum Stage {
    /** Its node has not looked at it. */
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

  private final HollowNode node;
  private final String uid;

  /** As the server last showed it. */
  JsonObject tree;

  Stage stage = Stage.NEW;

  /** What runs; null until something does. */
  @Nullable PodRun run;

  /** Why it was not let in; null if it was. */
  @Nullable Refusal refusal;

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

  /** Whether the server does not know yet how it is. */
  boolean changed;

  int failures;

  /** What it is counted as; null before it is. */
  @Nullable PodPhase counted;

  HollowPod(HollowNode node, JsonObject tree) {
    this.node = node;
    this.tree = tree;
    this.uid = Metadata.of(tree).uid();
  }

  HollowNode node() {
    return node;
  }

  String uid() {
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
    if (refusal != null) {
      return PodPhase.FAILED;
    }
    return run == null || stage == Stage.NEW
        ? PodPhase.of(tree.object("status").text("phase", ""))
        : run.phase(restartPolicy(), stays());
  }

  boolean stays() {
    return stage == Stage.STARTING || stage == Stage.RUNNING;
  }

  /** Whether the server shows another readiness than the pod's. */
  boolean isMisjudged() {
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
