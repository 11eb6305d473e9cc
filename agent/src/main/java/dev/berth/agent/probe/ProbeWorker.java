package dev.berth.agent.probe;

import dev.berth.policy.podrun.ProbeResult;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
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

    /** Whenever an attempt said something of the container, and after which time. */
    void probed(ProbeKind kind, boolean isGood, Duration took);

    /** Whenever an attempt went well, but not as it should. */
    void warned(String message);
  }

  /** What it probes with. */
  record Means(Time time, Loop loop, Actions actions) {}

  private final Time time;
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
  private boolean isAsking;
  private boolean isDue;

  /** When the probe that is under way began, on the monotonic clock. */
  private Instant began;

  ProbeWorker(
      Means means, ProbeKind kind, ContainerTarget target, ProbeResult initial, Listener listener) {
    this.time = means.time();
    this.loop = means.loop();
    this.actions = means.actions();
    this.kind = kind;
    this.spec = ProbeSpec.read(target.container().object(kind.field()));
    this.target = target;
    this.result = initial;
    this.listener = listener;
    this.began = time.monotonicNow();
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
    if (isAsking) {
      isDue = true; // One at a time: a container that is slow to answer is not asked ever more.
    } else {
      begin();
    }
  }

  private void begin() {
    isAsking = true;
    began = time.monotonicNow();
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
    boolean saysNothing =
        outcome.kind() == Outcome.Kind.ERROR || outcome.kind() == Outcome.Kind.BROKEN_OFF;
    if (saysNothing && tries < MOST_TRIES) {
      attempt(tries + 1);
      return;
    }
    isAsking = false;
    count(outcome);
    if (isDue && !hasEnded) {
      isDue = false;
      begin();
    }
  }

  private void count(Outcome outcome) {
    switch (outcome.kind()) {
      case ERROR -> listener.failed(errored("unknown", outcome));
      case BROKEN_OFF -> listener.failed(errored("failure", outcome));
      case FAILURE -> {
        listener.failed("%s probe failed: %s".formatted(kind.word(), outcome.output()));
        listener.probed(kind, false, time.since(began));
        count(ProbeResult.FAILURE, spec.failureThreshold());
      }
      case WARNING -> {
        listener.warned("%s probe warning: %s".formatted(kind.word(), outcome.output()));
        succeeded();
      }
      case SUCCESS -> succeeded();
    }
  }

  private void succeeded() {
    listener.probed(kind, true, time.since(began));
    count(ProbeResult.SUCCESS, spec.successThreshold());
  }

  private String errored(String state, Outcome outcome) {
    return "%s probe errored and resulted in %s state: %s"
        .formatted(kind.word(), state, outcome.output());
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
