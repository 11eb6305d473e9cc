package dev.berth.scheduler.cluster.pod;

import java.util.function.ObjIntConsumer;

/** The pods on nodes, for whoever keeps count of some of them. */
public interface PlacedPods {
  /** Visits each pod that is on a node, with the node's index. */
  void forEach(ObjIntConsumer<PodInfo> action);

  /** Tells a listener of pods that come and go from now on, after all that are on nodes now. */
  void listen(PodListener listener);
}
