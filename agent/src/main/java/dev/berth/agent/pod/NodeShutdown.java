package dev.berth.agent.pod;

import dev.berth.agent.pod.RunningPods.Eviction;
import dev.berth.policy.podrun.PodAdmission;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Ends all pods because their node goes away: first those that the cluster can do without, then the
 * others. Lives on the loop of the pods.
 */
final class NodeShutdown {
  private static final String MESSAGE = "Pod was terminated in response to imminent node shutdown.";
  private static final Eviction WHY = new Eviction("Terminated", MESSAGE, Optional.of(MESSAGE));

  /** How often it is looked whether all have ended. */
  private static final Duration CHECK = Duration.ofMillis(100);

  private final Loop loop;
  private final Duration grace;
  private final Runnable then;

  NodeShutdown(Loop loop, Duration grace, Runnable then) {
    this.loop = loop;
    this.grace = grace;
    this.then = then;
  }

  void begin(List<PodWorker> workers) {
    List<PodWorker> critical = workers.stream().filter(NodeShutdown::isCritical).toList();
    List<PodWorker> others = workers.stream().filter(worker -> !isCritical(worker)).toList();
    end(others, () -> end(critical, then));
  }

  private static boolean isCritical(PodWorker worker) {
    return PodAdmission.isCritical(worker.pod());
  }

  private void end(List<PodWorker> workers, Runnable next) {
    workers.forEach(worker -> worker.evict(WHY, grace));
    await(workers, next);
  }

  private void await(List<PodWorker> workers, Runnable next) {
    if (workers.stream().allMatch(worker -> worker.hasEnded() || !worker.isAdmitted())) {
      next.run();
    } else {
      loop.after(CHECK, () -> await(workers, next));
    }
  }
}
