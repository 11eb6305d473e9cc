package dev.berth.sim.record;

import java.util.Comparator;

/** Which workload; of a pod that nobody manages, the pod itself. */
public record WorkloadId(String kind, String namespace, String name)
    implements Comparable<WorkloadId> {
  /** The kind of what is a pod itself. */
  static final String POD = "Pod";

  private static final Comparator<WorkloadId> ORDER =
      Comparator.comparing(WorkloadId::namespace)
          .thenComparing(WorkloadId::name)
          .thenComparing(WorkloadId::kind);

  @Override
  public int compareTo(WorkloadId other) {
    return ORDER.compare(this, other);
  }

  /** As people call it: without the namespace if that is the default one. */
  @Override
  public String toString() {
    return namespace.equals("default") ? name : namespace + "/" + name;
  }
}
