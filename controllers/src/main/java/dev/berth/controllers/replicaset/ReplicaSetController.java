package dev.berth.controllers.replicaset;

import dev.berth.client.Resources;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.Memories;
import dev.berth.controllers.reconcile.OwnershipRules;
import dev.berth.controllers.reconcile.PodControl;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.core.PodTree;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.RejectionBackoff;
import dev.berth.policy.replicaset.Replica;
import dev.berth.policy.replicaset.ReplicaAction;
import dev.berth.policy.replicaset.ReplicaChange;
import dev.berth.policy.replicaset.ReplicaPlan;
import dev.berth.policy.replicaset.ReplicaSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps as many pods as replica sets say; {@link ReplicaPlan} says what that takes. What fails is
 * told in the set's status and by an event, and tried again.
 */
public final class ReplicaSetController
    implements Reconciler<ReplicaSnapshot, ReplicaAction, ReplicaPlan>, OwnershipRules {
  /** The service account under which it works. */
  public static final String ACCOUNT = "replicaset-controller";

  /** A set with more pods than this does not have its status written for each. */
  private static final int MANY = 50;

  private static final Optional<Duration> PACE = Optional.of(Duration.ofMillis(100));

  private final ReplicaKind kind;
  private final ReconcilerFrame<ReplicaSnapshot, ReplicaAction, ReplicaPlan> frame;
  private final Siblings siblings = new Siblings();
  private final Memories<Memory> memories;

  /** What the objects do not say. */
  private static final class Memory {
    private RejectionBackoff rejections = RejectionBackoff.NONE;
  }

  private ReplicaSetController(ControllerParts parts, ReplicaKind kind) {
    this.kind = kind;
    this.frame =
        new ReconcilerFrame<>(
            parts,
            new ReconcilerSettings(kind.objects(), kind.component(), kind.queue(), 64, 32),
            this);
    this.memories = frame.remembers(Memory::new);
  }

  public static Controller start(ControllerParts parts) {
    return start(parts, ReplicaKind.REPLICA_SET);
  }

  public static Controller start(ControllerParts parts, ReplicaKind kind) {
    ReplicaSetController controller = new ReplicaSetController(parts, kind);
    return controller.frame.owns(Resources.PODS, controller).start();
  }

  @Override
  public Optional<LabelSelector> selector(JsonObject set) {
    return kind.selector(set);
  }

  @Override
  public Optional<Duration> concernsOwner(
      @Nullable JsonObject before, @Nullable JsonObject after, int pods) {
    if (after == null) {
      return AT_ONCE;
    }
    ReplicaChange change =
        before == null
            ? ReplicaChange.STATUS
            : ReplicaChange.of(Replica.read(before), Replica.read(after));
    return switch (change) {
      case NOTHING -> NOT;
      case STATUS -> pods > MANY ? PACE : AT_ONCE;
      case COUNT -> AT_ONCE;
    };
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    siblings.changed(before, after);
  }

  @Override
  public ReplicaSnapshot snapshot(Reconciliation run, List<JsonObject> pods) {
    JsonObject set = run.object();
    return new ReplicaSnapshot(
        new ReplicaSetView(set),
        replicas(pods),
        () -> related(set),
        run.failure().map(why -> new ReplicaSnapshot.Failed(why.reason(), why.message())),
        memories.of(set).rejections);
  }

  private List<Replica> related(JsonObject set) {
    List<Replica> related = new ArrayList<>();
    siblings.of(set).forEach(uid -> related.addAll(replicas(frame.owned().of(uid))));
    return related;
  }

  private List<Replica> replicas(Collection<JsonObject> pods) {
    OwnedObjects known = frame.owned();
    return pods.stream()
        .map(pod -> new Replica(new PodTree(pod), known.isBeingDeleted(pod)))
        .toList();
  }

  @Override
  public ReplicaPlan decide(ReplicaSnapshot snapshot, Instant now) {
    return ReplicaPlan.decide(snapshot, now);
  }

  @Override
  public void ended(Reconciliation run, ReplicaPlan plan) {
    memories.kept(run.object()).ifPresent(kept -> kept.rejections = plan.rejections());
  }

  @Override
  public boolean countsAfterActions() {
    return true;
  }

  @Override
  public void apply(Reconciliation run, ReplicaAction action) {
    long wanted = new ReplicaSetView(run.object()).replicas();
    switch (action) {
      case ReplicaAction.Create(long count, JsonObject pod) ->
          PodControl.create(run, Collections.nCopies((int) count, pod), wanted);
      case ReplicaAction.Delete(List<JsonObject> pods) -> PodControl.delete(run, pods, wanted);
    }
  }
}
