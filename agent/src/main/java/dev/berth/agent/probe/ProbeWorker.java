package dev.berth.agent.probe;

import dev.berth.policy.podrun.ProbeResult;
import dev.berth.time.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Probes a container again and again, for as long as it runs. A result counts once there were as
 * many alike in a row as its threshold says; a container that is found dead, or has started, is not
 * probed any further.
 *
 * <p>Lives on a loop.
 */
final class ProbeWorker {
  /** How often an attempt is made that could not be: a probe is lost only after that. */
  private static final int MOST_TRIES = 3;

  /** Learns what probes found out. */
  interface Listener {
    /** Whenever the result that counts changes. */
    void changed(ProbeKind kind, ProbeResult result);

    /** Whenever an attempt failed, whether that counts or not. */
    void failed(String message);
  }

  private final Loop loop;
  private final Actions actions;
  private final ProbeKind kind;
  private final ProbeSpec spec;
  private final ContainerTarget target;
  private final Listener listener;
  private ProbeResult result;
  private @Nullable ProbeResult last;
  private int inARow;
  private Loop.@Nullable Timer next;
  private boolean hasEnded;

  ProbeWorker(
      Loop loop,
      Actions actions,
      ProbeKind kind,
      ContainerTarget target,
      ProbeResult initial,
      Listener listener) {
    this.loop = loop;
    this.actions = actions;
    this.kind = kind;
    this.spec = ProbeSpec.read(target.container().object(kind.field()));
    this.target = target;
    this.result = initial;
    this.listener = listener;
  }

  Duration period() {
    return spec.period();
  }

  Duration initialDelay() {
    return spec.initialDelay();
  }

  ProbeResult result() {
    return result;
  }

  /** Begins to probe after some time. */
  void start(Duration delay) {
    next = loop.after(delay, this::probe);
  }

  void end() {
    hasEnded = true;
    if (next != null) {
      next.cancel();
    }
  }

  private void probe() {
    next = loop.after(spec.period(), this::probe);
    attempt(1);
  }

  private void attempt(int tries) {
    actions.run(
        spec.action(), target, Manner.probe(spec.timeout()), outcome -> attempted(outcome, tries));
  }

  private void attempted(Outcome outcome, int tries) {
    if (hasEnded) {
      return;
    }
    switch (outcome.kind()) {
      case ERROR -> {
        if (tries < MOST_TRIES) {
          attempt(tries + 1);
        } else {
          listener.failed(
              "%s probe errored and resulted in unknown state: %s"
                  .formatted(kind.word(), outcome.output()));
        }
      }
      case FAILURE -> {
        listener.failed("%s probe failed: %s".formatted(kind.word(), outcome.output()));
        count(ProbeResult.FAILURE, spec.failureThreshold());
      }
      case SUCCESS -> count(ProbeResult.SUCCESS, spec.successThreshold());
    }
  }

  private void count(ProbeResult found, int threshold) {
    inARow = found == last ? inARow + 1 : 1;
    last = found;
    if (inARow < threshold) {
      return;
    }
    boolean isFinal = kind == ProbeKind.STARTUP || found == ProbeResult.FAILURE;
    if (isFinal && kind != ProbeKind.READINESS) {
      end();
    }
    if (found != result) {
      result = found;
      listener.changed(kind, found);
    }
  }
}
