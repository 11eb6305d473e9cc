package dev.berth.scheduler.cluster;

import java.util.ArrayList;
import java.util.List;

/** Those who keep count of the pods on nodes. */
final class PodListeners {
  private final List<PodListener> listeners = new ArrayList<>();

  /** Adds one, which is told of the pods that are there. */
  void add(PodListener listener, Cluster cluster) {
    for (int node = 0; node < cluster.limit(); node++) {
      for (PodInfo pod : cluster.pods(node)) {
        listener.added(pod, node);
      }
    }
    listeners.add(listener);
  }

  /** A pod came, or went if the sign is negative. */
  void tell(PodInfo pod, int node, int sign) {
    for (int i = 0; i < listeners.size(); i++) {
      if (sign > 0) {
        listeners.get(i).added(pod, node);
      } else {
        listeners.get(i).removed(pod, node);
      }
    }
  }

  void namespaceChanged(String name) {
    listeners.forEach(listener -> listener.namespaceChanged(name));
  }
}
