package dev.berth.scheduler.cluster.pod;

import dev.berth.model.core.PodView;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import java.time.Instant;
import java.util.Optional;

/**
 * A pod as the scheduler sees it, read once per revision by {@link PodReader}.
 *
 * @param tree the whole object, for plugins that look at what the view leaves out
 * @param requests what it takes of a node; {@link ResourceTable#PODS} is not in it, since every pod
 *     counts as one
 * @param scoredCpu the cpu that scores count: what it requests, or a little if it requests none
 * @param scoredMemory likewise
 * @param podClass what plugins look at whose answers depend on one node alone; the same object for
 *     most pods of a template
 */
public record PodInfo(
    ObjectName name,
    JsonObject tree,
    PodView view,
    ResourceAmounts requests,
    long scoredCpu,
    long scoredMemory,
    PodClass podClass) {

  public String uid() {
    return view.uid();
  }

  public JsonObject labels() {
    return view.labels();
  }

  public long priority() {
    return view.spec().priority();
  }

  /** The node it is on; empty if it is on none. */
  public String nodeName() {
    return view.spec().nodeName();
  }

  /** The node that it is nominated to, as its status says; empty if there is none. */
  public String nominatedNode() {
    return tree.object("status").text("nominatedNodeName", "");
  }

  /** Whether it is not to be scheduled yet. */
  public boolean hasSchedulingGates() {
    return !spec().array("schedulingGates").isEmpty();
  }

  /** Whether it may never preempt others. */
  public boolean neverPreempts() {
    return spec().text("preemptionPolicy", "").equals("Never");
  }

  /** Its affinity to nodes and to other pods, as it is written. */
  public JsonObject affinity() {
    return spec().object("affinity");
  }

  /** Its spread constraints, as they are written. */
  public JsonArray topologySpreadConstraints() {
    return spec().array("topologySpreadConstraints");
  }

  /** The claims on devices that it names, as they are written. */
  public JsonArray resourceClaims() {
    return spec().array("resourceClaims");
  }

  /** Its volumes, as they are written. */
  public JsonArray volumes() {
    return spec().array("volumes");
  }

  private JsonObject spec() {
    return tree.object("spec");
  }

  /** When it was started; empty if that is not known. */
  public Optional<Instant> startTime() {
    String text = tree.object("status").text("startTime");
    try {
      return text == null ? Optional.empty() : Optional.of(Times.parse(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /**
   * Whether two revisions of a pod are the same to the scheduler; their status may differ, but for
   * the claims that were made for it.
   */
  public boolean isScheduledLike(PodInfo other) {
    return spec().equals(other.spec())
        && labels().equals(other.labels())
        && (resourceClaims().isEmpty() || claimsMade().equals(other.claimsMade()));
  }

  private JsonArray claimsMade() {
    return tree.object("status").array("resourceClaimStatuses");
  }

  /** Pods are the same by identity, whatever their revision. */
  public boolean isSamePodAs(PodInfo other) {
    return uid().equals(other.uid());
  }
}
