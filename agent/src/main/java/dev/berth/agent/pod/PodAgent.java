package dev.berth.agent.pod;

import dev.berth.agent.device.PodDevices;
import dev.berth.agent.environment.ContainerEnvironment;
import dev.berth.agent.image.ImageAccess;
import dev.berth.agent.image.ImagePuller;
import dev.berth.agent.node.NodeState;
import dev.berth.agent.objects.PodObjects;
import dev.berth.agent.objects.RuntimeClasses;
import dev.berth.agent.probe.Connections;
import dev.berth.agent.probe.Probes;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.volume.PodVolumes;
import dev.berth.agent.volume.VolumeFailure;
import dev.berth.client.Api;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListRequest;
import dev.berth.client.LoggedApi;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.time.Loop;
import dev.berth.time.LoopLimits;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the pods of this node: those that the server binds to it, and static ones.
 *
 * <pre>
 * watch, files ─▶ PodWorker.step ─▶ policy.podrun.PodActions ─▶ runtime, volumes (beside the loop)
 * runtime, probes, timers ─▶  │                                     │
 *                             └◀──────── what came of it ◀──────────┘
 *                             └─▶ policy.podrun.PodReport ─▶ StatusWriter ─▶ server
 * </pre>
 *
 * <p>What runs does not depend on the server: while it cannot be reached, pods go on, are started
 * again and probed, and what was missed is made up for when it is back (T13). All state is soft: a
 * new agent finds in the runtime what the last one started, and takes it over. Only once everything
 * is known that should run is something ended that should not.
 *
 * <p>One loop owns all of it.
 */
