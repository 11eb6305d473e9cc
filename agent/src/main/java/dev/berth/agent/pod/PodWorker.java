package dev.berth.agent.pod;

import dev.berth.agent.pod.RunningPods.Eviction;
import dev.berth.agent.podspec.ResourceLimits;
import dev.berth.agent.podspec.SandboxSpecs;
import dev.berth.agent.podspec.SpecFailure;
import dev.berth.agent.podspec.TerminationMessage;
import dev.berth.agent.probe.ContainerTarget;
import dev.berth.agent.probe.Probes;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.volume.VolumeFailure;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.WireTime;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.podrun.GracePeriod;
import dev.berth.policy.podrun.ObservedContainer;
import dev.berth.policy.podrun.PodActions;
import dev.berth.policy.podrun.PodPlan;
import dev.berth.policy.podrun.PodReport;
import dev.berth.policy.podrun.PodReport.Stage;
import dev.berth.policy.podrun.PodRules;
import dev.berth.policy.podrun.PodSnapshot;
import dev.berth.policy.podrun.ProbeResult;
import dev.berth.policy.podrun.Probed;
import dev.berth.policy.podrun.TerminationOrder;
import dev.berth.time.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one pod. {@link #step} compares what is wanted with what was seen last, and begins the next
 * thing that takes time; when that is done, or something else happens, it compares again. One
 * thing about the pod's sandbox and containers is under way at a time, so that what was seen is
 * never older than what was done: no container is started twice.
 *
 * <pre>
 * not admitted ──▶ RUNS ──▶ ENDING ──▶ ENDED ──▶ removed
 * </pre>
 *
 * <p>All state but what the runtime holds is soft. Lives on the loop of the pods.
 */
final class PodWorker {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);

  /** How long a container shows that its image cannot be had before it shows that it waits. */
  private static final Duration PULL_ERROR_SHOWS = Duration.ofSeconds(1);

  private final PodContext context;
  private final Listener listener;
  private final PodId id;
  private final StartFailures failures;
  private final Map<String, ContainerStop> stops = new LinkedHashMap<>();

  /** Containers whose postStart hooks run: they do not count as running yet. */
  private final Map<String, String> hooks = new HashMap<>();

  private final PodResize resize = new PodResize();
  private final Retry volumeRetry = Retry.volumes();
  private final Retry sandboxRetry;
  private final Retry endRetry = Retry.ending();

  private JsonObject pod;
  private PodRules rules;
  private PodObservation observation = PodObservation.NOTHING;
  private JsonObject status;
  private Stage stage = Stage.RUNS;
  private boolean isAdmitted;
  private boolean isRejected;
  private boolean isRemoved;
  private boolean isCleanedUp;
  private boolean hasVolumes;
  private boolean isBusy;
  private boolean isStale;

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
    this.pod = pod;
    this.rules = PodRules.read(pod);
    this.status = pod.object("status");
    this.startTime = WireTime.read(status, "startTime");
    this.sandboxRetry = Retry.sandboxes(context.time().random("pod " + id.uid()));
    this.failures =
        new StartFailures(
            context.time(),
            context.time().random("starts " + id.uid()),
            context.settings().longestBackOff());
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

  PodRules rules() {
    return rules;
  }

  /** What is to be said of it; empty until something is. */
  JsonObject status() {
    return status;
  }

  Stage stage() {
    return stage;
  }

  PodObservation observation() {
    return observation;
  }

  boolean isAdmitted() {
    return isAdmitted;
  }

  /** Whether its source has it no more, or its server wants it gone. */
  boolean isToGo() {
    return isRemoved || rules.isBeingDeleted();
  }

  boolean isRemoved() {
    return isRemoved;
  }

  /** Whether it takes nothing of its node any more. */
  boolean hasEnded() {
    return stage == Stage.ENDED;
  }

  /** Whether its source says that it has ended. */
  boolean isFinished() {
    return PodPhase.of(pod.object("status").text("phase", "")).finished();
  }

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
    }
    step();
  }

  /** Does not let it in. */
  void reject(AdmissionRejection rejection, String qosClass) {
    isAdmitted = true;
    isRejected = true;
    stage = Stage.ENDED;
    Instant now = context.time().now();
    status = PodReport.rejected(rejection, rules.generation(), qosClass, now);
    context.events().warning(pod, rejection.reason(), rejection.message());
    listener.ended(this);
    listener.reported(this);
  }

  /** Its source shows another version of it. */
  void update(JsonObject now) {
    pod = now;
    rules = PodRules.read(now);
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
        resize.resize(pod, context.nodeTree(), wanted -> listener.check(this, wanted));
    news.ifPresent(
        event -> {
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

  /** Its volumes and all else is looked at although nothing happened. */
  void sync() {
    isStale = true;
    if (hasVolumes && stage == Stage.RUNS && !isBusy) {
      JsonObject current = pod;
      busy(
          () -> {
            try {
              context.volumes().refresh(current);
              return "";
            } catch (VolumeFailure e) {
              return mountFailure(e);
            }
          },
          failure -> {
            if (!failure.isEmpty()) {
              context.events().warning(pod, "FailedMount", failure);
            }
          });
    }
    step();
  }

  void evict(Eviction why, Duration grace) {
    if (stage == Stage.RUNS && eviction == null) {
      eviction = why;
      graceOverride = grace;
      context.events().warning(pod, why.reason(), why.message());
      stage = Stage.ENDING;
      step();
    }
  }

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
      observe();
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

  Instant startTime() {
    Instant start = startTime;
    return start == null ? context.time().now() : start;
  }

  // What is seen.

  private void observe() {
    isStale = false;
    PodObservation before = observation;
    JsonObject current = pod;
    busy(
        () -> {
          Optional<PodSandbox> sandbox =
              context.runtime().find(id.uid()).map(DeadContainers.in(context.runtime())::prune);
          Map<String, String> messages = new HashMap<>();
          sandbox
              .map(PodSandbox::containers)
              .orElse(List.of())
              .forEach(
                  container -> {
                    if (!container.isRunning()) {
                      messages.put(
                          container.id(), message(before, current, container));
                    }
                  });
          return new PodObservation(sandbox.orElse(null), messages);
        },
        this::observed);
  }

  /** Beside the loop: what a container left to say is read once. */
  private String message(PodObservation before, JsonObject current, ContainerStatus container) {
    String known = before.messages().get(container.id());
    return known == null
        ? TerminationMessage.read(
            context.settings().specs(),
            id.uid(),
            specOf(current, container.name()),
            container)
        : known;
  }

  private void observed(PodObservation seen) {
    observation = seen;
    hasLooked = true;
    Set<String> running = new HashSet<>();
    for (ContainerStatus container : seen.running()) {
      running.add(container.id());
      if (!hooks.containsKey(container.id())) {
        probe(container);
      }
    }
    for (ContainerStatus container : seen.containers()) {
      if (!container.isRunning()) {
        context.probes().end(container.id());
      }
    }
    hooks.keySet().removeIf(container -> !running.contains(container));
    stops.entrySet().removeIf(stop -> {
      boolean ended = !running.contains(stop.getKey());
      if (ended) {
        stop.getValue().ended();
      }
      return ended;
    });
    stops.values().forEach(ContainerStop::othersEnded);
  }

  /** Probes a container: one that was started by an earlier agent is known to its status. */
  private void probe(ContainerStatus container) {
    JsonObject spec = specOf(pod, container.name());
    Probes.Listener news = new ProbeNews(container.name());
    JsonObject said = statusOf(container.name());
    if (said.text("containerID", "").equals(context.idPrefix() + container.id())
        && said.object("state").has("running")) {
      context
          .probes()
          .resume(
              target(spec, container),
              new Probed(
                  result(said.flag("started", false)),
                  ProbeResult.UNKNOWN,
                  result(said.flag("ready", false))),
              news);
    } else {
      context.probes().begin(target(spec, container), news);
    }
  }

  private static ProbeResult result(boolean good) {
    return good ? ProbeResult.SUCCESS : ProbeResult.UNKNOWN;
  }

  private final class ProbeNews implements Probes.Listener {
    private final String container;

    ProbeNews(String container) {
      this.container = container;
    }

    @Override
    public void changed() {
      step();
    }

    @Override
    public void unhealthy(String message) {
      context.events().warning(pod, container, "Unhealthy", message);
    }
  }

  private JsonObject statusOf(String container) {
    for (String field : List.of("containerStatuses", "initContainerStatuses")) {
      for (JsonObject each : status.array(field).objects()) {
        if (each.text("name", "").equals(container)) {
          return each;
        }
      }
    }
    return JsonObject.EMPTY;
  }

  /** The specification of a container; empty if the pod has none of that name. */
  static JsonObject specOf(JsonObject pod, String container) {
    for (String field : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (JsonObject each : pod.object("spec").array(field).objects()) {
        if (each.text("name", "").equals(container)) {
          return each;
        }
      }
    }
    return JsonObject.of("name", container);
  }

  private ContainerTarget target(JsonObject spec, ContainerStatus container) {
    List<String> addresses = addresses();
    return new ContainerTarget(
        pod,
        spec,
        container.id(),
        addresses.isEmpty() ? "127.0.0.1" : addresses.getFirst(),
        container.started());
  }

  /** Its own; the node's with the node's network. */
  List<String> addresses() {
    boolean hostNetwork = pod.object("spec").flag("hostNetwork", false);
    return hostNetwork && observation.hasSandbox()
        ? context.node().addresses()
        : observation.addresses();
  }

  PodSnapshot snapshot() {
    List<ObservedContainer> observed = observation.observed(context.idPrefix());
    Map<String, Probed> probed = new HashMap<>();
    for (ContainerStatus container : observation.running()) {
      probed.put(
          context.idPrefix() + container.id(), context.probes().of(container.id()));
    }
    return new PodSnapshot(rules, observation.hasSandbox(), observed, probed);
  }

  // Running.

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
    if (!hasVolumes) {
      prepareVolumes();
    } else if (plan.createsSandbox()) {
      createSandbox();
    } else if (!resizeNext() && hooks.isEmpty()) {
      startNext(plan.starts());
    }
  }

  /**
   * Has a container that runs get what it was given.
   *
   * @return whether that is under way
   */
  private boolean resizeNext() {
    for (String name : resize.outdated()) {
      Optional<ContainerStatus> running =
          observation.running().stream().filter(c -> c.name().equals(name)).findFirst();
      JsonObject spec = specOf(allocatedPod(), name);
      if (running.isEmpty()) {
        // It gets it when it is started.
        resize.done(name);
      } else if (resize.restarts(spec)) {
        resize.done(name);
        stop(
            running.get(),
            GracePeriod.of(rules),
            "Container %s resize requires restart".formatted(name));
      } else {
        resize(running.get(), spec);
        return true;
      }
    }
    if (resize.completes()) {
      context.events().normal(pod, "ResizeCompleted", resize.completedMessage(pod));
    }
    return false;
  }

  private void resize(ContainerStatus container, JsonObject spec) {
    if (waits(endRetry)) {
      return;
    }
    ResourceLimits limits =
        new ResourceLimits(allocatedPod(), context.nodeTree(), context.settings().specs());
    busy(
        () -> {
          try {
            context.runtime().resizePod(id.uid(), limits.ofPod());
            context.runtime().resize(container.id(), limits.of(spec));
            return "";
          } catch (RuntimeFailure e) {
            return String.valueOf(e.getMessage());
          }
        },
        failure -> {
          if (failure.isEmpty()) {
            resize.done(container.name());
          } else {
            context.events().warning(pod, "ResizeError", "Pod resize error: " + failure);
            endRetry.failed(context.time().monotonicNow());
          }
        });
  }

  private void kill(PodPlan.Kill kill) {
    String container = kill.id().substring(context.idPrefix().length());
    observation
        .find(container)
        .ifPresent(running -> stop(running, GracePeriod.of(rules, kill), kill.message()));
  }

  private void prepareVolumes() {
    if (waits(volumeRetry)) {
      return;
    }
    JsonObject current = pod;
    busy(
        () -> {
          try {
            context.volumes().prepare(current);
            return "";
          } catch (VolumeFailure e) {
            return mountFailure(e);
          }
        },
        failure -> {
          hasVolumes = failure.isEmpty();
          if (!hasVolumes) {
            volumeRetry.failed(context.time().monotonicNow());
            context.events().warning(pod, "FailedMount", failure);
          }
        });
  }

  private static String mountFailure(VolumeFailure failure) {
    return "MountVolume.SetUp failed for volume \"%s\" : %s"
        .formatted(failure.volume(), failure.getMessage());
  }

  private boolean waits(Retry retry) {
    Optional<Duration> wait = retry.left(context.time().monotonicNow());
    wait.ifPresent(this::wakeAfter);
    return wait.isPresent();
  }

  /** What came of an attempt to make what the containers share. */
  private record SandboxResult(@Nullable PodSandbox sandbox, String failure) {}

  private void createSandbox() {
    if (waits(sandboxRetry)) {
      return;
    }
    if (!observation.containers().isEmpty()) {
      context
          .events()
          .normal(
              pod, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.");
    }
    JsonObject current = allocatedPod();
    JsonObject node = context.nodeTree();
    busyStarting(
        () -> {
          try {
            return new SandboxResult(
                context
                    .runtime()
                    .startSandbox(
                        SandboxSpecs.of(id, current, node, context.settings().specs())),
                "");
          } catch (RuntimeFailure | SpecFailure e) {
            return new SandboxResult(null, String.valueOf(e.getMessage()));
          }
        },
        result -> {
          if (result.sandbox != null) {
            observation = new PodObservation(result.sandbox, observation.messages());
            sandboxRetry.succeeded();
          } else {
            sandboxRetry.failed(context.time().monotonicNow());
            context
                .events()
                .warning(
                    pod,
                    "FailedCreatePodSandBox",
                    "Failed to create pod sandbox: " + result.failure);
          }
        });
  }

  /** Starts the first container that does not have to wait. */
  private void startNext(List<String> names) {
    List<ObservedContainer> observed = observation.observed(context.idPrefix());
    for (String name : names) {
      Optional<ObservedContainer> newest = ObservedContainer.newest(observed, name);
      Optional<Duration> wait = failures.wait(name, newest);
      if (wait.isEmpty()) {
        start(name, newest);
        return;
      }
      wakeAfter(wait.get());
      if (newest.isPresent()
          && failures.backOff(name, new ObjectName(id.namespace(), id.name()), id.uid())) {
        context
            .events()
            .warning(
                pod,
                name,
                "BackOff",
                "Back-off restarting failed container %s in pod %s_%s(%s)"
                    .formatted(name, id.name(), id.namespace(), id.uid()));
      }
    }
  }

  private void start(String name, Optional<ObservedContainer> newest) {
    failures.starting(name, newest);
    JsonObject given = allocatedPod();
    JsonObject spec = specOf(given, name);
    StartCall.Request request =
        new StartCall.Request(
            id,
            given,
            spec,
            PodReport.nextAttempt(observation.observed(context.idPrefix()), status, name),
            addresses(),
            context.node().addresses(),
            context.nodeTree());
    busyStarting(
        () -> context.startCall().run(request),
        result -> {
          switch (result) {
            case StartCall.Result.Started(ContainerStatus container) -> started(spec, container);
            case StartCall.Result.Failed(String reason, String message) ->
                startFailed(name, spec.text("image", ""), reason, message);
          }
        });
  }

  private void started(JsonObject spec, ContainerStatus container) {
    String name = container.name();
    observation = observation.with(container);
    failures.started(name);
    PodEvents events = context.events();
    events.normal(
        pod,
        name,
        "Pulled",
        "Container image \"%s\" already present on machine".formatted(spec.text("image", "")));
    events.normal(pod, name, "Created", "Container created");
    events.normal(pod, name, "Started", "Container started");
    JsonObject hook = spec.object("lifecycle").object("postStart");
    if (hook.isEmpty()) {
      probe(container);
      return;
    }
    hooks.put(container.id(), name);
    context
        .hooks()
        .run(hook, target(spec, container), failure -> hookEnded(container, failure));
  }

  private void hookEnded(ContainerStatus container, Optional<String> failure) {
    if (hooks.remove(container.id()) == null) {
      return; // It ended before its hook did.
    }
    if (failure.isPresent()) {
      LOG.info("{}: {}: postStart hook failed: {}", id, container.name(), failure.get());
      context
          .events()
          .warning(pod, container.name(), "FailedPostStartHook", "PostStartHook failed");
      failures.failed(container.name(), "PostStartHookError", failure.get());
      stop(container, GracePeriod.of(rules), "FailedPostStartHook");
    } else {
      probe(container);
    }
    step();
  }

  private void startFailed(String name, String image, String reason, String message) {
    PodEvents events = context.events();
    if (reason.equals("ErrImageNeverPull")) {
      events.warning(pod, name, reason, message);
    } else if (reason.equals("ErrImagePull")) {
      events.warning(
          pod, name, "Failed", "Failed to pull image \"%s\": %s".formatted(image, message));
      context.loop().after(PULL_ERROR_SHOWS, () -> backOffPull(name, image));
    }
    boolean isImage = reason.startsWith("ErrImage");
    events.warning(pod, name, "Failed", "Error: " + (isImage ? reason : message));
    failures.failed(name, reason, message);
  }

  private void backOffPull(String name, String image) {
    failures
        .backOffPull(name, image)
        .ifPresent(
            message -> {
              context.events().normal(pod, name, "BackOff", message);
              report();
            });
  }

  /** Stops all containers, and removes them, so that the pod begins afresh. */
  private void restartAll() {
    if (!observation.running().isEmpty()) {
      Duration grace = GracePeriod.of(rules);
      observation
          .running()
          .forEach(container -> stop(container, grace, "Stopping container " + container.name()));
      return;
    }
    if (waits(endRetry)) {
      return;
    }
    List<ContainerStatus> all = observation.containers();
    busy(
        () -> {
          for (ContainerStatus container : all) {
            try {
              context.runtime().removeContainer(container.id());
            } catch (RuntimeFailure e) {
              return String.valueOf(e.getMessage());
            }
          }
          return "";
        },
        failure -> {
          if (!failure.isEmpty()) {
            LOG.warn("{}: cannot remove its containers: {}", id, failure);
            endRetry.failed(context.time().monotonicNow());
            return;
          }
          status = PodReport.removedToRestartAll(status);
          isStale = true;
        });
  }

  // Ending.

  private Duration grace() {
    Duration grace = GracePeriod.of(rules);
    Duration override = graceOverride;
    return override != null && override.compareTo(grace) < 0 ? override : grace;
  }

  private void stop(ContainerStatus container, Duration grace, String message) {
    ContainerStop underWay = stops.get(container.id());
    if (underWay != null) {
      underWay.shorten(grace);
      return;
    }
    ContainerStop stop =
        new ContainerStop(
            context,
            target(specOf(pod, container.name()), container),
            grace,
            () -> isItsTurn(container.name()));
    stops.put(container.id(), stop);
    stop.begin(message);
  }

  /** Sidecars wait for others only when all are to end. */
  private boolean isItsTurn(String container) {
    return stage == Stage.RUNS
        || TerminationOrder.isItsTurn(
            rules,
            container,
            observation.running().stream().map(ContainerStatus::name).toList());
  }

  private void end() {
    List<ContainerStatus> running = observation.running();
    if (!running.isEmpty()) {
      Duration grace = grace();
      running.forEach(
          container -> stop(container, grace, "Stopping container " + container.name()));
      return;
    }
    if (waits(endRetry)) {
      return;
    }
    boolean hasSandbox = observation.hasSandbox();
    busy(
        () -> {
          try {
            if (hasSandbox) {
              context.runtime().stopSandbox(id.uid());
            }
            context.volumes().release(id.uid());
            return "";
          } catch (RuntimeFailure e) {
            return "error killing pod: " + e.getMessage();
          } catch (VolumeFailure e) {
            return "cannot release volume \"%s\": %s".formatted(e.volume(), e.getMessage());
          }
        },
        failure -> {
          if (failure.isEmpty()) {
            stage = Stage.ENDED;
            hasVolumes = false;
            listener.ended(this);
          } else {
            context.events().warning(pod, "FailedKillPod", failure);
            endRetry.failed(context.time().monotonicNow());
          }
        });
  }

  /** Removes what is left of a pod that its source has no more. */
  private void cleanUp() {
    if (!isRemoved || waits(endRetry)) {
      return;
    }
    busy(
        () -> {
          try {
            context.runtime().removeSandbox(id.uid());
            return "";
          } catch (RuntimeFailure e) {
            return String.valueOf(e.getMessage());
          }
        },
        failure -> {
          if (failure.isEmpty()) {
            isCleanedUp = true;
            observation.containers().forEach(container -> context.probes().end(container.id()));
            listener.cleanedUp(this);
          } else {
            LOG.warn("{}: cannot remove what is left of it: {}", id, failure);
            endRetry.failed(context.time().monotonicNow());
          }
        });
  }

  // What is said.

  /** The status of containers whose hooks run says that they are being created. */
  private PodSnapshot shown() {
    PodSnapshot seen = snapshot();
    return hooks.isEmpty()
        ? seen
        : new PodSnapshot(
            rules,
            seen.hasSandbox(),
            seen.observed().stream()
                .filter(
                    c -> !hooks.containsKey(c.id().substring(context.idPrefix().length())))
                .toList(),
            seen.probed());
  }

  private void report() {
    if (isCleanedUp || !hasLooked) {
      return;
    }
    if (!isRejected) {
      JsonObject now =
          PodStatuses.of(
              this, shown(), failures.waiting(), Optional.ofNullable(eviction), context);
      status = now.equals(status) ? status : now;
    }
    listener.reported(this);
  }

  // Doing one thing at a time.

  private void wakeAfter(Duration delay) {
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

  /** Does something about the pod beside the loop, then looks at it again. */
  private <T> void busy(Supplier<T> work, Consumer<T> then) {
    isBusy = true;
    call(work, result -> done(then, result));
  }

  /** The same for what takes much of the machine. */
  private <T> void busyStarting(Supplier<T> work, Consumer<T> then) {
    isBusy = true;
    context.starts().run(work, result -> done(then, result));
  }

  private <T> void done(Consumer<T> then, T result) {
    isBusy = false;
    then.accept(result);
    step();
  }

  private <T> void call(Supplier<T> work, Consumer<T> then) {
    if (!context.loop().call(work, then)) {
      context.loop().after(Duration.ofMillis(20), () -> call(work, then));
    }
  }
}
