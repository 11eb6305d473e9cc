package dev.berth.controllers.statefulset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.history.Histories;
import dev.berth.controllers.history.HistorySync;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.OwnershipRules;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.apps.StatefulSetSpec;
import dev.berth.model.apps.StatefulSetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.reconcile.Note;
import dev.berth.policy.stateful.PodAction;
import dev.berth.policy.stateful.StatefulAction;
import dev.berth.policy.stateful.StatefulPlan;
import dev.berth.policy.stateful.StatefulPod;
import dev.berth.policy.stateful.StatefulSnapshot;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(
          new ObjectKind(Resources.STATEFUL_SETS, "StatefulSet"), ACCOUNT, "statefulset", 16, 32);

  private static final Duration BETWEEN_STATUSES = Duration.ofMillis(250);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Api api;
  private final Time time;
  private final Consumer<String> warnings;
  private final ReconcilerFrame<StatefulSnapshot, StatefulAction, StatefulPlan> frame;
  private final Histories histories;

  /** By UID of the set. */
  private final Map<String, Memory> memories = new HashMap<>();

  /** What the objects do not say. */
  private static final class Memory {
    private boolean isHistoryCurrent;
    private Optional<Revision> update = Optional.empty();
    private long collisions;
    private Optional<StatefulSetSpec> claimsOwnedFor = Optional.empty();
    private Instant nextStatus = Instant.MIN;
  }

  private StatefulSetController(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.warnings = parts.warnings();
    this.frame =
        new ReconcilerFrame<>(parts, SETTINGS, this)
            .watches(Resources.CONTROLLER_REVISIONS, this::revisionChanged)
            .owns(Resources.PODS, this);
    this.histories =
        new Histories(api, frame.loop(), time, Resources.STATEFUL_SETS, Revision.HASH_LABEL);
  }

  public static Controller start(ControllerParts parts) {
    return new StatefulSetController(parts).frame.start();
  }

  /** Only pods of a name that the set gives are its own. */
  @Override
  public boolean isMember(JsonObject set, JsonObject pod) {
    return StatefulSetView.ordinal(Metadata.of(set).name(), Metadata.of(pod).name()) >= 0;
  }

  private Memory memory(JsonObject set) {
    return memories.computeIfAbsent(Metadata.of(set).uid(), _ -> new Memory());
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null && after == null) {
      memories.remove(Metadata.of(before).uid());
    } else if (before != null
        && after != null
        && !before.object("spec").equals(after.object("spec"))) {
      memory(after).isHistoryCurrent = false;
    }
  }

  private void revisionChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    histories.changed(before, after);
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
        memory(set).isHistoryCurrent = false;
        frame.add(ObjectName.of(set));
      }
    }
  }

  /** Makes the latest revision be the template's. */
  @Override
  public void prepare(Reconciliation run) {
    JsonObject set = run.object();
    Memory memory = memory(set);
    memory.collisions = Math.max(memory.collisions, StatefulSetView.read(set).collisionCount());
    if (memory.isHistoryCurrent || Metadata.of(set).isBeingDeleted()) {
      return;
    }
    memory.isHistoryCurrent = true;
    histories.sync(
        set, memory.collisions, run.awaited(outcome -> historySynced(run, memory, outcome)));
  }

  private void historySynced(Reconciliation run, Memory memory, HistorySync.Outcome outcome) {
    ObjectName name = ObjectName.of(run.object());
    switch (outcome) {
      case HistorySync.Current(Revision current, List<Revision> _) -> {
        JsonObject spec = run.object().object("spec");
        if (frame
            .objects()
            .get(name)
            .map(set -> set.object("spec"))
            .filter(spec::equals)
            .isEmpty()) {
          run.startOver();
        } else {
          memory.update = Optional.of(current);
        }
      }
      case HistorySync.Collision(String _) -> {
        memory.collisions++;
        memory.isHistoryCurrent = false;
        run.retry();
      }
      case HistorySync.Failed(ApiResult.Failure why) -> {
        memory.isHistoryCurrent = false;
        if (why instanceof ApiResult.Refused && !why.isConflict() && !why.isNotFound()) {
          warnings.accept(
              "cannot keep the revisions of statefulset %s: %s".formatted(name, why.message()));
        }
        run.fail("FailedSync", why);
      }
    }
  }

  @Override
  public StatefulSnapshot snapshot(Reconciliation run, List<JsonObject> pods) {
    StatefulSetView set = StatefulSetView.read(run.object());
    OwnedObjects known = frame.owned();
    Memory memory = memory(run.object());
    return new StatefulSnapshot(
        set,
        pods.stream().map(pod -> StatefulPod.read(pod, set, known.isBeingDeleted(pod))).toList(),
        histories.of(set.tree()),
        memory.update,
        memory.collisions,
        memory.claimsOwnedFor,
        memory.nextStatus);
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
        memory(run.object()).claimsOwnedFor = Optional.of(set.spec());
        for (StatefulPod pod : pods) {
          run.request(
              () -> requests.ownClaims(pod.ordinal(), pod.tree()),
              result -> {
                if (result instanceof ApiResult.Failure why) {
                  memory(run.object()).claimsOwnedFor = Optional.empty();
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
                  failUnlessGone(run, result);
                }
              });
      case PodAction.CreateClaims(StatefulPod pod) ->
          run.request(
              () -> requests.makeClaims(pod.ordinal(), false),
              result -> {
                failUnlessGone(run, result);
                // It may wait for something else: it is decided about again when it is heard of.
                run.waitForNews();
              });
    }
  }

  private static void failUnlessGone(Reconciliation run, ApiResult result) {
    if (result instanceof ApiResult.Failure why && !why.isNotFound()) {
      run.fail("FailedUpdate", why);
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
  public void decided(Reconciliation run, StatefulPlan plan) {
    JsonObject set = run.object();
    if (!plan.withStatus().equals(set)) {
      memory(set).nextStatus = time.now().plus(BETWEEN_STATUSES);
    }
    if (!plan.usedRevisions().isEmpty()) {
      histories.truncate(
          set,
          revision -> plan.usedRevisions().contains(revision.name()),
          () -> frame.addAfter(ObjectName.of(set), RETRY));
    }
  }
}
