package dev.berth.scheduler.cluster.pod;

import java.util.ArrayList;
import java.util.List;

/** The listeners of a cluster's pods, told in the order in which they were added. */
public final class PodListeners {
  private final List<PodListener> listeners = new ArrayList<>();

  public void add(PodListener listener) {
    listeners.add(listener);
  }

  /** A pod came, or went if the sign is negative. */
  public void tell(PodInfo pod, int node, int sign) {
    for (int i = 0; i < listeners.size(); i++) {
      if (sign > 0) {
        listeners.get(i).added(pod, node);
      } else {
        listeners.get(i).removed(pod, node);
      }
    }
  }

  public void namespaceChanged(String name) {
    listeners.forEach(listener -> listener.namespaceChanged(name));
  }
}
