package dev.berth.controllers.history;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.Memories;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.history.RevisionPlan;
import dev.berth.policy.owner.Ownership;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The revisions of all sets of a controller. It hears of them, brings those of a set up to date
 * before the set is decided about ({@link RevisionPlan} says how), and deletes the oldest when
 * there are too many.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class Histories {
  private static final int AT_ONCE = 8;
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Api api;
  private final Consumer<String> warnings;
  private final ReconcilerFrame<?, ?, ?> frame;
  private final ObjectKind kind;
  private final String hashLabel;
  private final OwnedObjects revisions;
  private final BoundedRequests requests;
  private final Memories<State> states;

  /** What is known of the history of a set. */
  private static final class State {
    private boolean isCurrent;
    private Optional<HistorySync.Current> latest = Optional.empty();
    private long collisions;
  }

  /**
   * @param frame reconciles the sets, and from now on when their revisions change, too
   * @param hashLabel the label of a revision that says its hash
   */
  public Histories(
      ControllerParts parts, ReconcilerFrame<?, ?, ?> frame, ObjectKind kind, String hashLabel) {
    this.api = parts.api();
    this.warnings = parts.warnings();
    this.frame = frame;
    this.kind = kind;
    this.hashLabel = hashLabel;
    this.revisions = new OwnedObjects(parts.time());
    this.requests = new BoundedRequests(frame.loop(), AT_ONCE);
    this.states = frame.remembers(State::new);
    frame.watches(Resources.CONTROLLER_REVISIONS, this::revisionChanged);
  }

  /** News of a set; null if it was not or is no more. */
  public void setChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null && after != null && !before.object("spec").equals(after.object("spec"))) {
      states.of(after).isCurrent = false;
      states.of(after).latest = Optional.empty();
    }
  }

  private void revisionChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    revisions.changed(before, after);
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    Metadata revision = Metadata.of(told);
    Optional<String> owner = revision.controller().map(OwnerReference::uid);
    for (JsonObject set : frame.objects().values()) {
      Metadata metadata = Metadata.of(set);
      boolean concerns =
          owner
              .map(metadata.uid()::equals)
              .orElse(metadata.namespace().equals(revision.namespace()));
      if (concerns) {
        states.of(set).isCurrent = false;
        frame.add(ObjectName.of(set));
      }
    }
  }

  /** The revisions that a set owns. */
  public List<Revision> of(JsonObject set) {
    return revisions.of(Metadata.of(set).uid()).stream()
        .filter(tree -> !revisions.isBeingDeleted(tree))
        .map(Revision::read)
        .toList();
  }

  /** The revisions of a set's template; empty until they are known. */
  public Optional<HistorySync.Current> latest(JsonObject set) {
    return states.of(set).latest;
  }

  /** How many hashes turned out to be taken. */
  public long collisions(JsonObject set) {
    return states.of(set).collisions;
  }

  /** Makes the latest revision of a set be its template's, if that is not known to be so. */
  public void prepare(Reconciliation run) {
    JsonObject set = run.object();
    State state = states.of(set);
    long counted = set.object("status").integer("collisionCount").orElse(0);
    state.collisions = Math.max(state.collisions, counted);
    if (state.isCurrent || Metadata.of(set).isBeingDeleted()) {
      return;
    }
    state.isCurrent = true;
    HistorySync sync = new HistorySync(api, kind.resource(), hashLabel, set, ownership(set));
    requests.run(
        () -> sync.run(state.collisions),
        run.awaited(outcome -> {
          sync.written().forEach(this::written);
          synced(run, state, outcome);
        }));
  }

  private Ownership ownership(JsonObject set) {
    Metadata owner = Metadata.of(set);
    List<JsonObject> known =
        revisions.claimable(owner.uid(), owner.namespace()).stream()
            .filter(tree -> !revisions.isBeingDeleted(tree))
            .toList();
    return Ownership.of(set, LabelSelector.fromTree(set.object("spec").get("selector")), known);
  }

  /** What was written counts before it is heard of. */
  private void written(HistorySync.Write write) {
    if (write.before() == null) {
      revisions.created(write.after());
    } else {
      revisions.changed(write.before(), write.after());
    }
  }

  private void synced(Reconciliation run, State state, HistorySync.Outcome outcome) {
    ObjectName name = ObjectName.of(run.object());
    switch (outcome) {
      case HistorySync.Current current -> {
        JsonObject spec = run.object().object("spec");
        if (frame.objects().get(name).filter(now -> now.object("spec").equals(spec)).isPresent()) {
          state.latest = Optional.of(current);
        } else {
          run.startOver();
        }
      }
      case HistorySync.Collision(String _) -> {
        state.isCurrent = false;
        state.collisions++;
        run.retry();
      }
      case HistorySync.Failed(ApiResult.Failure why) -> {
        state.isCurrent = false;
        if (why instanceof ApiResult.Refused && !why.isConflict() && !why.isNotFound()) {
          String what = kind.kind().toLowerCase(Locale.ROOT) + " " + name;
          warnings.accept("cannot keep the revisions of %s: %s".formatted(what, why.message()));
        }
        run.fail("FailedSync", why);
      }
    }
  }

  /**
   * Deletes revisions of a set that are too many. What fails is tried again after a while.
   *
   * @param used whether a revision is needed
   */
  public void truncate(JsonObject set, Predicate<Revision> used) {
    long limit = set.object("spec").integer("revisionHistoryLimit").orElse(10);
    for (Revision revision : RevisionPlan.beyond(of(set), used, limit)) {
      revisions.deleted(revision.tree());
      ObjectName name = ObjectName.of(revision.tree());
      DeleteOptions only = DeleteOptions.NONE.onlyUid(revision.uid());
      requests.run(
          () -> api.delete(Resources.CONTROLLER_REVISIONS, name, only),
          result -> {
            if (!result.isDone() && !result.isNotFound()) {
              revisions.notDeleted(revision.tree());
              frame.addAfter(ObjectName.of(set), RETRY);
            }
          });
    }
  }
}
