package dev.berth.agent.pod;

import dev.berth.agent.device.Answer;
import dev.berth.agent.probe.Outcome;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodId;
import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodRules;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.podrun.GracePeriod;
import dev.berth.policy.podrun.ObservedContainer;
import dev.berth.policy.podrun.PodReport;
import dev.berth.policy.podrun.PodReport.Stage;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the containers of a pod, one at a time: its process, then its postStart hook. Lives on the
 * loop of the pods.
 */
final class ContainerStarts {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);

  /** How long a container shows that its image cannot be had before it shows that it waits. */
  private static final Duration PULL_ERROR_SHOWS = Duration.ofSeconds(1);

  private final PodWorker worker;
  private final PodContext context;
  private final StartFailures failures;

  /** The ids of containers whose postStart hooks run: they do not count as running yet. */
  private final Set<String> hooks = new HashSet<>();

  private final ContainerImages images;

  ContainerStarts(PodWorker worker, PodContext context) {
    this.worker = worker;
    this.context = context;
    this.failures =
        new StartFailures(
            context.time(),
            context.time().random("starts " + worker.id().uid()),
            context.settings().longestBackOff());
    this.images = new ContainerImages(worker, context, this::pullFailed);
  }

  /** What keeps containers from being started, by their names. */
  Map<String, ContainerState.Waiting> waiting() {
    return failures.waiting();
  }

  /** Whether a container's postStart hook runs. */
  boolean isStarting(String container) {
    return hooks.contains(container);
  }

  /**
   * Takes note of what runs by now.
   *
   * @param running their ids
   */
  void observed(Set<String> running) {
    hooks.retainAll(running);
  }

  /** Its pod was changed: what kept another image from being started does not keep this one. */
  void redefined(PodRules before, PodRules after) {
    Map<String, String> images = new HashMap<>();
    restartable(before).forEach(container -> images.put(container.name(), container.image()));
    restartable(after)
        .filter(container ->
            !container.image().equals(images.getOrDefault(container.name(), container.image())))
        .forEach(container -> failures.redefined(container.name()));
  }

  private static Stream<ContainerRules> restartable(PodRules rules) {
    return Stream.concat(rules.inits().stream(), rules.containers().stream());
  }

  /**
   * A container is ended to be started as its pod says it now.
   *
   * @param id with the runtime's name
   */
  void replacing(String name, String id) {
    failures.replacing(name, id);
  }

  /** Starts the first container that does not have to wait, unless a hook runs or a pull does. */
  void startNext(List<String> names) {
    if (!hooks.isEmpty() || images.isPulling()) {
      return;
    }
    List<ObservedContainer> observed = worker.observation().observed(context.idPrefix());
    for (String name : names) {
      Optional<ObservedContainer> newest = ObservedContainer.newest(observed, name);
      Optional<Duration> retry = failures.retryWait(name);
      // It has waited before its image was pulled.
      boolean isPulled = !images.pulledFor(name).isEmpty();
      Optional<Duration> backOff = isPulled ? Optional.empty() : failures.backOffWait(name, newest);
      if (retry.isPresent()) {
        worker.wakeAfter(retry.get());
      } else if (backOff.isPresent()) {
        worker.wakeAfter(backOff.get());
        backOff(name);
      } else {
        if (!isPulled) {
          failures.starting(name, newest);
        }
        start(name, PodReport.nextAttempt(observed, worker.reported(), name));
        return;
      }
    }
  }

  private void backOff(String name) {
    PodId id = worker.id();
    if (failures.backOff(name, new ObjectName(id.namespace(), id.name()), id.uid())) {
      context
          .events()
          .warning(
              worker.pod(),
              name,
              "BackOff",
              "Back-off restarting failed container %s in pod %s_%s(%s)"
                  .formatted(name, id.name(), id.namespace(), id.uid()));
    }
  }

  private void start(String name, int attempt) {
    JsonObject pod = worker.allocatedPod();
    if (!context.devices().wants(pod)) {
      start(pod, name, attempt, DeviceGrant.NOTHING);
      return;
    }
    worker.<Answer<DeviceGrant>>busyUntil(
        told -> context.devices().prepare(pod, name, told),
        answer -> {
          switch (answer) {
            case Answer.Value<DeviceGrant>(DeviceGrant devices) when worker.stage() == Stage.RUNS ->
                start(pod, name, attempt, devices);
            case Answer.Value<DeviceGrant> _ -> {}
            case Answer.Failed<DeviceGrant>(String error) ->
                failed(name, "", StartCall.CONFIG_ERROR, error);
          }
        });
  }

  private void start(JsonObject pod, String name, int attempt, DeviceGrant devices) {
    JsonObject spec = PodContainers.spec(pod, name);
    Placement.OfPod placement = context.devices().placement(worker.id().uid());
    StartCall.Request request =
        new StartCall.Request(
            worker.id(),
            pod,
            spec,
            attempt,
            worker.addresses(),
            context.node().addresses(),
            context.nodeTree(),
            devices,
            placement,
            images.pulledFor(name));
    worker.busyStarting(
        () -> context.startCall().run(request),
        result -> {
          switch (result) {
            case StartCall.Result.Started(ContainerStatus container) -> {
              worker.placements().started(container.id(), placement.of(name));
              started(spec, container);
            }
            case StartCall.Result.NeedsImage(String image) -> images.pull(name, image);
            case StartCall.Result.Failed(String reason, String message, String image) -> {
              images.use(name);
              failed(name, image, reason, message);
            }
          }
        });
  }

  private void started(JsonObject spec, ContainerStatus container) {
    String name = container.name();
    worker.see(worker.observation().with(container));
    failures.started(name);
    context.metrics().started(worker.pod(), name);
    PodEvents events = context.events();
    Set<String> pulled = images.use(name);
    WantedImage.of(worker.pod(), spec).stream()
        .map(WantedImage::name)
        .filter(image -> !pulled.contains(image))
        .forEach(image ->
            events.normal(
                worker.pod(),
                name,
                "Pulled",
                "Container image \"%s\" already present on machine and can be accessed by the pod"
                    .formatted(image)));
    events.normal(worker.pod(), name, "Created", "Container created");
    events.normal(worker.pod(), name, "Started", "Container started");
    JsonObject hook = spec.object("lifecycle").object("postStart");
    if (hook.isEmpty()) {
      worker.probing().probe(container);
      return;
    }
    hooks.add(container.id());
    context.hooks().run(hook, worker.target(container), outcome -> hookEnded(container, outcome));
  }

  private void hookEnded(ContainerStatus container, Outcome outcome) {
    if (!hooks.remove(container.id())) {
      return; // It ended before its hook did.
    }
    String name = container.name();
    context.events().hookWarned(worker.pod(), outcome);
    if (outcome.isFailed()) {
      LOG.info("{}: {}: postStart hook failed: {}", worker.id(), name, outcome.output());
      context.events().warning(worker.pod(), name, "FailedPostStartHook", "PostStartHook failed");
      failures.failed(name, "PostStartHookError", outcome.output());
      worker.stops().stop(container, GracePeriod.of(worker.rules()), "FailedPostStartHook");
    } else {
      worker.probing().probe(container);
    }
    worker.step();
  }

  private void pullFailed(String name, String image, String reason, String message) {
    failed(name, image, reason, message);
    worker.step();
  }

  private void failed(String name, String image, String reason, String message) {
    worker.startFailed(name, reason);
    PodEvents events = context.events();
    boolean isImage = StartFailures.isAboutImage(reason);
    if (reason.equals("ErrImageNeverPull")) {
      events.warning(worker.pod(), name, reason, message);
    } else if (reason.equals("InvalidImageName")) {
      events.warning(worker.pod(), name, "InspectFailed", message);
    } else if (isImage) {
      events.warning(
          worker.pod(),
          name,
          "Failed",
          "Failed to pull image \"%s\": %s".formatted(image, message));
      context.loop().after(PULL_ERROR_SHOWS, () -> backOffPull(name, image));
    }
    events.warning(worker.pod(), name, "Failed", "Error: " + (isImage ? reason : message));
    failures.failed(name, reason, message);
  }

  private void backOffPull(String name, String image) {
    failures
        .backOffPull(name, image)
        .ifPresent(message -> {
          context.events().normal(worker.pod(), name, "BackOff", message);
          worker.step();
        });
  }
}