public final class PodAgent implements RunningPods, EndingPods, AutoCloseable {
  static final String NAME = "pods";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);

  private static final int REQUESTS_AT_ONCE = 16;
  private static final int CALLS_AT_ONCE = 2048;

  /** How soon to look whether the node is known. */
  private static final Duration NODE_CHECK = Duration.ofMillis(100);

  private static final AdmissionRejection SHUTTING_DOWN =
      new AdmissionRejection("NodeShutdown", "Pod was rejected as the node is shutting down.");

  /** How soon to try again what the loop had no room for. */
  private static final Duration SOON = Duration.ofMillis(20);

  /** How soon to ask a runtime again that cannot say what it runs. */
  private static final Duration RUNTIME_CHECK = Duration.ofSeconds(1);

  /**
   * What it is made of.
   *
   * @param api the server, as this node
   * @param connections how probes reach containers
   */
  public record Parts(
      Api api,
      Time time,
      Metrics metrics,
      NodeState node,
      ContainerRuntime runtime,
      PodVolumes volumes,
      PodDevices devices,
      PodObjects objects,
      ContainerEnvironment environment,
      Connections connections,
      ImageAccess images,
      PodSettings settings) {}

  /** A pod as others may see it. */
  private record Published(JsonObject pod, PodObservation observation) {}

  private final Parts parts;
  private final Time time;
  private final Loop loop;
  private final PodContext context;
  private final StatusWriter statuses;
  private final MirrorPods mirrors;
  private final InformerSet informers;
  private final StaticPods staticPods;
  private final RandomGenerator random;
  private final Map<String, PodWorker> workers = new LinkedHashMap<>();
  private final Map<String, Published> published = new ConcurrentHashMap<>();

  /** What earlier agents left, and nobody has asked for yet. */
  private final Map<String, PodSandbox> found = new HashMap<>();

  private final CriticalPodPreemption preemption;
  private final DeviceAdmission devices;
  private final PodCounts counts;
  private final EndingGroups ending = new EndingGroups();
  private final List<Consumer<List<JsonObject>>> waitForAll = new ArrayList<>();
  private boolean isSynced;
  private boolean isWaitingForNode;

  /** Since it was last asked what it runs; written by the loop, read beside it. */
  private volatile boolean isRuntimeSilent;

  private PodAgent(Parts parts) {
    this.parts = parts;
    time = parts.time();
    random = time.random(NAME);
    loop = time.start(NAME, new LoopLimits(LoopLimits.DEFAULT.events(), CALLS_AT_ONCE));
    Api api = new LoggedApi(parts.api(), NAME);
    ContainerRuntime runtime = parts.runtime();
    Probes probes = new Probes(time, loop, runtime, parts.connections(), parts.metrics());
    PodSettings settings = parts.settings();
    context =
        new PodContext(
            loop,
            time,
            runtime,
            parts.volumes(),
            parts.devices(),
            parts.node(),
            new StartCall(
                new StartCall.Parts(
                    runtime,
                    parts.volumes(),
                    parts.environment(),
                    parts.objects(),
                    parts.images(),
                    settings.specs())),
            probes,
            probes.hooks(),
            new PodEvents(EventRecorder.counting(api, loop, time, "kubelet"), parts.node().name()),
            new KubeletMetrics(
                parts.metrics(), parts.node().name(), this::runningPods, this::runningContainers),
            new BoundedCalls(loop, settings.maxParallelStarts()),
            new ImagePuller(
                new ImagePuller.Parts(
                    loop,
                    time,
                    runtime,
                    parts.objects(),
                    parts.images(),
                    settings.maxParallelPulls())),
            new RuntimeClasses(api),
            settings);
    counts = new PodCounts(parts.metrics());
    preemption = new CriticalPodPreemption(context.metrics());
    devices = new DeviceAdmission(context);
    BoundedRequests requests = new BoundedRequests(loop, REQUESTS_AT_ONCE);
    mirrors = new MirrorPods(api, loop, time, requests, parts.node());
    statuses = new StatusWriter(api, loop, time, requests, this::onServer);
    staticPods =
        new StaticPods(loop, settings.staticPods(), parts.node().name(), time, this::staticPodsAre);
    informers =
        new InformerSet(Informers.separate(api, time), loop, this::synced, LOG)
            .on(
                ListRequest.of(Resources.PODS).fields("spec.nodeName=" + parts.node().name()),
                this::podChanged);
  }

  /** Begins to run what is bound to this node. */
  public static PodAgent start(Parts parts) {
    PodAgent agent = new PodAgent(parts);
    parts.runtime().onChange(uid -> agent.later(() -> agent.changed(uid)));
    agent.later(agent::look);
    return agent;
  }

  /** Runs a task on the loop, by any thread; a timer is never refused. */
  private void later(Runnable task) {
    if (!loop.offer(task)) {
      loop.after(Duration.ZERO, task);
    }
  }

  /** Tries the server at once, which is known to answer again. For any thread. */
  public void retryNow() {
    loop.after(Duration.ZERO, informers::retryNow);
  }

  /** Finds out what runs, before anything else is started. */
  private void look() {
    if (!loop.call(this::list, this::looked)) {
      loop.after(SOON, this::look);
    }
  }

  private Optional<List<PodSandbox>> list() {
    try {
      return Optional.of(parts.runtime().list());
    } catch (RuntimeFailure e) {
      if (!isRuntimeSilent) {
        LOG.warn("the runtime cannot say what it runs; it is asked again: {}", e.getMessage());
      }
      return Optional.empty();
    }
  }

  private void looked(Optional<List<PodSandbox>> sandboxes) {
    isRuntimeSilent = sandboxes.isEmpty();
    if (sandboxes.isEmpty()) {
      loop.after(RUNTIME_CHECK, this::look);
      return;
    }
    sandboxes.get().forEach(sandbox -> found.put(sandbox.pod().uid(), sandbox));
    staticPods.start();
    mirrors.wanted(List.of(), staticPods.areKnown());
    informers.start();
    loop.after(phase(), this::syncAll);
  }

  private Duration phase() {
    Duration frequency = parts.settings().syncFrequency();
    return frequency.plusMillis((long) (frequency.toMillis() * random.nextDouble() / 2));
  }

  private void syncAll() {
    List.copyOf(workers.values()).forEach(PodWorker::sync);
    retryResizes();
    loop.call(
        () -> {
          LogLinks.ofMachine().removeDead();
          return true;
        },
        _ -> {});
    loop.after(phase(), this::syncAll);
  }

  private void retryResizes() {
    List.copyOf(workers.values()).forEach(PodWorker::retryResize);
  }

  // What is to run.

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject pod = after == null ? before : after;
    if (pod == null) {
      return;
    }
    if (Metadata.of(pod).annotation(WellKnownAnnotations.CONFIG_MIRROR).isPresent()) {
      mirrors.changed(before, after);
      mirrorWorker(pod).ifPresent(statuses::sync);
      return;
    }
    String uid = Metadata.of(pod).uid();
    PodWorker worker = workers.get(uid);
    if (after == null) {
      if (worker != null) {
        worker.remove();
      }
    } else if (worker != null) {
      worker.update(after);
    } else {
      add(after);
    }
  }

  private Optional<PodWorker> mirrorWorker(JsonObject mirror) {
    return workers.values().stream()
        .filter(worker -> worker.rules().isStatic() && MirrorPods.isOf(mirror, worker.pod()))
        .findFirst();
  }

  private void add(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    PodId id = new PodId(metadata.namespace(), metadata.name(), metadata.uid());
    PodWorker worker = new PodWorker(context, id, pod, new WorkerListener());
    workers.put(id.uid(), worker);
    PodSandbox sandbox = found.remove(id.uid());
    if (sandbox != null) {
      worker.adopt(sandbox);
    }
    publish(worker);
    if (isSynced || worker.rules().isStatic()) {
      admit(worker);
    }
  }

  /** All that the server has bound to this node is known. */
  private void synced() {
    isSynced = true;
    admitWaiting();
    endUnknown();
  }

  /** These are all static pods now. */
  private void staticPodsAre(Map<String, JsonObject> pods) {
    List.copyOf(workers.values()).stream()
        .filter(worker -> worker.rules().isStatic() && !pods.containsKey(worker.id().uid()))
        .forEach(PodWorker::remove);
    pods.values().stream().filter(pod -> !hasWorker(pod)).forEach(this::add);
    mirrors.wanted(shown(pods.values()), staticPods.areKnown());
    endUnknown();
  }

  /** A static pod that ends is shown until nothing of it is left, whatever its file says by now. */
  private Collection<JsonObject> shown(Collection<JsonObject> pods) {
    Map<ObjectName, JsonObject> shown = new LinkedHashMap<>();
    pods.forEach(pod -> shown.put(ObjectName.of(pod), pod));
    workers.values().stream()
        .filter(worker -> worker.rules().isStatic() && !Orphan.is(worker.pod()))
        .forEach(worker -> shown.put(ObjectName.of(worker.pod()), worker.pod()));
    return shown.values();
  }

  /** A static pod that was edited waits until nothing is left of what it was. */
  private boolean hasWorker(JsonObject pod) {
    return workers.values().stream()
        .anyMatch(worker -> worker.rules().isStatic() && MirrorPods.isOf(pod, worker.pod()));
  }

  /** Ends what runs here and nobody wants, once all who might want something have said so. */
  private void endUnknown() {
    if (!areAllKnown()) {
      return;
    }
    for (PodSandbox sandbox : List.copyOf(found.values())) {
      found.remove(sandbox.pod().uid());
      context.metrics().orphaned();
      LOG.info("{} is not bound to this node any more: it is ended", sandbox.pod());
      JsonObject pod = Orphan.of(sandbox.pod());
      PodWorker worker = new PodWorker(context, sandbox.pod(), pod, new WorkerListener());
      workers.put(sandbox.pod().uid(), worker);
      worker.adopt(sandbox);
      worker.admit();
      worker.remove();
    }
    releaseLeftovers();
    List<Consumer<List<JsonObject>>> told = List.copyOf(waitForAll);
    waitForAll.clear();
    told.forEach(each -> each.accept(active()));
    parts
        .devices()
        .retain(
            workers.values().stream()
                .filter(worker -> !worker.hasEnded())
                .map(worker -> worker.id().uid())
                .toList());
  }

  private void releaseLeftovers() {
    Set<String> known = Set.copyOf(workers.keySet());
    loop.call(
        () -> {
          for (String uid : parts.volumes().leftovers()) {
            if (!known.contains(uid)) {
              try {
                parts.volumes().release(uid);
              } catch (VolumeFailure e) {
                LOG.warn("cannot release the volumes of pod {}: {}", uid, e.getMessage());
              }
            }
          }
          return true;
        },
        _ -> {});
  }

  // Admission.

  private void admitWaiting() {
    isWaitingForNode = false;
    List<PodWorker> waiting = new ArrayList<>(workers.values());
    waiting.removeIf(PodWorker::isAdmitted);
    waiting.sort(
        Comparator.comparing(
            worker -> Metadata.of(worker.pod()).creationTimestamp().orElse(Instant.EPOCH)));
    waiting.forEach(this::admit);
  }

  private void admit(PodWorker worker) {
    boolean isKnown = worker.observation().sandbox() != null;
    if (isKnown || worker.isToGo() || worker.isFinished()) {
      worker.admit();
      return;
    }
    if (preemption.isUnderWay(worker) || devices.isUnderWay(worker)) {
      return;
    }
    if (parts.node().isShuttingDown()) {
      reject(worker, SHUTTING_DOWN);
      return;
    }
    Optional<JsonObject> node = parts.node().node().filter(NodeRoom::isKnown);
    boolean isNodeKnown = node.isPresent() && parts.node().isCurrent();
    if (!isNodeKnown && !worker.rules().isStatic()) {
      waitForNode();
      return;
    }
    Optional<AdmissionRejection> rejection = node.flatMap(_ -> check(worker, worker.pod()));
    if (devices.comesNext(worker, rejection)) {
      devices.begin(worker, failure -> given(worker, failure));
    } else if (rejection.isPresent() && makesRoom(worker, rejection.get())) {
      LOG.info("{} waits until others have made way", worker.id());
    } else if (rejection.isPresent()) {
      reject(worker, rejection.get());
    } else {
      worker.admit();
    }
  }

  private void reject(PodWorker worker, AdmissionRejection rejection) {
    LOG.info("{} is not admitted: {}", worker.id(), rejection.message());
    worker.reject(rejection, Qos.of(PodSpecView.read(worker.pod().object("spec"))).text());
  }

  /** A pod has its devices, or does not get them. */
  private void given(PodWorker worker, Optional<AdmissionRejection> failure) {
    if (failure.isPresent() && !worker.isToGo()) {
      reject(worker, failure.get());
    } else {
      admit(worker);
    }
  }

  private void waitForNode() {
    if (!isWaitingForNode) {
      isWaitingForNode = true;
      loop.after(NODE_CHECK, this::admitWaiting);
    }
  }

  /** Whether others make way for a critical pod that there is no room for. */
  private boolean makesRoom(PodWorker worker, AdmissionRejection rejection) {
    return rejection.reason().startsWith("OutOf")
        && preemption.begin(
            worker,
            NodeRoom.missing(worker.pod(), allocatedBeside(worker), context.nodeTree()),
            beside(worker));
  }

  /** Pods that were deleted by force are on their way out, and count no more, as in Kubernetes. */
  private List<PodWorker> beside(PodWorker worker) {
    return workers.values().stream()
        .filter(other -> other != worker && other.isAdmitted())
        .filter(other -> !other.hasEnded() && !other.isRemoved())
        .toList();
  }

  /** Those that are just given devices count, too. */
  private List<JsonObject> allocatedBeside(PodWorker worker) {
    return Stream.concat(beside(worker).stream(), devices.beside(worker))
        .map(PodWorker::allocatedPod)
        .toList();
  }

  private Optional<AdmissionRejection> check(PodWorker worker, JsonObject wanted) {
    List<JsonObject> others = allocatedBeside(worker);
    return NodeRoom.check(
        wanted,
        others,
        parts.devices().withAssigned(context.nodeTree(), worker.id().uid()),
        parts.node().pressures(),
        parts.settings().allowedSysctls());
  }

  // What happens.

  private void changed(String uid) {
    PodWorker worker = workers.get(uid);
    if (worker != null) {
      worker.refresh();
    }
  }

  /** Something that a pod's volumes are made from has changed. By any thread. */
  public void volumesChanged(String uid) {
    later(() -> {
      PodWorker worker = workers.get(uid);
      if (worker != null) {
        worker.sync();
      }
    });
  }

  /** Containers may use other processors than before. By any thread. */
  public void placementsChanged() {
    later(() -> List.copyOf(workers.values()).forEach(PodWorker::step));
  }

  private final class WorkerListener implements PodWorker.Listener {
    @Override
    public void reported(PodWorker worker) {
      publish(worker);
      statuses.sync(worker);
    }

    @Override
    public Optional<AdmissionRejection> check(PodWorker worker, JsonObject wanted) {
      return PodAgent.this.check(worker, wanted);
    }

    @Override
    public void ended(PodWorker worker) {
      devices.release(worker);
      ending.check();
      retryResizes();
      if (preemption.isUnderWay()) {
        admitWaiting();
      }
    }

    @Override
    public void cleanedUp(PodWorker worker) {
      workers.remove(worker.id().uid());
      published.remove(worker.id().uid());
      counts.forget(worker);
      context.probes().forget(worker.id().uid());
      statuses.forget(worker);
      if (worker.rules().isStatic()) {
        Optional.ofNullable(staticPods.all().get(worker.id().uid()))
            .ifPresent(again -> add(RestartedPod.of(again, worker.status())));
        staticPodsAre(staticPods.all());
      }
    }
  }

  /** The pod on the server; empty if there is none, or not one that is this node's to write. */
  private Optional<JsonObject> onServer(PodWorker worker) {
    if (Orphan.is(worker.pod())) {
      return Optional.empty();
    }
    if (worker.rules().isStatic()) {
      return mirrors.of(worker.pod());
    }
    return worker.isRemoved() ? Optional.empty() : Optional.of(worker.pod());
  }

  private int runningPods() {
    return (int)
        published.values().stream().filter(pod -> !pod.observation.running().isEmpty()).count();
  }

  private int runningContainers() {
    return published.values().stream().mapToInt(pod -> pod.observation.running().size()).sum();
  }

  private void publish(PodWorker worker) {
    counts.see(worker);
    if (Orphan.is(worker.pod())) {
      return;
    }
    JsonObject status = worker.status();
    JsonObject shown = status.isEmpty() ? worker.pod() : worker.pod().with("status", status);
    published.put(worker.id().uid(), new Published(shown, worker.observation()));
  }

  // What others ask.

  @Override
  public List<JsonObject> pods() {
    return published.values().stream().map(Published::pod).toList();
  }

  @Override
  public Optional<JsonObject> find(String namespace, String name) {
    return published.values().stream()
        .map(Published::pod)
        .filter(pod ->
            Metadata.of(pod).namespace().equals(namespace) && Metadata.of(pod).name().equals(name))
        // Of two of one name, one is on its way out.
        .min(Comparator.comparing(pod -> Metadata.of(pod).isBeingDeleted()));
  }

  @Override
  public Optional<ContainerStatus> container(PodId pod, String name, boolean previous) {
    Published known = published.get(pod.uid());
    return known == null
        ? Optional.empty()
        : known.observation.containers().reversed().stream()
            .filter(container -> container.name().equals(name))
            .skip(previous ? 1 : 0)
            .findFirst();
  }

  @Override
  public void evict(PodId pod, Eviction eviction, Duration grace) {
    later(() -> {
      PodWorker worker = workers.get(pod.uid());
      if (worker != null) {
        worker.evict(eviction, grace);
      }
    });
  }

  // What whoever ends all of them asks.

  private boolean areAllKnown() {
    return isSynced && staticPods.areKnown();
  }

  private List<JsonObject> active() {
    return workers.values().stream()
        .filter(worker -> !worker.hasEnded() && !worker.isFinished())
        .map(PodWorker::pod)
        .toList();
  }

  @Override
  public void whenKnown(Consumer<List<JsonObject>> active) {
    later(() -> {
      if (areAllKnown()) {
        active.accept(active());
      } else {
        waitForAll.add(active);
      }
    });
  }

  @Override
  public void end(Map<String, Duration> graces, Eviction why, Runnable ended) {
    later(() -> {
      List<PodWorker> group = new ArrayList<>();
      graces.forEach((uid, grace) -> {
        PodWorker worker = workers.get(uid);
        if (worker != null) {
          group.add(worker);
          worker.evict(why, grace);
        }
      });
      ending.add(group, ended);
    });
  }

  @Override
  public void whenTold(Duration patience, Runnable then) {
    later(() -> awaitTold(time.monotonicNow().plus(patience), then));
  }

  private void awaitTold(Instant until, Runnable then) {
    // One that used up its time is killed at this moment, and says so a moment later.
    boolean areTold =
        workers.values().stream()
            .filter(worker -> (worker.hasEnded() || worker.isEvicted()) && !worker.isRemoved())
            .allMatch(worker -> worker.isFinished() || worker.rules().isStatic());
    if (areTold || !time.monotonicNow().isBefore(until)) {
      then.run();
    } else {
      loop.after(SOON, () -> awaitTold(until, then));
    }
  }

  @Override
  public void goOn() {
    later(() -> List.copyOf(workers.values()).forEach(PodWorker::sync));
  }

  /** Lets go of everything; what runs goes on. */
  @Override
  public void close() {
    loop.close();
    informers.close();
    staticPods.close();
  }
}
