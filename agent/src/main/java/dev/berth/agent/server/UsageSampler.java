package dev.berth.agent.server;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the node and its pods use, with how many processors they use at the moment: the difference
 * to a sample of at least {@link #WINDOW} ago, or, the first time, the average since they began.
 * Nothing is measured while nobody asks. Thread-safe.
 */
final class UsageSampler {
  private static final Logger LOG = LoggerFactory.getLogger("kubelet");
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final NodeParts parts;
  private final Time time;

  /** By what it is of; guarded by this. */
  private Map<String, Reading> older = new HashMap<>();

  private Map<String, Reading> newer = new HashMap<>();
  private Instant newerAt;

  private record Reading(long cpuNanos, Instant at) {}

  /**
   * Everything at one instant.
   *
   * @param isComplete whether the runtime could say what it runs
   */
  record Sample(
      Instant at,
      NodeDocuments.MachineUsage machine,
      long nanoCores,
      List<OfSystem> system,
      List<OfPod> pods,
      boolean isComplete) {}

  record OfSystem(NodeDocuments.SystemContainer container, long nanoCores) {}

  /**
   * A pod.
   *
   * @param nanoCores billionths of a processor
   */
  record OfPod(
      PodId pod, Instant since, PodUsage usage, long nanoCores, List<OfContainer> containers) {}

  record OfContainer(Instant since, PodUsage.OfContainer usage, long nanoCores) {}

  UsageSampler(NodeParts parts) {
    this.parts = parts;
    this.time = parts.time();
    this.newerAt = time.monotonicNow().minus(WINDOW);
  }

  /**
   * Measures.
   *
   * @param hasFiles whether it is also measured what containers have written, which may take a walk
   *     through many files
   */
  Sample now(boolean hasFiles) {
    Map<String, PodSandbox> sandboxes = new HashMap<>();
    boolean isComplete = true;
    try {
      parts.runtime().list().forEach(sandbox -> sandboxes.put(sandbox.pod().uid(), sandbox));
    } catch (RuntimeFailure e) {
      isComplete = false;
      LOG.warn("the runtime cannot say what it runs: {}", e.getMessage());
    }
    List<PodUsage> used = parts.runtime().usage(_ -> hasFiles);
    NodeDocuments documents = parts.documents();
    return sample(sandboxes, used, documents.machine(), documents.systemContainers(), isComplete);
  }

  private synchronized Sample sample(
      Map<String, PodSandbox> sandboxes,
      List<PodUsage> used,
      NodeDocuments.MachineUsage machine,
      List<NodeDocuments.SystemContainer> system,
      boolean isComplete) {
    Instant at = time.monotonicNow();
    Map<String, Reading> readings = new HashMap<>();
    List<OfPod> pods = new ArrayList<>();
    for (PodUsage pod : used) {
      PodSandbox sandbox = sandboxes.get(pod.pod().uid());
      if (sandbox == null) {
        continue;
      }
      List<OfContainer> containers = new ArrayList<>();
      for (PodUsage.OfContainer container : pod.containers()) {
        Instant since = started(sandbox, container.name());
        String key = pod.pod().uid() + "/" + container.name() + "/" + since;
        containers.add(
            new OfContainer(
                since, container, rate(key, container.usage().cpuNanos(), since, at, readings)));
      }
      long nanoCores =
          rate(pod.pod().uid(), pod.total().cpuNanos(), sandbox.created(), at, readings);
      pods.add(new OfPod(pod.pod(), sandbox.created(), pod, nanoCores, containers));
    }
    List<OfSystem> ofSystem =
        system.stream()
            .map(each ->
                new OfSystem(
                    each,
                    rate("/" + each.name(), each.usage().cpuNanos(), each.since(), at, readings)))
            .toList();
    long ofNode = rate("", machine.usage().cpuNanos(), machine.since(), at, readings);
    if (!Duration.between(newerAt, at).minus(WINDOW).isNegative()) {
      older = newer;
      newer = readings;
      newerAt = at;
    }
    return new Sample(time.now(), machine, ofNode, ofSystem, pods, isComplete);
  }

  private static Instant started(PodSandbox sandbox, String name) {
    return sandbox.containers().stream()
        .filter(container -> container.name().equals(name))
        .map(ContainerStatus::started)
        .reduce((_, last) -> last)
        .orElse(sandbox.created());
  }

  private long rate(
      String key, long cpuNanos, Instant since, Instant at, Map<String, Reading> readings) {
    readings.put(key, new Reading(cpuNanos, at));
    Reading before = older.get(key);
    if (before == null) {
      before = newer.get(key);
    }
    Duration elapsed =
        before == null ? Duration.between(since, time.now()) : Duration.between(before.at(), at);
    long spent = cpuNanos - (before == null ? 0 : before.cpuNanos());
    long nanos = elapsed.toNanos();
    return nanos <= 0 || spent < 0 ? 0 : (long) ((double) spent * NANOS_PER_SECOND / nanos);
  }
}
