package dev.berth.agent.eviction;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.pod.RunningPods;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.client.Api;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.event.EventRecorder.EventDetails;
import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pressure.LocalStorageLimit;
import dev.berth.policy.pressure.PodConsumption;
import dev.berth.policy.pressure.PressureEviction;
import dev.berth.policy.pressure.PressureState;
import dev.berth.policy.pressure.Signal;
import dev.berth.policy.pressure.Threshold;
import dev.berth.policy.pressure.Thresholds;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends pods before the machine runs out of something, as {@link PressureState} and {@link
 * PressureEviction} decide, and pods that have written more than they may ({@link
 * LocalStorageLimit}).
 *
 * <p>It looks every ten seconds. What pods have written is measured where a pod has a limit, and of
 * all pods only when something has run short: it takes a walk through all their files. After an
 * eviction it looks again as soon as the pod is gone, or after half a minute: one pod at a time,
 * since each may have been enough.
 *
 * <p>Threads: one loop owns all state; looking and reclaiming run beside it. {@link #pressures} may
 * be read by any thread. All state is soft.
 */
public final class EvictionManager implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("eviction");
  private static final String REASON = "Evicted";

  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration CLEANUP_POLL = Duration.ofSeconds(1);
  private static final Duration CLEANUP_PATIENCE = Duration.ofSeconds(30);

  /**
   * What to make it of.
   *
   * @param api to record events
   * @param changed run, on the loop, when {@link #pressures} has changed
   */
  public record Parts(
      Api api,
      Time time,
      Metrics metrics,
      AgentSettings settings,
      RunningPods pods,
      ResourceObserver observer,
      NodeReclaim reclaim,
      Runnable changed) {}

  private final Time time;
  private final Loop loop;
  private final AgentSettings settings;
  private final RunningPods pods;
  private final ResourceObserver observer;
  private final NodeReclaim reclaim;
  private final Runnable changed;
  private final List<Threshold> thresholds;
  private final EventRecorder events;
  private final Family<Counter> evictions;

  /** Whom it has evicted, by uid, while they are there. */
  private final Set<String> leaving = new HashSet<>();

  private PressureState state = PressureState.NONE;
  private volatile Set<String> pressures = Set.of();

  private EvictionManager(Parts parts) {
    time = parts.time();
    settings = parts.settings();
    pods = parts.pods();
    observer = parts.observer();
    reclaim = parts.reclaim();
    changed = parts.changed();
    thresholds = Thresholds.parse(settings.eviction().thresholds());
    loop = time.start("eviction");
    events = EventRecorder.counting(parts.api(), loop, time, "kubelet");
    evictions =
        parts
            .metrics()
            .counters(
                "kubelet_evictions",
                "Cumulative number of pod evictions by eviction signal",
                "eviction_signal");
  }

  public static EvictionManager start(Parts parts) {
    EvictionManager manager = new EvictionManager(parts);
    manager.loop.after(Duration.ZERO, manager::look);
    return manager;
  }

  /** The conditions that the node reports as True. */
  public Set<String> pressures() {
    return pressures;
  }

  private void look() {
    boolean enforces = settings.eviction().enforcesStorageLimits();
    observe(pod -> enforces && PodConsumptions.hasStorageLimit(pod), this::decide);
  }

  /** Looks beside the loop, and again later if there is no room for that now. */
  private void observe(Predicate<JsonObject> hasFilesMeasured, Consumer<ResourceSnapshot> then) {
    Map<String, List<String>> emptyDirs = new LinkedHashMap<>();
    active().stream()
        .filter(hasFilesMeasured)
        .forEach(pod -> emptyDirs.put(Metadata.of(pod).uid(), PodConsumptions.emptyDirs(pod)));
    if (!loop.call(() -> observer.observe(emptyDirs), then)) {
      lookIn(INTERVAL);
    }
  }

  private void lookIn(Duration delay) {
    loop.after(delay, this::look);
  }

  /** Those that can be evicted: who was, but still ends, is not chosen twice. */
  private List<JsonObject> active() {
    List<JsonObject> all = pods.pods();
    leaving.retainAll(all.stream().map(pod -> Metadata.of(pod).uid()).toList());
    return all.stream()
        .filter(PodConsumptions::isActive)
        .filter(pod -> !leaving.contains(Metadata.of(pod).uid()))
        .toList();
  }

  private void decide(ResourceSnapshot seen) {
    state =
        state.observe(
            Thresholds.withContainerFilesystem(thresholds, seen.hasImageFilesystem()),
            seen.signals(),
            settings.eviction().transitionPeriod(),
            time.monotonicNow());
    if (!state.conditions().equals(pressures)) {
      pressures = Set.copyOf(state.conditions());
      changed.run();
    }
    List<PodId> evicted = evictForStorage(seen);
    if (!evicted.isEmpty()) {
      awaitCleanup(evicted, time.monotonicNow());
      return;
    }
    if (state.inOrder().isEmpty()) {
      lookIn(INTERVAL);
    } else {
      observe(_ -> true, this::relieve);
    }
  }

  /** Gets back what is short, without evicting pods if that is enough. */
  private void relieve(ResourceSnapshot seen) {
    Signal signal = state.inOrder().getFirst().signal();
    LOG.atWarn()
        .addKeyValue("signal", signal)
        .addKeyValue("resource", signal.resource())
        .log("a threshold is crossed");
    record(
        node(),
        EventRecorder.Type.WARNING,
        "EvictionThresholdMet",
        "Attempting to reclaim " + signal.resource());
    if (!loop.call(
        () -> reclaim.reclaim(signal),
        got -> {
          if (got) {
            observe(_ -> true, this::decideAfterReclaim);
          } else {
            evictOne(seen);
          }
        })) {
      lookIn(INTERVAL);
    }
  }

  /** Pods go only if what was got back is not enough. */
  private void decideAfterReclaim(ResourceSnapshot seen) {
    List<Threshold> all = Thresholds.withContainerFilesystem(thresholds, seen.hasImageFilesystem());
    if (PressureState.crossed(all, seen.signals(), true).isEmpty()) {
      LOG.info("enough was got back without evicting pods");
      lookIn(INTERVAL);
    } else {
      evictOne(seen);
    }
  }

  private List<PodId> evictForStorage(ResourceSnapshot seen) {
    List<PodId> evicted = new ArrayList<>();
    if (!settings.eviction().enforcesStorageLimits()) {
      return evicted;
    }
    for (JsonObject pod : active()) {
      PodConsumption consumption = PodConsumptions.of(pod, seen);
      Optional<String> exceeded =
          LocalStorageLimit.exceededBy(consumption, seen.hasImageFilesystem());
      if (exceeded.isPresent() && !consumption.isCritical()) {
        evict(pod, exceeded.get(), Optional.empty(), PressureEviction.IMMEDIATE);
        evictions.with("localstorage.limit").increment();
        evicted.add(PodConsumptions.id(pod));
      }
    }
    return evicted;
  }

  private void evictOne(ResourceSnapshot seen) {
    IdentityHashMap<PodConsumption, JsonObject> trees = new IdentityHashMap<>();
    List<PodConsumption> candidates = new ArrayList<>();
    for (JsonObject pod : active()) {
      PodConsumption consumption = PodConsumptions.of(pod, seen);
      trees.put(consumption, pod);
      candidates.add(consumption);
    }
    Optional<PressureEviction> decided =
        PressureEviction.decide(
            new PressureEviction.Node(
                state,
                seen.signals(),
                candidates,
                seen.hasImageFilesystem(),
                settings.eviction().longestGrace()));
    JsonObject pod = decided.map(each -> trees.get(each.pod())).orElse(null);
    if (decided.isEmpty() || pod == null) {
      LOG.warn("there is no pod that can be evicted");
      lookIn(INTERVAL);
      return;
    }
    PressureEviction eviction = decided.get();
    evict(pod, eviction.message().text(), Optional.of(eviction.message().text()), eviction.grace());
    evictions.with(eviction.threshold().signal().text()).increment();
    awaitCleanup(List.of(PodConsumptions.id(pod)), time.monotonicNow());
  }

  private void evict(JsonObject pod, String message, Optional<String> disruption, Duration grace) {
    PodId id = PodConsumptions.id(pod);
    LOG.atWarn()
        .addKeyValue("pod", id)
        .addKeyValue("reason", message.strip())
        .log("evicting a pod");
    leaving.add(id.uid());
    pods.evict(id, new RunningPods.Eviction(REASON, message, disruption), grace);
  }

  /** Looks again once the pods are gone, so that what they used does not count against others. */
  private void awaitCleanup(List<PodId> evicted, Instant since) {
    loop.after(
        CLEANUP_POLL,
        () -> {
          boolean areGone = evicted.stream().allMatch(this::isGone);
          if (areGone || time.since(since).compareTo(CLEANUP_PATIENCE) >= 0) {
            look();
          } else {
            awaitCleanup(evicted, since);
          }
        });
  }

  /** What its containers used is free once they have ended, before its status says so. */
  private boolean isGone(PodId id) {
    Optional<JsonObject> pod =
        pods.find(id.namespace(), id.name())
            .filter(found -> Metadata.of(found).uid().equals(id.uid()));
    return pod.isEmpty()
        || pod.get().object("spec").array("containers").objects().stream()
            .map(container -> container.text("name", ""))
            .noneMatch(name ->
                pods.container(id, name, false).filter(ContainerStatus::isRunning).isPresent());
  }

  private JsonObject node() {
    String name = settings.node().name();
    return new JsonObject.Builder()
        .put("kind", "Node")
        .put("apiVersion", "v1")
        .put("metadata", new JsonObject.Builder().put("name", name).put("uid", name).build())
        .build();
  }

  private void record(JsonObject regarding, EventRecorder.Type type, String reason, String note) {
    events.record(
        EventDetails.of(regarding, type, reason, "", note).reportedBy(settings.node().name()));
  }

  @Override
  public void close() {
    loop.close();
  }
}
