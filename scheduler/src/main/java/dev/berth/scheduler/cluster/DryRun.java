package dev.berth.scheduler.cluster;

import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds pods to nodes and removes them to see what that would change, and undoes all of it when
 * closed. The {@link ChangeLog} does not show it: the caller informs filters that were prepared
 * before, and prepares no others meanwhile.
 */
public final class DryRun implements AutoCloseable {
  private final Cluster cluster;
  private final List<Runnable> undo = new ArrayList<>();

  DryRun(Cluster cluster) {
    this.cluster = cluster;
  }

  public void add(PodInfo pod, String nodeName) {
    cluster.place(pod, nodeName);
    undo.add(() -> cluster.take(pod, nodeName));
  }

  /** Takes a pod off a node. Returns false if it was not there. */
  public boolean remove(PodInfo pod, String nodeName) {
    PodInfo known = cluster.take(pod, nodeName);
    if (known == null) {
      return false;
    }
    undo.add(() -> cluster.place(known, nodeName));
    return true;
  }

  @Override
  public void close() {
    for (Runnable step : undo.reversed()) {
      step.run();
    }
    undo.clear();
  }
}
