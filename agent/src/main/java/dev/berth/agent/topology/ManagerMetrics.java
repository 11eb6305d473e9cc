package dev.berth.agent.topology;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.policy.cpumanager.CpuOptions;
import dev.berth.policy.cpumanager.CpuSet;
import dev.berth.policy.cpumanager.StaticCpus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What the managers count, under a kubelet's names. Kubelets have those of {@code resource_manager}
 * while PodLevelResourceManagers is on; what pods have together is not divided here, so the node is
 * the only source.
 */
final class ManagerMetrics {
  private static final int MILLIS_PER_CPU = 1000;
  private static final int BUCKETS = 15;
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String NODE = "node";

  private final Counter requests;
  private final Counter errors;
  private final Histogram duration;
  private final Counter cpuRequests;
  private final Counter cpuErrors;
  private final Counter memoryRequests;
  private final Counter memoryErrors;
  private final Family<Counter> aligned;
  private final Family<Counter> misaligned;
  private final Family<Counter> allocations;
  private final Family<Counter> allocationErrors;
  private final Family<Counter> assignments;

  ManagerMetrics(Metrics metrics, ManagerPlan plan, Supplier<ManagerStates> states) {
    requests =
        metrics
            .counters(
                "kubelet_topology_manager_admission_requests_total",
                "Pods whose resources had to be aligned.")
            .with();
    errors =
        metrics
            .counters(
                "kubelet_topology_manager_admission_errors_total",
                "Pods whose resources could not be aligned.")
            .with();
    duration =
        metrics
            .histograms(
                "kubelet_topology_manager_admission_duration_ms",
                "How long it took to let a pod in, in milliseconds.",
                buckets())
            .with();
    cpuRequests =
        metrics
            .counters(
                "kubelet_cpu_manager_pinning_requests_total",
                "Containers that were to get processors of their own.")
            .with();
    cpuErrors =
        metrics
            .counters(
                "kubelet_cpu_manager_pinning_errors_total",
                "Containers that did not get processors of their own.")
            .with();
    memoryRequests =
        metrics
            .counters(
                "kubelet_memory_manager_pinning_requests_total",
                "Containers that were to get memory of certain NUMA nodes.")
            .with();
    memoryErrors =
        metrics
            .counters(
                "kubelet_memory_manager_pinning_errors_total",
                "Containers that did not get memory of certain NUMA nodes.")
            .with();
    aligned =
        metrics.counters(
            "kubelet_container_aligned_compute_resources_count",
            "Containers that have what they asked for within one boundary.",
            "boundary",
            "scope");
    misaligned =
        metrics.counters(
            "kubelet_container_aligned_compute_resources_failure_count",
            "Containers that could not have what they asked for within one boundary.",
            "boundary",
            "scope");
    allocations =
        metrics.counters(
            "resource_manager_allocations_total",
            "Exclusive allocations of a resource, by where it was taken from.",
            "resource_name",
            "source");
    allocationErrors =
        metrics.counters(
            "resource_manager_allocation_errors_total",
            "Exclusive allocations of a resource that failed, by where it was to be taken from.",
            "resource_name",
            "source");
    assignments =
        metrics.counters(
            "resource_manager_container_assignments",
            "Containers that were assigned a resource, by the kind of assignment.",
            "resource_name",
            "assignment_type");
    lookUp(metrics, plan.cpus(), states);
  }

  private static List<Double> buckets() {
    List<Double> buckets = new ArrayList<>();
    for (int i = 0; i < BUCKETS; i++) {
      buckets.add(0.05 * (1 << i));
    }
    return buckets;
  }

  /** Nobody has processors of their own without the policy, and no pool is theirs to share. */
  private static void lookUp(
      Metrics metrics, Optional<StaticCpus> policy, Supplier<ManagerStates> states) {
    metrics.lookedUp(
        "kubelet_cpu_manager_shared_pool_size_millicores",
        "Processors that containers share and that could be given to one, in thousandths.",
        List.of(),
        action ->
            action.accept(
                List.of(),
                policy
                    .map(cpus ->
                        (double) cpus.available(states.get().cpus()).size() * MILLIS_PER_CPU)
                    .orElse(0.0)));
    metrics.lookedUp(
        "kubelet_cpu_manager_exclusive_cpu_allocation_count",
        "Processors that containers have for themselves.",
        List.of(),
        action -> action.accept(List.of(), (double) states.get().cpus().allExclusive().size()));
    metrics.lookedUp(
        "kubelet_cpu_manager_allocation_per_numa",
        "Processors that containers have for themselves, by NUMA node.",
        List.of("numa_node"),
        action ->
            policy.ifPresent(cpus ->
                perNode(cpus, states.get())
                    .forEach((node, count) -> action.accept(List.of("" + node), (double) count))));
  }

  private static SortedMap<Integer, Integer> perNode(StaticCpus cpus, ManagerStates states) {
    SortedMap<Integer, Integer> counts = new TreeMap<>();
    cpus.machine().numaNodes().forEach(node -> counts.put(node, 0));
    for (int cpu : states.cpus().allExclusive().list()) {
      counts.merge(cpus.machine().numaNode(cpu), 1, Integer::sum);
    }
    return counts;
  }

  /** A pod comes in. */
  void asked() {
    requests.increment();
  }

  void answered(Duration took, boolean isAdmitted) {
    // The buckets count milliseconds, and a histogram takes seconds.
    duration.observe(took.multipliedBy(1000));
    if (!isAdmitted) {
      errors.increment();
    }
  }

  /** What a policy that guarantees one NUMA node has found. */
  void onOneNode(String scope, boolean fits) {
    (fits ? aligned : misaligned).with("numa_node", scope).increment();
  }

  void cpusGiven(StaticCpus policy, CpuSet cpus) {
    cpuRequests.increment();
    given(CPU, 1);
    if (policy.options().has(CpuOptions.Option.FULL_CORES)) {
      aligned.with("physical_cpu", "container").increment();
    }
    if (policy.machine().isOneCache(cpus)) {
      aligned.with("uncore_cache", "container").increment();
    }
  }

  void cpusRefused(StaticCpus policy) {
    cpuRequests.increment();
    cpuErrors.increment();
    allocationErrors.with(CPU, NODE).increment();
    if (policy.options().has(CpuOptions.Option.FULL_CORES)) {
      misaligned.with("physical_cpu", "container").increment();
    }
  }

  /**
   * A container got memory.
   *
   * @param types of which it got some: hugepages of each size count by themselves
   */
  void memoryGiven(int types) {
    memoryRequests.increment();
    given(MEMORY, types);
  }

  private void given(String resource, int times) {
    for (int i = 0; i < times; i++) {
      allocations.with(resource, NODE).increment();
    }
    assignments.with(resource, "node_exclusive").increment();
  }

  void memoryRefused() {
    memoryRequests.increment();
    memoryErrors.increment();
    allocationErrors.with(MEMORY, NODE).increment();
  }
}
