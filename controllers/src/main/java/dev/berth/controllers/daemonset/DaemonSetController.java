package dev.berth.controllers.daemonset;

import dev.berth.client.Resources;
import dev.berth.controllers.history.Histories;
import dev.berth.controllers.history.HistorySync;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.OwnershipRules;
import dev.berth.controllers.reconcile.PodControl;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.core.DaemonSetView;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.daemon.DaemonAction;
import dev.berth.policy.daemon.DaemonNode;
import dev.berth.policy.daemon.DaemonNode.Removal;
import dev.berth.policy.daemon.DaemonPlan;
import dev.berth.policy.daemon.DaemonPodSpec;
import dev.berth.policy.daemon.DaemonSnapshot;
import dev.berth.policy.history.Revision;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one pod of each DaemonSet on every node that it is for; {@link DaemonPlan} says what that
 * takes. Before that, the template has to have a revision, whose hash its pods are labelled with.
 *
 * <p>A pod that changes costs as much as its node. A node that changes costs as much as there are
 * DaemonSets, and nothing if its labels, taints and state are what they were. The back-off of
 * failing pods begins anew after a restart.
 */
public final class DaemonSetController
    implements Reconciler<DaemonSnapshot, DaemonAction, DaemonPlan>,
        OwnershipRules,
        OwnedObjects.Listener {
  /** The service account under which it works. */
  public static final String ACCOUNT = "daemon-set-controller";

  private static final ObjectKind KIND = new ObjectKind(Resources.DAEMON_SETS, "DaemonSet");

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(
          KIND, "daemonset-controller", "daemonset", 16, 32, Duration.ofMillis(250));

  /** Its events count its pods, however few there are. */
  private static final long MANY = Long.MAX_VALUE;

  private final DaemonSetSettings settings;
  private final TolerationRules tolerations;
  private final Time time;
  private final ReconcilerFrame<DaemonSnapshot, DaemonAction, DaemonPlan> frame;
  private final Histories histories;
  private final Map<String, NodeView> nodes = new LinkedHashMap<>();

  /** By UID of the set. */
  private final Map<String, DaemonSetState> states = new LinkedHashMap<>();

  private DaemonSetController(
      ControllerParts parts, DaemonSetSettings settings, TolerationRules tolerations) {
    this.settings = settings;
    this.tolerations = tolerations;
    this.time = parts.time();
    this.frame =
        new ReconcilerFrame<>(parts, SETTINGS, this)
            .watches(Resources.NODES, this::nodeChanged)
            .owns(Resources.PODS, this);
    this.histories = new Histories(parts, frame, KIND, WellKnownLabels.CONTROLLER_REVISION_HASH);
  }

  public static Controller start(
      ControllerParts parts, DaemonSetSettings settings, TolerationRules tolerations) {
    return new DaemonSetController(parts, settings, tolerations).frame.start();
  }

  @Override
  public Optional<OwnedObjects.Listener> index() {
    return Optional.of(this);
  }

  @Override
  public void came(String setUid, JsonObject pod) {
    Optional.ofNullable(states.get(setUid)).ifPresent(state -> state.came(pod));
  }

  @Override
  public void left(String setUid, JsonObject pod) {
    Optional.ofNullable(states.get(setUid)).ifPresent(state -> state.left(pod));
  }

  /** Two pods on a node may get in each other's way. */
  @Override
  public boolean asksAfterLostAnswers() {
    return true;
  }

  @Override
  public boolean isToBeReconciled(JsonObject set) {
    return !Metadata.of(set).isBeingDeleted();
  }

  private DaemonSetState state(JsonObject set) {
    String uid = Metadata.of(set).uid();
    DaemonSetState known = states.get(uid);
    if (known != null) {
      return known;
    }
    DaemonSetState state = new DaemonSetState(ObjectName.of(set));
    states.put(uid, state);
    frame.owned().of(uid).forEach(state::came);
    return state;
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    histories.setChanged(before, after);
    if (after != null) {
      if (before == null || !before.object("spec").equals(after.object("spec"))) {
        state(after).allChanged(nodes.keySet());
      }
    } else if (before != null) {
      states.remove(Metadata.of(before).uid());
    }
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      NodeView node = NodeView.read(after);
      NodeView known = nodes.put(node.name(), node);
      if (known == null || !DaemonNode.isSame(known, node)) {
        states.values().forEach(state -> nodeChanged(state, node.name()));
      }
    } else if (before != null) {
      String name = Metadata.of(before).name();
      nodes.remove(name);
      states.values().forEach(state -> nodeChanged(state, name));
    }
  }

  private void nodeChanged(DaemonSetState state, String node) {
    state.changed(node);
    frame.add(state.name());
  }

  @Override
  public void prepare(Reconciliation run) {
    histories.prepare(run);
  }

  @Override
  public DaemonSnapshot snapshot(Reconciliation run, List<JsonObject> unused) {
    JsonObject set = run.object();
    Set<String> revisions =
        histories.latest(set).stream()
            .flatMap(latest -> latest.same().stream())
            .map(Revision::hash)
            .collect(Collectors.toSet());
    DaemonSetState state = state(set);
    state.revisionsAre(revisions);
    return new DaemonSnapshot(
        DaemonSetView.read(set),
        revisions,
        histories.collisions(set),
        tolerations,
        state.changed(nodes, frame.owned()),
        state.countsOfOthers(),
        state.outdated());
  }

  @Override
  public DaemonPlan decide(DaemonSnapshot snapshot, Instant now) {
    return DaemonPlan.decide(snapshot, now);
  }

  @Override
  public boolean countsAfterActions() {
    return true;
  }

  @Override
  public void apply(Reconciliation run, DaemonAction action) {
    switch (action) {
      case DaemonAction.ManagePods(List<String> create, List<Removal> remove) -> {
        delete(run, remove);
        create(run, create);
      }
    }
  }

  private void delete(Reconciliation run, List<Removal> remove) {
    String namespace = Metadata.of(run.object()).namespace();
    DaemonSetState state = state(run.object());
    for (Removal removal : remove) {
      state.changed(removal.pod().node());
      if (removal.reason() == DaemonNode.Reason.FAILED) {
        state.failed(removal.pod().node(), time.now());
      }
      removal.note(namespace).ifPresent(note -> run.event(note, "Delete"));
    }
    PodControl.delete(
        run,
        remove.stream()
            .flatMap(removal -> frame.owned().get(removal.pod().uid()).stream())
            .toList(),
        MANY);
  }

  private void create(Reconciliation run, List<String> on) {
    DaemonSetView set = DaemonSetView.read(run.object());
    DaemonSetState state = state(run.object());
    String hash =
        histories.latest(set.tree()).map(HistorySync.Current::current).orElseThrow().hash();
    on.forEach(state::changed);
    PodControl.create(
        run,
        on.stream().map(node -> DaemonPodSpec.pod(set, node, hash, settings.scheduled())).toList(),
        MANY);
  }

  @Override
  public void decided(Reconciliation run, DaemonPlan plan) {
    JsonObject set = run.object();
    DaemonSetState state = state(set);
    plan.verdicts()
        .forEach((node, verdict) ->
            state.decided(node, verdict).ifPresent(at -> decideAgain(state, node, at)));
    histories.latest(set).ifPresent(_ -> histories.truncate(set, state::uses));
  }

  private void decideAgain(DaemonSetState state, String node, Instant at) {
    frame
        .loop()
        .after(
            Duration.between(time.now(), at),
            () -> {
              state.isDue(node);
              frame.add(state.name());
            });
  }
}
