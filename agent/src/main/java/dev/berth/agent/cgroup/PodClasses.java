package dev.berth.agent.cgroup;

import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.NodeAllocatable;
import dev.berth.agent.runtime.SandboxSpec;
import java.io.IOException;

/**
 * The groups that the pods of a node are in, by a kubelet's names: one for all of them, in which
 * those of the class Guaranteed are, and one for each other class below it.
 *
 * <ul>
 *   <li>All pods together may use what the node has for them, and when all want processors weigh as
 *       much against the rest of the machine.
 *   <li>Burstable pods together weigh as much against Guaranteed ones as they request, whatever the
 *       number of either.
 *   <li>BestEffort pods together weigh as little as one.
 * </ul>
 *
 * For any thread.
 */
public final class PodClasses {
  private static final String BURSTABLE = "/burstable";
  private static final String BEST_EFFORT = "/besteffort";

  /** What is killed last of all is Guaranteed, what is killed first BestEffort. */
  private static final int GUARANTEED_SCORE = -997;

  private static final int BEST_EFFORT_SCORE = 1000;
  private static final long SHARES_PER_CPU = 1024;
  private static final long MILLIS_PER_CPU = 1000;
  private static final long LEAST_SHARES = 2;
  private static final long MOST_SHARES = 262_144;

  private final Cgroups cgroups;
  private final String all;

  /**
   * @param all the group of all pods
   */
  public PodClasses(Cgroups cgroups, String all) {
    this.cgroups = cgroups;
    this.all = all;
  }

  /** The group of a pod, in that of all. */
  public static String group(String all, SandboxSpec spec) {
    int score = spec.limits().oomScore();
    String ofClass =
        score >= BEST_EFFORT_SCORE ? BEST_EFFORT : score <= GUARANTEED_SCORE ? "" : BURSTABLE;
    return all + ofClass + "/pod" + spec.pod().uid();
  }

  /** Makes the groups of all pods, and limits them together. */
  public void confine(NodeAllocatable allocatable) throws IOException {
    cgroups.create(all + BURSTABLE);
    cgroups.create(all + BEST_EFFORT);
    weigh();
    cgroups.weigh(all, bounded(allocatable.cpuMillis() * SHARES_PER_CPU / MILLIS_PER_CPU));
    cgroups.bound(all, allocatable.memoryBytes(), allocatable.processes());
  }

  /** Makes the group of a pod. */
  public void create(String group, Limits limits) throws IOException {
    cgroups.create(group);
    limit(group, limits);
  }

  /** Gives the group of a pod other limits. */
  public void limit(String group, Limits limits) throws IOException {
    cgroups.limit(group, limits);
    weigh();
  }

  public void remove(String group) throws IOException {
    cgroups.remove(group);
    weigh();
  }

  /** Removes the groups of all pods, unless another agent has pods in them. */
  public void removeUnused() throws IOException {
    if (cgroups.processes(all).isEmpty()) {
      cgroups.remove(all);
    }
  }

  /** One after the other: whoever comes last sees what those before have done. */
  private synchronized void weigh() throws IOException {
    cgroups.weigh(all + BEST_EFFORT, LEAST_SHARES);
    cgroups.weigh(all + BURSTABLE, bounded(cgroups.weightsIn(all + BURSTABLE)));
  }

  private static long bounded(long shares) {
    return Math.clamp(shares, LEAST_SHARES, MOST_SHARES);
  }
}
