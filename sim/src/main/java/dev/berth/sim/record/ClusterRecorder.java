package dev.berth.sim.record;

import dev.berth.client.Api;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.core.Zone;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.ZoneHealth;
import dev.berth.policy.node.ZoneRate;
import dev.berth.policy.node.ZoneRates;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.sim.explain.WorkloadKind;
import dev.berth.sim.record.Recording.Note;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Watches a cluster and writes down what becomes of its nodes, pods and workloads. It sees what any
 * client sees, by the API alone, and changes nothing.
 */
public final class ClusterRecorder implements AutoCloseable {
  /** The reason of the events that it reads; it needs no others. */
  public static final String EVENTS_READ = "ZoneStateChanged";

  private static final double MINUTE_IN_THOUSANDTHS = 60_000;

  private final Time time;
  private final Instant began;
  private final ZoneSettings zoneSettings;
  private final Loop loop;
  private final InformerSet informers;

  private final Map<String, Integer> nodeIndices = new HashMap<>();
  private final List<NodeHistory> nodes = new ArrayList<>();
  private final Map<String, Zone> zones = new HashMap<>();

  /** How many nodes of each zone there are, and how many of them are unhealthy. */
  private final Map<Zone, int[]> nodesOfZones = new LinkedHashMap<>();

  private final Map<String, PodHistory> podsByUid = new HashMap<>();
  private final List<PodHistory> pods = new ArrayList<>();
  private final TreeMap<WorkloadId, WorkloadHistory> workloads = new TreeMap<>();
  private final Map<ObjectName, WorkloadId> replicaSetOwners = new HashMap<>();
  private final Map<ObjectName, JsonObject> budgets = new LinkedHashMap<>();
  private final Map<WorkloadId, JsonObject> podLabels = new HashMap<>();
  private final Map<WorkloadId, JsonObject> jobs = new HashMap<>();

  /** How many pods of a workload were seen to succeed. */
  private final Map<WorkloadId, Integer> succeeded = new HashMap<>();

  private final Map<PodState, StepSeries> podStates = new EnumMap<>(PodState.class);
  private final Map<NodeState, StepSeries> nodeStates = new EnumMap<>(NodeState.class);
  private final List<Long> emptied = new ArrayList<>();
  private final StepSeries allowed = new StepSeries();

  /** Whoever plays a scenario adds to them, on threads of their own where time is real. */
  private final List<Note> notes = Collections.synchronizedList(new ArrayList<>());

  private boolean ratesAreStale;

  private ClusterRecorder(Api api, Time time, ZoneSettings zoneSettings) {
    this.time = time;
    this.zoneSettings = zoneSettings;
    began = time.monotonicNow();
    loop = time.start("recorder");
    for (PodState state : PodState.values()) {
      podStates.put(state, new StepSeries());
    }
    for (NodeState state : NodeState.values()) {
      nodeStates.put(state, new StepSeries());
    }
    informers =
        new InformerSet(
                Informers.separate(api, time), loop, () -> {}, LoggerFactory.getLogger("recorder"))
            .on(Resources.NODES, this::nodeChanged)
            .on(Resources.REPLICA_SETS, this::replicaSetChanged)
            .on(Resources.DEPLOYMENTS, workloads(WorkloadKind.DEPLOYMENT))
            .on(Resources.STATEFUL_SETS, workloads(WorkloadKind.STATEFUL_SET))
            .on(Resources.DAEMON_SETS, workloads(WorkloadKind.DAEMON_SET))
            .on(Resources.JOBS, workloads(WorkloadKind.JOB))
            .on(Resources.POD_DISRUPTION_BUDGETS, this::budgetChanged)
            .on(Resources.PODS, this::podChanged)
            .on(
                ListRequest.of(Resources.CORE_EVENTS).fields("reason=" + EVENTS_READ),
                this::zoneEvent);
  }

  public static ClusterRecorder start(Api api, Time time, ZoneSettings zones) {
    ClusterRecorder recorder = new ClusterRecorder(api, time, zones);
    recorder.informers.start();
    return recorder;
  }

  private long now() {
    return Duration.between(began, time.monotonicNow()).toMillis();
  }

  /** Adds something to the story. */
  public void note(Note.Kind kind, String text) {
    notes.add(new Note(now(), kind, text));
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject tree = after != null ? after : before;
    if (tree == null) {
      return;
    }
    NodeView view = NodeView.read(tree);
    NodeHistory node = nodes.get(index(view));
    long at = now();
    NodeState was = node.states().size() == 0 && before == null ? NodeState.GONE : node.state();
    NodeState state = after == null ? NodeState.GONE : NodeState.of(view);
    if (was != state || before == null) {
      add(nodeStates, state, at, 1);
      if (before != null) {
        add(nodeStates, was, at, -1);
      }
      node.states().set(at, state.code());
      count(view.name(), was, -1);
      count(view.name(), state, 1);
      ratesChange();
    }
    if (after != null && isEmptied(view) && (before == null || !isEmptied(NodeView.read(before)))) {
      emptied.add(at);
    }
  }

