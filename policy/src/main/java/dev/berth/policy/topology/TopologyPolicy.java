package dev.berth.policy.topology;

import java.util.Arrays;
import java.util.Optional;

/** What becomes of a pod whose resources are not together. */
public enum TopologyPolicy {
  /** Nobody looks. */
  NONE("none"),
  /** It is let in all the same. */
  BEST_EFFORT("best-effort"),
  /** It is not let in, unless no narrower set of nodes could ever do. */
  RESTRICTED("restricted"),
  /** It is not let in, unless all of it is on one node. */
  SINGLE_NUMA_NODE("single-numa-node");

  private final String text;

  TopologyPolicy(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  public static Optional<TopologyPolicy> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }
}
