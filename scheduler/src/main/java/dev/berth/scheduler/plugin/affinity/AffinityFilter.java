package dev.berth.scheduler.plugin.affinity;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.AffinityTerm;
import dev.berth.scheduler.cluster.affinity.AffinityTerm.Kind;
import dev.berth.scheduler.cluster.affinity.AffinityTerms;
import dev.berth.scheduler.cluster.affinity.PodAffinity;
import dev.berth.scheduler.cluster.affinity.PodSelection;
import dev.berth.scheduler.cluster.affinity.PodTerm;
import dev.berth.scheduler.cluster.node.NodeCounts;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are near what a pod must be near, and far from what it must be far from.
 *
 * <ol>
 *   <li>Affinity: the node has the labels of all terms, and in each of the domains there is a pod
 *       that <em>all</em> terms are about. The first of a group that wants to be near itself may go
 *       to any node with those labels: if there is no such pod anywhere and the new one is one.
 *   <li>Anti-affinity: none of the domains of the terms has a pod that the term is about.
 *   <li>Of the pods that are there: no domain has a pod with a term about the new one.
 * </ol>
 */
final class AffinityFilter implements NodeFilter {
  private final PodInfo pod;
  private final Cluster cluster;
  private final List<AffinityTerm> affinity;
  private final List<AffinityTerm> antiAffinity;

  private List<DomainSums> wanted = List.of();
  private List<DomainSums> unwanted = List.of();
  private List<DomainSums> unwelcome = List.of();
  private boolean first;
  private boolean stale = true;

  AffinityFilter(PodInfo pod, PodAffinity terms, Cluster cluster) {
    this.pod = pod;
    this.cluster = cluster;
    affinity = terms.terms(Kind.REQUIRED_AFFINITY);
    antiAffinity = terms.terms(Kind.REQUIRED_ANTI_AFFINITY);
  }

  /** Whether it allows every node. */
  boolean allowsAll() {
    return affinity.isEmpty()
        && antiAffinity.isEmpty()
        && cluster.affinityTerms().about(pod, Kind.REQUIRED_ANTI_AFFINITY).isEmpty();
  }

  private void refresh() {
    if (!affinity.isEmpty()) {
      PodSelection selection =
          PodSelection.all(affinity.stream().map(AffinityTerm::pods).toArray(PodTerm[]::new));
      NodeCounts counts = cluster.podCounts().of(selection).counts();
      wanted = affinity.stream().map(term -> new DomainSums(term, counts, cluster)).toList();
      first =
          wanted.stream().allMatch(sums -> sums.total() == 0)
              && selection.matches(pod, cluster.namespaces());
    }
    List<DomainSums> found = new ArrayList<>();
    for (AffinityTerm term : antiAffinity) {
      NodeCounts counts = cluster.podCounts().of(PodSelection.all(term.pods())).counts();
      found.add(new DomainSums(term, counts, cluster));
    }
    unwanted = withPods(found);
    found.clear();
    for (AffinityTerms.CountedTerm held :
        cluster.affinityTerms().about(pod, Kind.REQUIRED_ANTI_AFFINITY)) {
      found.add(new DomainSums(held.term(), held.counts(), cluster));
    }
    unwelcome = withPods(found);
    stale = false;
  }

  private static List<DomainSums> withPods(List<DomainSums> sums) {
    return sums.stream().filter(one -> one.total() > 0).toList();
  }

  @Override
  public boolean allows(int node) {
    if (stale) {
      refresh();
    }
    return notNear(node) == null && near(unwanted, node) == null && near(unwelcome, node) == null;
  }

  private @Nullable DomainSums notNear(int node) {
    DomainSums missing = null;
    for (int i = 0; i < wanted.size(); i++) {
      DomainSums one = wanted.get(i);
      if (!one.hasDomain(node)) {
        return one;
      }
      if (!one.isNear(node)) {
        missing = one;
      }
    }
    return first ? null : missing;
  }

  private static @Nullable DomainSums near(List<DomainSums> sums, int node) {
    for (int i = 0; i < sums.size(); i++) {
      if (sums.get(i).isNear(node)) {
        return sums.get(i);
      }
    }
    return null;
  }

  @Override
  public Refusal refusal(int node) {
    if (stale) {
      refresh();
    }
    DomainSums missing = notNear(node);
    if (missing != null) {
      return new AffinityRefusal.NotNear(missing.term());
    }
    DomainSums there = near(unwanted, node);
    if (there != null) {
      return new AffinityRefusal.TooNear(there.term());
    }
    DomainSums against = near(unwelcome, node);
    if (against != null) {
      return new AffinityRefusal.Unwanted(against.term());
    }
    throw new IllegalArgumentException("The node " + node + " is allowed");
  }

  @Override
  public void removed(PodInfo other, int node) {
    stale = true;
  }

  @Override
  public void added(PodInfo other, int node) {
    stale = true;
  }
}
