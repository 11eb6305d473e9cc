package dev.berth.scheduler.cluster;

import dev.berth.model.core.PodView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/**
 * A pod as the scheduler sees it, read once per revision by {@link Cluster#read}.
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
    Amounts requests,
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

  /** The node for which others were asked to make room for it; empty if there is none. */
  public String nominatedNode() {
    return tree.object("status").text("nominatedNodeName", "");
  }

  /** Pods are the same by identity, whatever their revision. */
  public boolean isSamePodAs(PodInfo other) {
    return uid().equals(other.uid());
  }
}