  /** A node of a zone begins or ceases to be in a state. */
  private void count(String node, NodeState state, int by) {
    if (state != NodeState.GONE) {
      int[] counts = nodesOfZones.computeIfAbsent(zones.get(node), _ -> new int[2]);
      counts[0] += by;
      counts[1] += state.isUnhealthy() ? by : 0;
    }
  }

  private int index(NodeView view) {
    return nodeIndices.computeIfAbsent(
        view.name(),
        name -> {
          nodes.add(new NodeHistory(name, view.labels().text(WellKnownLabels.ZONE, "")));
          zones.put(name, view.zone());
          return nodes.size() - 1;
        });
  }

  /** Whether it has a taint that makes pods leave because of its health. */
  private static boolean isEmptied(NodeView node) {
    return node.taints().stream()
        .filter(taint -> taint.effect() == TaintEffect.NO_EXECUTE)
        .map(Taint::key)
        .anyMatch(key ->
            key.equals(WellKnownTaints.NOT_READY) || key.equals(WellKnownTaints.UNREACHABLE));
  }

  private static <S extends Enum<S>> void add(Map<S, StepSeries> all, S state, long at, int by) {
    StepSeries series = all.get(state);
    if (series != null) {
      series.set(at, series.last() + by);
    }
  }

  /** Many nodes change at one instant; the rates are worked out once after them. */
  private void ratesChange() {
    if (!ratesAreStale) {
      ratesAreStale = true;
      loop.after(Duration.ZERO, this::workOutRates);
    }
  }

  private void workOutRates() {
    ratesAreStale = false;
    List<ZoneHealth> health = new ArrayList<>();
    nodesOfZones.forEach((zone, count) -> {
      if (count[0] > 0) {
        health.add(new ZoneHealth(zone, count[0], count[1]));
      }
    });
    double perSecond =
        ZoneRates.of(health, zoneSettings).rates().stream()
            .filter(rate -> rate.health().unhealthy() > 0)
            .mapToDouble(ZoneRate::nodesPerSecond)
            .sum();
    allowed.set(now(), Math.round(perSecond * MINUTE_IN_THOUSANDTHS));
  }

