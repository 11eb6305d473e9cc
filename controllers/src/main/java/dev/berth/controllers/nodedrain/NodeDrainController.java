package dev.berth.controllers.nodedrain;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.Informers;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.Memories;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.core.PodTree;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.drain.DrainNode;
import dev.berth.model.drain.DrainSpec;
import dev.berth.model.drain.DrainStatus;
import dev.berth.model.drain.NodeProgress;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.drain.DrainAction;
import dev.berth.policy.drain.DrainPlan;
import dev.berth.policy.drain.DrainSnapshot;
import dev.berth.policy.reconcile.Note;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out NodeDrains as {@link DrainPlan} says: cordons nodes, evicts their pods within
 * budgets, and tells in the status how far it is.
 *
 * <p>All that matters is in the objects: the drain's status, and on each node the mark of the drain
 * that has cordoned it. Which evictions were refused is only remembered; whoever starts afresh asks
 * again.
 */
public final class NodeDrainController
    implements Reconciler<DrainSnapshot, DrainAction, DrainPlan> {
  /** The service account under which it works. */
  public static final String ACCOUNT = "nodedrain-controller";

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(
          new ObjectKind(NodeDrainDefinition.NODE_DRAINS, NodeDrainDefinition.KIND),
          ACCOUNT,
          "nodedrain",
          4,
          16);

  private final Time time;
  private final DrainRequests requests;
  private final ReconcilerFrame<DrainSnapshot, DrainAction, DrainPlan> frame;
  private final Memories<TriedPods> tried;
  private final EventRecorder nodeEvents;
  private final KnownObjects nodes = new KnownObjects();

  /** By node and UID, in the order in which they were first seen. */
  private final Map<String, Map<String, JsonObject>> pods = new HashMap<>();

  /** The nodes of each drain that is not over. */
  private final Map<ObjectName, Set<String>> nodesOf = new LinkedHashMap<>();

  private NodeDrainController(ControllerParts parts) {
    this.time = parts.time();
    this.requests = new DrainRequests(parts.api());
    this.frame =
        new ReconcilerFrame<>(parts, SETTINGS, this)
            .watches(Resources.NODES, this::nodeChanged)
            .watches(Resources.PODS, this::podChanged)
            .watches(Resources.POD_DISRUPTION_BUDGETS, this::budgetChanged);
    this.tried = frame.remembers(TriedPods::new);
    this.nodeEvents = EventRecorder.counting(parts.api(), frame.loop(), time, ACCOUNT);
  }

  /** Runs while the resource is defined. */
  public static Controller start(ControllerParts parts) {
    // Nobody shares the drains themselves, and their watch ends with their definition.
    Informers own = Informers.separate(parts.api(), parts.time());
    Informers informers =
        (what, loop, listener) ->
            (what.resource().equals(NodeDrainDefinition.NODE_DRAINS) ? own : parts.informers())
                .follow(what, loop, listener);
    ControllerParts mixed =
        new ControllerParts(
            parts.api(), informers, parts.time(), parts.metrics(), parts.warnings());
    return WhileDefined.run(parts, () -> new NodeDrainController(mixed).frame.start());
  }

  @Override
  public boolean isToBeReconciled(JsonObject drain) {
    DrainStatus.Phase phase = DrainStatus.read(drain).phase();
    return !phase.isOver()
        || (DrainSpec.read(drain).cancelled() && phase != DrainStatus.Phase.CANCELLED);
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      remember(after);
    } else if (before != null) {
      nodesOf.remove(ObjectName.of(before));
    }
  }

  /** Before the watch tells of it, so that no news of pods is missed meanwhile. */
  @Override
  public void decided(Reconciliation run, DrainPlan plan) {
    remember(plan.withStatus());
  }

  private void remember(JsonObject drain) {
    ObjectName name = ObjectName.of(drain);
    if (isToBeReconciled(drain)) {
      nodesOf.put(
          name,
          DrainStatus.read(drain).nodes().stream()
              .map(NodeProgress::name)
              .collect(Collectors.toSet()));
    } else {
      nodesOf.remove(name);
    }
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    Optional<JsonObject> known = nodes.get(name);
    nodes.changed(before, after);
    Optional<JsonObject> now = nodes.get(name);
    boolean matters = known.isEmpty() || now.isEmpty() || !isAlike(known.get(), now.get());
    if (matters) {
      drainsOf(name.name()).forEach(frame::add);
    }
  }

  private static boolean isAlike(JsonObject one, JsonObject other) {
    DrainNode before = DrainNode.read(one);
    DrainNode after = DrainNode.read(other);
    return before.unschedulable() == after.unschedulable() && before.mark().equals(after.mark());
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    String node = told == null ? "" : new PodTree(told).nodeName();
    if (told == null || node.isEmpty()) {
      return;
    }
    String uid = Metadata.of(told).uid();
    Map<String, JsonObject> there = pods.computeIfAbsent(node, _ -> new LinkedHashMap<>());
    if (after != null) {
      there.put(uid, after);
    } else {
      there.remove(uid);
      if (there.isEmpty()) {
        pods.remove(node);
      }
    }
    for (ObjectName drain : drainsOf(node)) {
      if (after == null) {
        frame.objects().get(drain).ifPresent(known -> tried.of(known).forget(uid));
      }
      frame.add(drain);
    }
  }

  private List<ObjectName> drainsOf(String node) {
    return nodesOf.isEmpty()
        ? List.of()
        : nodesOf.entrySet().stream()
            .filter(entry -> entry.getValue().contains(node))
            .map(Map.Entry::getKey)
            .toList();
  }

  private void budgetChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null || nodesOf.isEmpty()) {
      return;
    }
    PodDisruptionBudgetView budget = PodDisruptionBudgetView.read(told);
    long most = after == null ? Long.MAX_VALUE : budget.status().disruptionsAllowed();
    if (most <= 0) {
      return;
    }
    for (ObjectName name : List.copyOf(nodesOf.keySet())) {
      boolean concerned =
          frame.objects().get(name).filter(d -> tried.of(d).allowed(budget, most)).isPresent();
      if (concerned) {
        frame.add(name);
      }
    }
  }

  @Override
  public DrainSnapshot snapshot(Reconciliation run, List<JsonObject> owned) {
    JsonObject drain = run.object();
    DrainStatus status = DrainStatus.read(drain);
    SortedMap<String, DrainNode> seen = new TreeMap<>();
    Map<String, List<PodTree>> there = new HashMap<>();
    if (status.startTime() == null) {
      nodes.values().forEach(node -> seen.put(Metadata.of(node).name(), DrainNode.read(node)));
    }
    for (NodeProgress progress : status.nodes()) {
      Optional<JsonObject> node = nodes.get(ObjectName.of(progress.name()));
      if (node.isPresent()) {
        seen.put(progress.name(), DrainNode.read(node.get()));
        there.put(
            progress.name(),
            pods.getOrDefault(progress.name(), Map.of()).values().stream()
                .map(PodTree::new)
                .toList());
      }
    }
    return new DrainSnapshot(
        drain, DrainSpec.read(drain), status, seen, there, tried.of(drain).attempts());
  }

  @Override
  public DrainPlan decide(DrainSnapshot snapshot, Instant now) {
    return DrainPlan.decide(snapshot, now);
  }

  /** The status tells which evictions were refused. */
  @Override
  public boolean countsAfterActions() {
    return true;
  }

  @Override
  public void apply(Reconciliation run, DrainAction action) {
    switch (action) {
      case DrainAction.Cordon(DrainNode node) -> {
        String uid = Metadata.of(run.object()).uid();
        write(run, node, () -> requests.cordon(node, uid), "Cordoned");
      }
      case DrainAction.Uncordon(DrainNode node) ->
          write(run, node, () -> requests.uncordon(node), "Uncordoned");
      case DrainAction.Evict(List<PodTree> leaving) -> end(run, leaving, true);
      case DrainAction.Delete(List<PodTree> leaving) -> end(run, leaving, false);
    }
  }

  private void write(
      Reconciliation run, DrainNode node, Supplier<ApiResult> request, String reason) {
    run.request(
        request,
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject written) -> {
              nodes.written(written);
              tell(
                  node.tree(),
                  Note.normal(
                      reason,
                      "%s by NodeDrain %s".formatted(reason, Metadata.of(run.object()).name())));
            }
            case ApiResult.Failure why -> {
              if (!why.isNotFound()) {
                run.fail("Failed" + reason, why);
              }
            }
          }
        });
  }

  private void end(Reconciliation run, List<PodTree> leaving, boolean isEviction) {
    DrainSpec spec = DrainSpec.read(run.object());
    TriedPods attempts = tried.of(run.object());
    Instant now = time.now();
    for (PodTree pod : leaving) {
      run.request(
          () ->
              isEviction
                  ? requests.evict(pod.tree(), spec)
                  : requests.delete(pod.tree(), spec, now),
          result -> attempts.answered(pod.tree(), isEviction, result, time.now()));
    }
  }

  @Override
  public void statusWritten(Reconciliation run, DrainPlan plan) {
    plan.nodeNotes().forEach(note -> tell(note.node(), note.note()));
  }

  private void tell(JsonObject node, Note note) {
    nodeEvents.record(
        node.with("kind", "Node").with("apiVersion", "v1"),
        note.isWarning() ? EventRecorder.Type.WARNING : EventRecorder.Type.NORMAL,
        note.reason(),
        "Drain",
        note.message());
  }
}
