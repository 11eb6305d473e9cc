package dev.berth.agent.pod;

import dev.berth.agent.probe.Probes;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.ProbeResult;
import dev.berth.policy.podrun.Probed;
import java.util.HashMap;
import java.util.Map;

/** Has the containers of a pod probed that run. Lives on the loop of the pods. */
final class ContainerProbing {
  private final PodWorker worker;
  private final PodContext context;

  ContainerProbing(PodWorker worker, PodContext context) {
    this.worker = worker;
    this.context = context;
  }

  /**
   * Probes a container, unless that is so already. What an earlier agent found out about it stands
   * in its status.
   */
  void probe(ContainerStatus container) {
    Probes.Listener news = new News(container.name());
    JsonObject said = PodContainers.status(worker.status(), container.name());
    boolean isKnown =
        said.text("containerID", "").equals(context.idPrefix() + container.id())
            && said.object("state").has("running");
    if (isKnown) {
      Probed known =
          new Probed(
              result(said.flag("started", false)),
              ProbeResult.UNKNOWN,
              result(said.flag("ready", false)));
      context.probes().resume(worker.target(container), known, news);
    } else {
      context.probes().begin(worker.target(container), news);
    }
  }

  private static ProbeResult result(boolean good) {
    return good ? ProbeResult.SUCCESS : ProbeResult.UNKNOWN;
  }

  /** What is known of all that run, by their ids as a status has them. */
  Map<String, Probed> probed() {
    Map<String, Probed> probed = new HashMap<>();
    for (ContainerStatus container : worker.observation().running()) {
      probed.put(context.idPrefix() + container.id(), context.probes().of(container.id()));
    }
    return probed;
  }

  /** Ends the probes of what does not run any more. */
  void endDead() {
    for (ContainerStatus container : worker.observation().containers()) {
      if (!container.isRunning()) {
        context.probes().end(container.id());
      }
    }
  }

  void endAll() {
    worker.observation().containers().forEach(c -> context.probes().end(c.id()));
  }

  private final class News implements Probes.Listener {
    private final String container;

    News(String container) {
      this.container = container;
    }

    @Override
    public void changed() {
      worker.step();
    }

    @Override
    public void unhealthy(String message) {
      context.events().warning(worker.pod(), container, "Unhealthy", message);
    }

    @Override
    public void warning(String message) {
      context.events().warning(worker.pod(), container, "ProbeWarning", message);
    }
  }
}
