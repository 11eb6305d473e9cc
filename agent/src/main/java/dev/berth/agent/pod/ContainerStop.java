package dev.berth.agent.pod;

import dev.berth.agent.probe.ContainerTarget;
import dev.berth.agent.probe.Outcome;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.GracePeriod;
import dev.berth.time.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a container: its preStop hook, then its turn, then TERM, then KILL.
 *
 * <pre>
 * HOOK ──▶ TURN ──▶ TERM ──▶ KILL      each moves on at the end of the grace period at the latest
 * </pre>
 *
 * <p>Lives on the loop of the pods, until the container is seen to have ended.
 */
final class ContainerStop {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);

  /** How soon to ask again what the runtime could not do. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  private enum Step {
    HOOK,
    TURN,
    TERM,
    KILL
  }

  private final PodContext context;
  private final ContainerTarget target;
  private final BooleanSupplier isItsTurn;

  /** On the monotonic clock. */
  private Instant deadline;

  private Step step = Step.HOOK;
  private Loop.@Nullable Timer timer;
  private boolean hasEnded;

  /**
   * @param isItsTurn whether those that must end before it have
   */
  ContainerStop(
      PodContext context, ContainerTarget target, Duration grace, BooleanSupplier isItsTurn) {
    this.context = context;
    this.target = target;
    this.isItsTurn = isItsTurn;
    this.deadline = context.time().monotonicNow().plus(grace);
  }

  void begin(String message) {
    context.probes().quiet(target.id());
    context.events().normal(target.pod(), name(), "Killing", message);
    JsonObject hook = target.container().object("lifecycle").object("preStop");
    if (hook.isEmpty() || !left().isPositive()) {
      await();
      return;
    }
    timer = context.loop().after(left(), this::await);
    context
        .hooks()
        .run(
            hook,
            target,
            outcome -> {
              if (!hasEnded) {
                hookEnded(outcome);
              }
              await();
            });
  }

  private void hookEnded(Outcome outcome) {
    PodEvents events = context.events();
    events.hookWarned(target.pod(), outcome);
    if (outcome.isFailed()) {
      LOG.info("{}: preStop hook failed: {}", name(), outcome.output());
      events.warning(target.pod(), name(), "FailedPreStopHook", "PreStopHook failed");
    }
  }

  private String name() {
    return target.container().text("name", "");
  }

  /** What is left of the grace period. */
  private Duration left() {
    return Duration.between(context.time().monotonicNow(), deadline);
  }

  /** The hook is done, or has taken too long. */
  private void await() {
    if (hasEnded || step != Step.HOOK) {
      return;
    }
    step = Step.TURN;
    set(left(), this::term);
    othersEnded();
  }

  /** Others of the pod have ended: it may be its turn. */
  void othersEnded() {
    if (step == Step.TURN && !hasEnded && isItsTurn.getAsBoolean()) {
      term();
    }
  }

  private void term() {
    if (hasEnded || step != Step.TURN) {
      return;
    }
    step = Step.TERM;
    call(() -> context.runtime().signal(target.id(), ""));
    set(GracePeriod.left(left(), Duration.ZERO), this::kill);
  }

  private void kill() {
    if (!hasEnded) {
      step = Step.KILL;
      call(() -> context.runtime().kill(target.id()));
      // What cannot be killed at once is tried again: it would hold up its pod for ever.
      set(RETRY, this::kill);
    }
  }

  /** The pod has less time than it had. */
  void shorten(Duration grace) {
    Instant sooner = context.time().monotonicNow().plus(grace);
    if (hasEnded || !sooner.isBefore(deadline)) {
      return;
    }
    deadline = sooner;
    switch (step) {
      case HOOK -> set(left(), this::await);
      case TURN -> set(left(), this::term);
      case TERM -> set(GracePeriod.left(left(), Duration.ZERO), this::kill);
      case KILL -> {}
    }
  }

  /** The container has ended. */
  void ended() {
    hasEnded = true;
    if (timer != null) {
      timer.cancel();
    }
  }

  private void set(Duration delay, Runnable task) {
    if (timer != null) {
      timer.cancel();
    }
    timer = context.loop().after(delay.isNegative() ? Duration.ZERO : delay, task);
  }

  /** Something to ask of the runtime. */
  @FunctionalInterface
  private interface Request {
    void run() throws RuntimeFailure;
  }

  private void call(Request request) {
    boolean begun =
        context
            .loop()
            .call(
                () -> {
                  try {
                    request.run();
                    return true;
                  } catch (RuntimeFailure e) {
                    LOG.warn("{}: {}", name(), e.getMessage());
                    return false;
                  }
                },
                _ -> {});
    if (!begun) {
      context.loop().after(Duration.ofMillis(20), () -> call(request));
    }
  }
}
