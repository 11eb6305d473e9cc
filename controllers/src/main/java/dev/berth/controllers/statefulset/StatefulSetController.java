package dev.berth.controllers.statefulset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.history.Histories;
import dev.berth.controllers.history.HistorySync;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.Memories;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.OwnershipRules;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.apps.StatefulSetSpec;
import dev.berth.model.apps.StatefulSetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.pod.RejectionBackoff;
import dev.berth.policy.reconcile.Note;
import dev.berth.policy.stateful.PodAction;
import dev.berth.policy.stateful.StatefulAction;
import dev.berth.policy.stateful.StatefulPlan;
import dev.berth.policy.stateful.StatefulPod;
import dev.berth.policy.stateful.StatefulSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pods of StatefulSets; {@link StatefulPlan} says which come and go. Before that, the
 * template has to have a revision.
 *
 * <p>There is never more than one pod of a name: the server gives a name to one pod at a time, and
 * this controller deletes none by force. What it knows may be old; then its request is refused, and
 * it tries again.
 */
public final class StatefulSetController
    implements Reconciler<StatefulSnapshot, StatefulAction, StatefulPlan>, OwnershipRules {
  /** The service account under which it works. */
  public static final String ACCOUNT = "statefulset-controller";

  private static final ObjectKind KIND = new ObjectKind(Resources.STATEFUL_SETS, "StatefulSet");

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(KIND, ACCOUNT, "statefulset", 16, 32, Duration.ofMillis(250));

  private final Api api;
  private final ReconcilerFrame<StatefulSnapshot, StatefulAction, StatefulPlan> frame;
  private final Histories histories;
  private final Memories<Memory> memories;

  /** What the objects do not say. */
  private static final class Memory {
    private Optional<StatefulSetSpec> claimsOwnedFor = Optional.empty();
    private RejectionBackoff rejections = RejectionBackoff.NONE;
  }

  private StatefulSetController(ControllerParts parts) {
    this.api = parts.api();
    this.frame = new ReconcilerFrame<>(parts, SETTINGS, this).owns(Resources.PODS, this);
    this.histories = new Histories(parts, frame, KIND, Revision.HASH_LABEL);
    this.memories = frame.remembers(Memory::new);
  }

  public static Controller start(ControllerParts parts) {
    return new StatefulSetController(parts).frame.start();
  }

  /** Only pods of a name that the set gives are its own. */
  @Override
  public boolean isMember(String set, JsonObject pod) {
    return StatefulSetView.ordinal(set, Metadata.of(pod).name()) >= 0;
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    histories.setChanged(before, after);
  }

  @Override
  public void prepare(Reconciliation run) {
    histories.prepare(run);
  }

  @Override
  public StatefulSnapshot snapshot(Reconciliation run, List<JsonObject> pods) {
    StatefulSetView set = StatefulSetView.read(run.object());
    OwnedObjects known = frame.owned();
    return new StatefulSnapshot(
        set,
        pods.stream().map(pod -> StatefulPod.read(pod, set, known.isBeingDeleted(pod))).toList(),
        histories.of(set.tree()),
        histories.latest(set.tree()).map(HistorySync.Current::current),
        histories.collisions(set.tree()),
        memories.of(set.tree()).claimsOwnedFor,
        memories.of(set.tree()).rejections);
  }

  @Override
  public StatefulPlan decide(StatefulSnapshot snapshot, Instant now) {
    return StatefulPlan.decide(snapshot, now);
  }

  @Override
  public boolean countsAfterActions() {
    return true;
  }

  @Override
  public void apply(Reconciliation run, StatefulAction action) {
    StatefulSetView set = StatefulSetView.read(run.object());
    StatefulRequests requests = new StatefulRequests(api, set, claim -> claimMade(run, claim));
    switch (action) {
      case StatefulAction.ManagePods manage ->
          manage.pods().forEach(change -> apply(run, requests, manage, change));
      case StatefulAction.OwnClaims(List<StatefulPod> pods) -> {
        memories.of(run.object()).claimsOwnedFor = Optional.of(set.spec());
        for (StatefulPod pod : pods) {
          run.request(
              () -> requests.ownClaims(pod.ordinal(), pod.tree()),
              result -> {
                if (result instanceof ApiResult.Failure why) {
                  memories.of(run.object()).claimsOwnedFor = Optional.empty();
                  run.fail("FailedUpdate", why);
                }
              });
        }
      }
    }
  }

  private void apply(
      Reconciliation run,
      StatefulRequests requests,
      StatefulAction.ManagePods manage,
      PodAction action) {
    switch (action) {
      case PodAction.Create(long ordinal, boolean isCurrent) -> {
        Revision revision = isCurrent ? manage.current() : manage.update();
        JsonObject pod = requests.pod(revision, ordinal);
        run.request(
            () -> requests.create(pod, ordinal),
            result -> {
              if (result instanceof ApiResult.Done(JsonObject made)) {
                frame.owned().created(made);
              }
              answered(run, "Create", pod, result, result.isAlreadyExists());
            });
      }
      case PodAction.Delete delete -> {
        StatefulPod pod = delete.pod();
        delete.note(ObjectName.of(run.object())).ifPresent(note -> run.event(note, "Recreating"));
        run.request(
            () -> requests.delete(pod),
            result -> {
              if (result.isDone()) {
                frame.owned().deleted(pod.tree());
              }
              boolean isMoot = result.isNotFound() || result.isConflict();
              answered(run, "Delete", pod.tree(), result, isMoot);
            });
      }
      case PodAction.Label(StatefulPod pod) ->
          run.request(
              () -> requests.label(pod),
              result -> {
                if (result instanceof ApiResult.Done(JsonObject labelled)) {
                  frame.owned().written(labelled);
                } else {
                  run.failUnlessGone("FailedUpdate", result);
                }
              });
      case PodAction.CreateClaims(StatefulPod pod) ->
          run.request(
              () -> requests.makeClaims(pod.ordinal(), false),
              result -> {
                run.failUnlessGone("FailedUpdate", result);
                // It may wait for something else: it is decided about again when it is heard of.
                run.waitForNews();
              });
    }
  }

  /**
   * Tells what became of a pod's creation or deletion.
   *
   * @param isMoot whether a failure only says that something has changed: that is not told
   */
  private static void answered(
      Reconciliation run, String verb, JsonObject pod, ApiResult result, boolean isMoot) {
    String what =
        "%s Pod %s in StatefulSet %s "
            .formatted(
                verb.toLowerCase(Locale.ROOT),
                Metadata.of(pod).name(),
                Metadata.of(run.object()).name());
    switch (result) {
      case ApiResult.Done _ ->
          run.event(Note.normal("Successful" + verb, what + "successful"), verb);
      case ApiResult.Failure why -> {
        if (!isMoot) {
          run.event(Note.warning("Failed" + verb, what + "failed error: " + why.message()), verb);
        }
        run.fail("Failed" + verb, why);
      }
    }
  }

  /** Called beside the loop. */
  private void claimMade(Reconciliation run, JsonObject claim) {
    frame
        .loop()
        .after(
            Duration.ZERO,
            () -> {
              String message =
                  "create Claim %s in StatefulSet %s success"
                      .formatted(Metadata.of(claim).name(), Metadata.of(run.object()).name());
              run.event(Note.normal("SuccessfulCreate", message), "Create");
            });
  }

  @Override
  public void ended(Reconciliation run, StatefulPlan plan) {
    memories.kept(run.object()).ifPresent(kept -> kept.rejections = plan.rejections());
  }

  @Override
  public void decided(Reconciliation run, StatefulPlan plan) {
    if (!plan.usedRevisions().isEmpty()) {
      histories.truncate(run.object(), revision -> plan.usedRevisions().contains(revision.name()));
    }
  }
}
