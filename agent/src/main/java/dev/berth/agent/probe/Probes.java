package dev.berth.agent.probe;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.ProbeResult;
import dev.berth.policy.podrun.Probed;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The probes of all containers that run. While a container has not started, by its startup probe,
 * it has no other ones.
 *
 * <p>Lives on the loop of the pods.
 */
public final class Probes {
  private final Time time;
  private final Loop loop;
  private final ContainerCalls calls;
  private final Actions actions;
  private final RandomGenerator random;
  private final ProbeMetrics metrics;
  private final Map<String, OfContainer> byContainer = new HashMap<>();

  /** Learns what probes found out about a container. */
  public interface Listener {
    void changed();

    /** An attempt failed. */
    void unhealthy(String message);

    /** An attempt went well, but not as it should. */
    void warning(String message);
  }

  /**
   * @param metrics where probes are counted
   */
  public Probes(
      Time time, Loop loop, ContainerRuntime runtime, Connections connections, Metrics metrics) {
    this.time = time;
    this.loop = loop;
    this.calls = new ContainerCalls(loop);
    this.actions = new Actions(calls, new ExecRunner(runtime, time, calls), connections);
    this.random = time.random("probes");
    this.metrics = new ProbeMetrics(metrics);
  }

  /** Hooks that reach containers in the same ways. */
  public Hooks hooks() {
    return new Hooks(loop, actions);
  }

  /** Begins to probe a container that was just started; does nothing if that is so already. */
  public void begin(ContainerTarget target, Listener listener) {
    byContainer.computeIfAbsent(
        target.id(), _ -> new OfContainer(target, listener, false).start(Probed.NOTHING));
  }

  /**
   * Goes on to probe a container that an earlier agent started. What it found out counts until
   * there is news, and all containers are not probed at the same moment.
   */
  public void resume(ContainerTarget target, Probed known, Listener listener) {
    byContainer.computeIfAbsent(
        target.id(), _ -> new OfContainer(target, listener, true).start(known));
  }

  /** What is known of a container; nothing if it is not probed. */
  public Probed of(String container) {
    OfContainer probes = byContainer.get(container);
    return probes == null ? Probed.NOTHING : probes.probed();
  }

  /** Ends what could have a container killed that is about to end anyway. */
  public void quiet(String container) {
    OfContainer probes = byContainer.get(container);
    if (probes != null) {
      probes.end(ProbeKind.LIVENESS);
      probes.end(ProbeKind.STARTUP);
    }
  }

  /** Ends all probes of a container that has ended, and what else it is asked for. */
  public void end(String container) {
    calls.end(container);
    OfContainer probes = byContainer.remove(container);
    if (probes != null) {
      probes.workers.values().forEach(ProbeWorker::end);
    }
  }

  /** Nothing is left of a pod. */
  public void forget(String podUid) {
    metrics.forget(podUid);
  }

  private final class OfContainer implements ProbeWorker.Listener {
    private final ContainerTarget target;
    private final Listener listener;
    private final boolean isResumed;
    private final Map<ProbeKind, ProbeWorker> workers = new EnumMap<>(ProbeKind.class);

    OfContainer(ContainerTarget target, Listener listener, boolean isResumed) {
      this.target = target;
      this.listener = listener;
      this.isResumed = isResumed;
    }

    OfContainer start(Probed known) {
      boolean hasStarted = known.startup() == ProbeResult.SUCCESS;
      if (has(ProbeKind.STARTUP) && !hasStarted) {
        start(ProbeKind.STARTUP, ProbeResult.UNKNOWN);
      } else {
        startOthers(known.readiness());
      }
      return this;
    }

    private boolean has(ProbeKind kind) {
      JsonObject probe = target.container().object(kind.field());
      return !probe.isEmpty();
    }

    private void startOthers(ProbeResult readiness) {
      start(ProbeKind.LIVENESS, ProbeResult.SUCCESS);
      start(
          ProbeKind.READINESS, readiness == ProbeResult.SUCCESS ? readiness : ProbeResult.FAILURE);
    }

    private void start(ProbeKind kind, ProbeResult initial) {
      if (!has(kind)) {
        return;
      }
      ProbeWorker worker =
          new ProbeWorker(new ProbeWorker.Means(time, loop, actions), kind, target, initial, this);
      workers.put(kind, worker);
      if (isResumed) {
        Duration part = worker.period().multipliedBy(random.nextInt(1000)).dividedBy(1000);
        worker.start(part);
      } else {
        Instant due = target.started().plus(worker.initialDelay());
        Duration delay = time.until(due);
        worker.start(delay.isNegative() ? Duration.ZERO : delay);
      }
    }

    void end(ProbeKind kind) {
      ProbeWorker worker = workers.get(kind);
      if (worker != null) {
        worker.end();
      }
    }

    Probed probed() {
      boolean isPastStartup = !workers.containsKey(ProbeKind.STARTUP);
      return new Probed(
          isPastStartup && has(ProbeKind.STARTUP) ? ProbeResult.SUCCESS : result(ProbeKind.STARTUP),
          result(ProbeKind.LIVENESS),
          result(ProbeKind.READINESS));
    }

    private ProbeResult result(ProbeKind kind) {
      ProbeWorker worker = workers.get(kind);
      return worker == null ? ProbeResult.UNKNOWN : worker.result();
    }

    @Override
    public void changed(ProbeKind kind, ProbeResult result) {
      if (kind == ProbeKind.STARTUP && result == ProbeResult.SUCCESS) {
        startOthers(ProbeResult.UNKNOWN);
      }
      listener.changed();
    }

    @Override
    public void failed(String message) {
      listener.unhealthy(message);
    }

    @Override
    public void probed(ProbeKind kind, boolean isGood, Duration took) {
      if (isGood) {
        metrics.succeeded(kind, target, took);
      } else {
        metrics.failed(kind, target);
      }
    }

    @Override
    public void warned(String message) {
      listener.warning(message);
    }
  }
}
