package dev.berth.agent.pod;

import dev.berth.agent.pod.RunningPods.Eviction;
import dev.berth.agent.podspec.TerminationMessage;
import dev.berth.agent.probe.ContainerTarget;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodRules;
import dev.berth.model.core.ReportedStatus;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.podrun.GracePeriod;
import dev.berth.policy.podrun.PodActions;
import dev.berth.policy.podrun.PodPlan;
import dev.berth.policy.podrun.PodReport;
import dev.berth.policy.podrun.PodReport.Stage;
import dev.berth.policy.podrun.PodSnapshot;
import dev.berth.time.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one pod. {@link #step} compares what is wanted with what was seen last, and begins the next
 * thing that takes time; when that is done, or something else happens, it compares again. One thing
 * about the pod's sandbox and containers is under way at a time, so that what was seen is never
 * older than what was done: no container is started twice.
 *
 * <pre>
 * not admitted ──▶ RUNS ──▶ ENDING ──▶ ENDED ──▶ removed
 * </pre>
 *
 * <p>All state but what the runtime holds is soft. Lives on the loop of the pods.
 */
final class PodWorker {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);
  private static final Duration SOON = Duration.ofMillis(20);

  private final PodContext context;
  private final Listener listener;
  private final PodId id;
  private final PodResize resize = new PodResize();
  private final PodSetup setup;
  private final ContainerStarts starts;
  private final ContainerStops stops;
  private final ContainerProbing probing;
  private final ContainerResizes resizes;
  private final ContainerPlacements placements;
  private final PodEnd end;
  private final ReplacedContainers replaced;

  /** When to ask a runtime again that could not say what it holds. */
  private final Retry looks = Retry.ending();

  /** When it was first heard of. */
  private final Instant seen;

  private JsonObject pod;
  private PodRules rules;
  private PodObservation observation = PodObservation.NOTHING;
  private JsonObject status;
  private Stage stage = Stage.RUNS;
  private boolean isAdmitted;

  /** Whether what is said of it stays as it is. */
  private boolean isSettled;

  private boolean isRemoved;
  private boolean isCleanedUp;
  private boolean isBusy;

  /** Whether what it is busy with is the start of a container. */
  private boolean isStarting;

  /** Whether the runtime is to be asked what it holds of it. */
  private boolean isStale;

  /** Whether volumes may show something else than what they are made from. */
  private boolean hasStaleVolumes;

  /** Whether it is known what the runtime holds of it. */
  private boolean hasLooked = true;

  private @Nullable Instant startTime;
  private @Nullable Eviction eviction;
  private @Nullable Duration graceOverride;
  private Loop.@Nullable Timer wake;

  /** Is told what happens to pods. */
  interface Listener {
    /** What is to be said of the pod has changed, or who is to be told has. */
    void reported(PodWorker worker);

    /** Whether the node has what a pod asks for, beside all other pods; why not. */
    Optional<AdmissionRejection> check(PodWorker worker, JsonObject wanted);

    /** Nothing of the pod runs any more, so that it needs nothing. */
    void ended(PodWorker worker);

    /** Nothing is left of a pod that nobody wants any more. */
    void cleanedUp(PodWorker worker);
  }

  PodWorker(PodContext context, PodId id, JsonObject pod, Listener listener) {
    this.context = context;
    this.id = id;
    this.listener = listener;
    this.seen = context.time().monotonicNow();
    this.pod = pod;
    this.rules = PodRules.read(pod);
    this.status = pod.object("status");
    this.startTime = WireTime.read(status, "startTime");
    this.setup = new PodSetup(this, context);
    this.starts = new ContainerStarts(this, context);
    this.stops = new ContainerStops(this, context);
    this.probing = new ContainerProbing(this, context);
    this.resizes = new ContainerResizes(this, context, resize);
    this.placements = new ContainerPlacements(this, context);
    this.end = new PodEnd(this, context);
    this.replaced = new ReplacedContainers(reported());
  }

  PodId id() {
    return id;
  }

  /** As its source shows it. */
  JsonObject pod() {
    return pod;
  }

  /** As it asks for what it was given, which may be less or more than it asks for now. */
  JsonObject allocatedPod() {
    return resize.allocatedPod(pod);
  }

  PodResize resize() {
    return resize;
  }

  ContainerStops stops() {
    return stops;
  }

  ContainerProbing probing() {
    return probing;
  }

  ContainerPlacements placements() {
    return placements;
  }

  PodRules rules() {
    return rules;
  }

  /** What is to be said of it; empty until something is. */
  JsonObject status() {
    return status;
  }

  /** The same as rules see it. */
  ReportedStatus reported() {
    return ReportedStatus.read(status, context.time().now());
  }

  Stage stage() {
    return stage;
  }

  PodObservation observation() {
    return observation;
  }

  /** Takes note of what was just done. */
  void see(PodObservation seen) {
    observation = seen;
  }

  boolean isAdmitted() {
    return isAdmitted;
  }

  /** Whether its source has it no more, or its server wants it gone. */
  boolean isToGo() {
    return isRemoved || rules.isBeingDeleted();
  }

  /** A container could not be started. */
  void startFailed(String container, String reason) {
    context.metrics().startFailed(pod, container, reason);
    setup.startFailed();
  }

  /** Whether a container is being started, so that there is soon more to say. */
  boolean isStarting() {
    return isStarting;
  }

  boolean isRemoved() {
    return isRemoved;
  }

  /** Whether it takes nothing of its node any more. */
  boolean hasEnded() {
    return stage == Stage.ENDED;
  }

  /** Whether it ends, or has ended, for the node's sake. */
  boolean isEvicted() {
    return eviction != null;
  }

  /** Whether its source says that it has ended. */
  boolean isFinished() {
    return PodPhase.of(pod.object("status").text("phase", "")).finished();
  }

  Instant startTime() {
    Instant start = startTime;
    return start == null ? context.time().now() : start;
  }

  /** Its own; the node's with the node's network. */
  List<String> addresses() {
    boolean hostNetwork = pod.object("spec").flag("hostNetwork", false);
    return hostNetwork && observation.hasSandbox()
        ? context.node().addresses()
        : observation.addresses();
  }

  /** A container that runs, as probes and hooks reach it. */
  ContainerTarget target(ContainerStatus container) {
    List<String> addresses = addresses();
    return new ContainerTarget(
        pod,
        PodContainers.spec(pod, container.name()),
        container.id(),
        addresses.isEmpty() ? "127.0.0.1" : addresses.getFirst(),
        container.started());
  }

  // What happens to it.

  /** The runtime holds this of it from before. */
  void adopt(PodSandbox sandbox) {
    observation = new PodObservation(sandbox, Map.of());
    isStale = true;
    hasLooked = false;
  }

  /** Lets it in. */
  void admit() {
    isAdmitted = true;
    resize.admitted(pod);
    if (startTime == null) {
      startTime = context.time().now();
    }
    if (isFinished()) {
      stage = Stage.ENDING;
      isSettled = observation.sandbox() == null;
    } else if (observation.sandbox() == null) {
      context.metrics().startedPod();
    }
    step();
  }

  /** Does not let it in. */
  void reject(AdmissionRejection rejection, String qosClass) {
    isAdmitted = true;
    isSettled = true;
    stage = Stage.ENDED;
    Instant now = context.time().now();
    status = PodReport.rejected(rejection, rules.generation(), qosClass, now);
    context.metrics().rejected(rejection.reason());
    context.events().warning(pod, rejection.reason(), rejection.message());
    listener.ended(this);
    listener.reported(this);
  }

  /** Its source shows another version of it. */
  void update(JsonObject now) {
    Metadata before = Metadata.of(pod);
    Metadata after = Metadata.of(now);
    // Volumes may show them.
    hasStaleVolumes |=
        !before.labels().equals(after.labels())
            || !before.annotations().equals(after.annotations());
    PodRules rulesBefore = rules;
    pod = now;
    rules = PodRules.read(now);
    starts.redefined(rulesBefore, rules);
    tryToResize();
    step();
  }

  /** Its node may have what it asks for by now. */
  void retryResize() {
    if (tryToResize()) {
      step();
    }
  }

  /**
   * Gives it what it asks for, if that is something else than it has and its node has it.
   *
   * @return whether there is something new to say
   */
  private boolean tryToResize() {
    if (!isAdmitted || stage != Stage.RUNS) {
      return false;
    }
    Optional<PodResize.Event> news =
        resize.resize(
            pod,
            context.nodeTree(),
            resource -> context.devices().fixed(pod, resource),
            wanted -> listener.check(this, wanted));
    news.ifPresent(event -> {
      if (event.isWarning()) {
        context.events().warning(pod, event.reason(), event.message());
      } else {
        context.events().normal(pod, event.reason(), event.message());
      }
    });
    return news.isPresent();
  }

  /** Its source has it no more. */
  void remove() {
    isRemoved = true;
    step();
  }

  /** Something changed in the runtime. */
  void refresh() {
    isStale = true;
    step();
  }

  /** All of it is looked at although nothing happened. */
  void sync() {
    isStale = true;
    hasStaleVolumes = true;
    step();
  }

  /** Ends it for the node's sake; one that is being ended has no more time than that. */
  void evict(Eviction why, Duration grace) {
    if (isAdmitted && stage == Stage.ENDING) {
      Duration before = graceOverride;
      graceOverride = before == null || grace.compareTo(before) < 0 ? grace : before;
      step();
    } else if (isAdmitted && stage == Stage.RUNS && eviction == null) {
      eviction = why;
      graceOverride = grace;
      context.events().warning(pod, why.reason(), why.message());
      stage = Stage.ENDING;
      step();
    }
  }

  // What it does next.

  /** Compares what is wanted with what was seen, and does what is next. */
  void step() {
    if (!isAdmitted || isCleanedUp) {
      return;
    }
    if (isBusy) {
      report();
      return;
    }
    if (isStale) {
      if (waits(looks)) {
        report();
      } else {
        observe();
      }
      return;
    }
    if (wake != null) {
      wake.cancel();
      wake = null;
    }
    if (stage == Stage.RUNS && (isToGo() || isPastDeadline())) {
      stage = Stage.ENDING;
    }
    switch (stage) {
      case RUNS -> run();
      case ENDING -> end();
      case ENDED -> cleanUp();
    }
    report();
  }

  private boolean isPastDeadline() {
    Optional<Instant> until = rules.activeUntil(startTime());
    if (until.isEmpty()) {
      return false;
    }
    Duration left = context.time().until(until.get());
    if (left.isPositive()) {
      wakeAfter(left);
      return false;
    }
    String message = "Pod was active on the node longer than the specified deadline";
    eviction = new Eviction("DeadlineExceeded", message, Optional.empty());
    context.events().normal(pod, "DeadlineExceeded", message);
    return true;
  }

  private void observe() {
    isStale = false;
    PodObservation before = observation;
    JsonObject current = pod;
    busy(
        () -> {
          Optional<PodSandbox> sandbox;
          try {
            sandbox =
                context.runtime().find(id.uid()).map(DeadContainers.in(context.runtime())::prune);
          } catch (RuntimeFailure e) {
            LOG.warn("{}: the runtime cannot say what runs: {}", id, e.getMessage());
            return Optional.<PodObservation>empty();
          }
          Map<String, String> messages = new HashMap<>();
          sandbox.map(PodSandbox::containers).orElse(List.of()).stream()
              .filter(container -> !container.isRunning())
              .forEach(c -> messages.put(c.id(), message(before, current, c)));
          return Optional.of(new PodObservation(sandbox.orElse(null), messages));
        },
        seen -> seen.ifPresentOrElse(this::observed, this::lookFailed));
  }

  /** Beside the loop: what a container left to say is read once. */
  private String message(PodObservation before, JsonObject current, ContainerStatus container) {
    String known = before.messages().get(container.id());
    return known == null
        ? TerminationMessage.read(
            context.settings().specs(),
            id.uid(),
            PodContainers.spec(current, container.name()),
            container)
        : known;
  }

  private void lookFailed() {
    isStale = true;
    looks.failed(context.time().monotonicNow());
  }

  private void observed(PodObservation seen) {
    looks.succeeded();
    observation = seen;
    hasLooked = true;
    replaced.observed(seen.containers(), context.idPrefix());
    Set<String> running =
        seen.running().stream().map(ContainerStatus::id).collect(Collectors.toSet());
    starts.observed(running);
    seen.running().stream()
        .filter(container -> !starts.isStarting(container.id()))
        .forEach(probing::probe);
    probing.endDead();
    stops.observed(running);
  }

  private PodSnapshot snapshot() {
    return new PodSnapshot(
        rules,
        observation.hasSandbox(),
        observation.observed(context.idPrefix()),
        probing.probed(),
        replaced.ids());
  }

  private void run() {
    PodPlan plan = PodActions.decide(snapshot());
    if (plan.isOver()) {
      stage = Stage.ENDING;
      end();
      return;
    }
    if (plan.restartsAll()) {
      restartAll();
      return;
    }
    plan.kills().forEach(this::kill);
    if (context.node().isShuttingDown()) {
      // Unlike upstream, nothing that ends meanwhile is started again: an agent that was restarted
      // in the middle could not tell it from what has been ended.
      return;
    }
    if (!setup.hasVolumes()) {
      setup.prepareVolumes();
    } else if (plan.createsSandbox()) {
      setup.createSandbox();
    } else if (hasStaleVolumes) {
      hasStaleVolumes = false;
      setup.refreshVolumes();
    } else if (!resizes.next() && !placements.next()) {
      starts.startNext(plan.starts());
    }
  }

  private void kill(PodPlan.Kill kill) {
    observation
        .find(kill.id().substring(context.idPrefix().length()))
        .ifPresent(running -> {
          if (kill.reason() == PodPlan.KillReason.DEFINITION) {
            replace(running, kill.message());
          } else {
            if (kill.isReplaced()) {
              replaced.add(kill.id());
            }
            stops.stop(running, GracePeriod.of(rules, kill), kill.message());
          }
        });
  }

  /** Ends a container to start it as its pod says it now: that is no crash. */
  void replace(ContainerStatus running, String message) {
    String id = context.idPrefix() + running.id();
    replaced.add(id);
    starts.replacing(running.name(), id);
    stops.stop(running, GracePeriod.of(rules), message);
  }

  /** Stops all containers, and removes them, so that the pod begins afresh. */
  private void restartAll() {
    if (!observation.running().isEmpty()) {
      stops.stopAll(GracePeriod.of(rules));
      return;
    }
    end.removeContainers(
        () -> {
          status = RemovedContainers.in(status);
          isStale = true;
        },
        failure -> LOG.warn("{}: {}", id, failure));
  }

  private void end() {
    if (!observation.running().isEmpty()) {
      Duration grace = GracePeriod.of(rules);
      Duration override = graceOverride;
      stops.stopAll(override != null && override.compareTo(grace) < 0 ? override : grace);
      return;
    }
    end.stop(
        () -> {
          stage = Stage.ENDED;
          setup.released();
          isStale = true;
          listener.ended(this);
        },
        failure -> context.events().warning(pod, "FailedKillPod", failure));
  }

  /** Removes what is left of a pod that its source has no more. */
  private void cleanUp() {
    if (isRemoved) {
      end.remove(
          () -> {
            isCleanedUp = true;
            probing.endAll();
            listener.cleanedUp(this);
          },
          failure -> LOG.warn("{}: {}", id, failure));
    }
  }

  // What is said of it.

  private void report() {
    if (isCleanedUp || !hasLooked) {
      return;
    }
    if (!isSettled) {
      JsonObject now =
          PodStatuses.of(this, shown(), starts.waiting(), Optional.ofNullable(eviction), context);
      if (!now.equals(status)) {
        context.metrics().said(status, now, Duration.between(seen, context.time().monotonicNow()));
        status = now;
      }
    }
    listener.reported(this);
  }

  /** Containers whose postStart hooks run are still being created. */
  private PodSnapshot shown() {
    PodSnapshot seen = snapshot();
    return new PodSnapshot(
        rules,
        seen.hasSandbox(),
        seen.observed().stream()
            .filter(c -> !starts.isStarting(c.id().substring(context.idPrefix().length())))
            .toList(),
        seen.probed(),
        seen.replaced());
  }

  // One thing at a time.

  /** Whether something is not to be tried again yet; then it wakes when it is. */
  boolean waits(Retry retry) {
    Optional<Duration> wait = retry.left(context.time().monotonicNow());
    wait.ifPresent(this::wakeAfter);
    return wait.isPresent();
  }

  /** Steps again after some time at the latest. */
  void wakeAfter(Duration delay) {
    Loop.Timer before = wake;
    if (before != null) {
      if (before.remaining().compareTo(delay) <= 0) {
        return;
      }
      before.cancel();
    }
    wake =
        context
            .loop()
            .after(
                delay,
                () -> {
                  wake = null;
                  step();
                });
  }

  /** Does something about the pod beside the loop, then steps again. */
  <T> void busy(Supplier<T> work, Consumer<T> then) {
    isBusy = true;
    call(work, result -> done(then, result));
  }

  /** The same for what its containers share, which takes much of the machine. */
  <T> void busyBeginning(Supplier<T> work, Consumer<T> then) {
    isBusy = true;
    context.starts().begin(work, result -> done(then, result));
  }

  /** The same for a container, which does, too. */
  <T> void busyStarting(Supplier<T> work, Consumer<T> then) {
    isBusy = true;
    isStarting = true;
    context.starts().goOn(work, result -> done(then, result));
  }

  /**
   * The same for what is done elsewhere.
   *
   * @param begin is given whom to tell the result, by any thread, once
   */
  <T> void busyUntil(Consumer<Consumer<T>> begin, Consumer<T> then) {
    isBusy = true;
    begin.accept(result -> context.loop().after(Duration.ZERO, () -> done(then, result)));
  }

  private <T> void done(Consumer<T> then, T result) {
    isBusy = false;
    isStarting = false;
    then.accept(result);
    step();
  }

  private <T> void call(Supplier<T> work, Consumer<T> then) {
    if (!context.loop().call(work, then)) {
      context.loop().after(SOON, () -> call(work, then));
    }
  }
}
