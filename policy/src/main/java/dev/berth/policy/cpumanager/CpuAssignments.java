package dev.berth.policy.cpumanager;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Which containers have processors of their own, and which processors all others share.
 *
 * @param exclusive by the uid of a pod and the name of a container
 */
public record CpuAssignments(
    CpuSet shared, SortedMap<String, SortedMap<String, CpuSet>> exclusive) {
  public static final CpuAssignments NONE = new CpuAssignments(CpuSet.EMPTY, new TreeMap<>());

  public CpuAssignments {
    SortedMap<String, SortedMap<String, CpuSet>> copy = new TreeMap<>();
    exclusive.forEach((pod, containers) ->
        copy.put(pod, Collections.unmodifiableSortedMap(new TreeMap<>(containers))));
    exclusive = Collections.unmodifiableSortedMap(copy);
  }

  public Map<String, CpuSet> of(String podUid) {
    return exclusive.getOrDefault(podUid, Collections.emptySortedMap());
  }

  public Optional<CpuSet> find(String podUid, String container) {
    return Optional.ofNullable(of(podUid).get(container));
  }

  public CpuSet allExclusive() {
    CpuSet all = CpuSet.EMPTY;
    for (Map<String, CpuSet> containers : exclusive.values()) {
      for (CpuSet cpus : containers.values()) {
        all = all.union(cpus);
      }
    }
    return all;
  }

  CpuAssignments with(String podUid, String container, CpuSet cpus) {
    SortedMap<String, SortedMap<String, CpuSet>> changed = new TreeMap<>(exclusive);
    SortedMap<String, CpuSet> containers = new TreeMap<>(of(podUid));
    containers.put(container, cpus);
    changed.put(podUid, containers);
    return new CpuAssignments(shared.minus(cpus), changed);
  }

  /** What a pod had is everybody's again. */
  public CpuAssignments without(String podUid) {
    return only(pod -> !pod.equals(podUid));
  }

  /** What other pods have is everybody's again. */
  public CpuAssignments retain(Collection<String> podUids) {
    return only(podUids::contains);
  }

  private CpuAssignments only(Predicate<String> isKept) {
    CpuSet free = shared;
    SortedMap<String, SortedMap<String, CpuSet>> kept = new TreeMap<>();
    for (Map.Entry<String, SortedMap<String, CpuSet>> pod : exclusive.entrySet()) {
      if (isKept.test(pod.getKey())) {
        kept.put(pod.getKey(), pod.getValue());
      } else {
        for (CpuSet cpus : pod.getValue().values()) {
          free = free.union(cpus);
        }
      }
    }
    return new CpuAssignments(free, kept);
  }
}