  private void zoneEvent(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null && before == null) {
      note(Note.Kind.ZONE, after.text("message", ""));
    }
  }

  private void replicaSetChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after != null ? after : before;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    Metadata.of(told)
        .controller()
        .ifPresentOrElse(
            owner ->
                replicaSetOwners.put(
                    name, new WorkloadId(owner.kind(), name.namespace(), owner.name())),
            () -> workloadChanged(WorkloadKind.REPLICA_SET, before, after));
  }

  private BiConsumer<@Nullable JsonObject, @Nullable JsonObject> workloads(WorkloadKind kind) {
    return (before, after) -> workloadChanged(kind, before, after);
  }

  /** One that is deleted wants nothing any more. */
  private void workloadChanged(
      WorkloadKind kind, @Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after != null ? after : before;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    WorkloadId id = new WorkloadId(kind.kind(), name.namespace(), name.name());
    boolean ends = after == null || Metadata.of(after).isBeingDeleted();
    if (kind == WorkloadKind.JOB) {
      jobs.put(id, told);
    }
    WorkloadHistory workload = workload(id);
    workload.desires(now(), ends ? 0 : wanted(kind, id, told));
    Conditions.find(told.object("status").array("conditions"), "ReplicaFailure")
        .filter(condition -> condition.text("status", "").equals(Conditions.TRUE))
        .ifPresent(condition -> workload.failsToCreate(condition.text("message", "")));
  }

  /** A job's pods are seen to have succeeded before the job's status counts them. */
  private long wanted(WorkloadKind kind, WorkloadId id, JsonObject tree) {
    long seen = succeeded.getOrDefault(id, 0);
    long counted = tree.object("status").integer("succeeded").orElse(0);
    return kind.wanted(
        seen > counted ? tree.update("status", status -> status.with("succeeded", seen)) : tree);
  }

  /** A pod of a job, or of nobody, is no longer wanted once it has succeeded. */
  private void succeeded(WorkloadId id, long at) {
    succeeded.merge(id, 1, Integer::sum);
    JsonObject job = jobs.get(id);
    if (job != null) {
      workload(id).desires(at, wanted(WorkloadKind.JOB, id, job));
    } else if (id.kind().equals(WorkloadId.POD)) {
      workload(id).desires(at, 0);
    }
  }

  private WorkloadHistory workload(WorkloadId id) {
    return workloads.computeIfAbsent(id, WorkloadHistory::new);
  }

  private void budgetChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      budgets.put(ObjectName.of(after), after);
    } else if (before != null) {
      budgets.remove(ObjectName.of(before));
    }
    podLabels.forEach(this::readBudget);
  }

  /** What the budgets that select a workload's pods want to be there. */
  private void readBudget(WorkloadId id, JsonObject labels) {
    long wanted = 0;
    for (JsonObject budget : budgets.values()) {
      if (ObjectName.of(budget).namespace().equals(id.namespace())
          && LabelSelector.fromTree(budget.object("spec").get("selector")).matches(labels)) {
        wanted = Math.max(wanted, budget.object("status").integer("desiredHealthy").orElse(0));
      }
    }
    workload(id).budget().set(now(), wanted);
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject tree = after != null ? after : before;
    if (tree == null) {
      return;
    }
    PodTree pod = new PodTree(tree);
    PodHistory history = podsByUid.get(pod.uid());
    long at = now();
    boolean isNew = history == null;
    if (history == null) {
      history = new PodHistory(pod.name(), owner(pod));
      podsByUid.put(pod.uid(), history);
      pods.add(history);
      WorkloadHistory workload = workload(history.workload());
      workload.podAdded();
      if (workload.id().kind().equals(WorkloadId.POD)) {
        workload.desires(at, 1);
      }
      if (podLabels.put(history.workload(), pod.metadata().labels()) == null) {
        readBudget(history.workload(), pod.metadata().labels());
      }
    }
    if (pod.isBound() && history.node() < 0) {
      history.bound(nodeIndices.getOrDefault(pod.nodeName(), -1));
    }
    PodState was = isNew ? PodState.GONE : history.state();
    PodState state = after == null ? PodState.GONE : PodState.of(pod, was);
    if (was != state) {
      history.change(at, state);
      count(history.workload(), was, state, at, isNew);
    }
    readReasons(pod, history, at);
    if (after == null) {
      podsByUid.remove(pod.uid());
      if (history.workload().kind().equals(WorkloadId.POD) && !history.wasEvicted()) {
        workload(history.workload()).desires(at, 0);
      }
    }
  }

  private void count(WorkloadId id, PodState was, PodState state, long at, boolean isNew) {
    add(podStates, state, at, 1);
    if (!isNew) {
      add(podStates, was, at, -1);
    }
    int available = one(state == PodState.READY) - one(was == PodState.READY);
    int pending = one(state == PodState.PENDING) - one(was == PodState.PENDING && !isNew);
    workload(id).count(at, available, pending);
    if (state == PodState.SUCCEEDED) {
      succeeded(id, at);
    }
  }

  private static int one(boolean holds) {
    return holds ? 1 : 0;
  }

  private WorkloadId owner(PodTree pod) {
    String namespace = pod.name().namespace();
    return pod.metadata()
        .controller()
        .map(owner -> {
          WorkloadId own = new WorkloadId(owner.kind(), namespace, owner.name());
          return owner.kind().equals("ReplicaSet") ? replicaSetOwner(pod, own) : own;
        })
        .orElse(new WorkloadId(WorkloadId.POD, namespace, pod.name().name()));
  }

  /**
   * A pod may be seen before its ReplicaSet, since watches do not wait for each other. Then its
   * labels tell the Deployment, which names its ReplicaSets by itself and the template's hash.
   */
  private WorkloadId replicaSetOwner(PodTree pod, WorkloadId replicaSet) {
    WorkloadId known =
        replicaSetOwners.get(new ObjectName(replicaSet.namespace(), replicaSet.name()));
    if (known != null) {
      return known;
    }
    String hash = pod.metadata().label(WellKnownLabels.POD_TEMPLATE_HASH).orElse("");
    String end = "-" + hash;
    return !hash.isEmpty() && replicaSet.name().endsWith(end)
        ? new WorkloadId(
            "Deployment",
            replicaSet.namespace(),
            replicaSet.name().substring(0, replicaSet.name().length() - end.length()))
        : replicaSet;
  }

  private void readReasons(PodTree pod, PodHistory history, long at) {
    var conditions = pod.tree().object("status").array("conditions");
    if (pod.terminating() || history.state() == PodState.FAILED) {
      Conditions.find(conditions, "DisruptionTarget")
          .filter(condition -> condition.text("status", "").equals("True"))
          .ifPresent(condition -> {
            if (!history.wasEvicted()) {
              workload(history.workload()).evicted();
            }
            history.evicted(
                at, condition.text("reason", "") + ": " + condition.text("message", ""));
          });
    }
    if (history.state() == PodState.PENDING) {
      Conditions.find(conditions, "PodScheduled")
          .filter(condition -> condition.text("status", "").equals("False"))
          .ifPresent(condition -> history.pending(condition.text("message", "")));
    }
  }

  /** Everything until now. Where time is real, to be asked once its loop has ended. */
  public Recording recording() {
    return new Recording(
        Duration.ofMillis(now()),
        List.copyOf(nodes),
        List.copyOf(pods),
        workloads,
        podStates,
        nodeStates,
        List.copyOf(emptied),
        allowed,
        List.copyOf(notes));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
