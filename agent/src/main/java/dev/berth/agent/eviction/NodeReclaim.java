package dev.berth.agent.eviction;

import dev.berth.agent.image.ImageCollector;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.policy.pressure.Signal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets back what no pod needs, before a pod has to go. It blocks, so it runs beside a loop.
 *
 * <p>For disks that is what ended containers have left, if they were started anew since, and images
 * that nobody uses; those that an operator imported stay, for they could not be had again.
 */
public interface NodeReclaim {

  /** Gets something back; false if there is nothing to be had for such a signal. */
  boolean reclaim(Signal signal);

  /** What a runtime has. */
  final class OfRuntime implements NodeReclaim {
    private static final Logger LOG = LoggerFactory.getLogger("eviction");

    private final ContainerRuntime runtime;
    private final ImageCollector images;

    public OfRuntime(ContainerRuntime runtime, ImageCollector images) {
      this.runtime = runtime;
      this.images = images;
    }

    @Override
    public boolean reclaim(Signal signal) {
      if (signal.isMemory() || signal == Signal.PID_AVAILABLE) {
        return false;
      }
      boolean removed = images.freeAll();
      for (PodSandbox sandbox : sandboxes()) {
        Map<String, Integer> newest = new HashMap<>();
        sandbox.containers().forEach(each -> newest.merge(each.name(), each.attempt(), Math::max));
        for (ContainerStatus each : sandbox.containers()) {
          if (!each.isRunning() && each.attempt() < newest.getOrDefault(each.name(), 0)) {
            removed |= remove(each);
          }
        }
      }
      return removed;
    }

    private List<PodSandbox> sandboxes() {
      try {
        return runtime.list();
      } catch (RuntimeFailure e) {
        LOG.warn("the runtime cannot say what it runs: {}", e.getMessage());
        return List.of();
      }
    }

    private boolean remove(ContainerStatus container) {
      try {
        runtime.removeContainer(container.id());
        return true;
      } catch (RuntimeFailure e) {
        LOG.atWarn()
            .addKeyValue("container", container.id())
            .addKeyValue("reason", e.getMessage())
            .log("cannot remove an ended container");
        return false;
      }
    }
  }
}
