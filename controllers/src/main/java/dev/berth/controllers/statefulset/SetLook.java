package dev.berth.controllers.statefulset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.EventRecorder;
import dev.berth.client.Resources;
import dev.berth.controllers.history.Histories;
import dev.berth.controllers.owned.Adoption;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.history.RevisionData;
import dev.berth.policy.owner.Ownership;
import dev.berth.policy.stateful.StatefulDecision;
import dev.berth.policy.stateful.StatefulIdentity;
import dev.berth.policy.stateful.StatefulPlan;
import dev.berth.policy.stateful.StatefulPlan.Action;
import dev.berth.policy.stateful.StatefulPod;
import dev.berth.policy.stateful.StatefulSpec;
import dev.berth.policy.stateful.StatefulStatus;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks at a set: adopts and lets go pods, decides, and does what was decided. Requests of a look
 * run in parallel; the look ends with the last of them.
 */
final class SetLook {
  private static final int AT_ONCE = 32;
  private static final Duration BETWEEN_STATUSES = Duration.ofMillis(250);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Api api;
  private final Adoption adoption;
  private final Loop loop;
  private final Time time;
  private final WorkQueue queue;
  private final OwnedObjects pods;
  private final Histories histories;
  private final BoundedRequests bounded;
  private final EventRecorder events;

  SetLook(
      ControllerParts parts, Loop loop, WorkQueue queue, OwnedObjects pods, Histories histories) {
    this.api = parts.api();
    this.adoption = new Adoption(api, Resources.STATEFUL_SETS, Resources.PODS);
    this.loop = loop;
    this.time = parts.time();
    this.queue = queue;
    this.pods = pods;
    this.histories = histories;
    this.bounded = new BoundedRequests(loop, AT_ONCE);
    this.events = new EventRecorder(api, loop, time, "statefulset-controller", parts.instance());
  }

  /** The requests of one look. */
  private final class Requests {
    private final WorkQueue.Item item;
    private int underWay = 1;
    private boolean failed;

    Requests(WorkQueue.Item item) {
      this.item = item;
    }

    void run(Supplier<ApiResult> request, Consumer<ApiResult> then) {
      underWay++;
      bounded.run(
          request,
          result -> {
            then.accept(result);
            ended();
          });
    }

    void fail() {
      failed = true;
    }

    /** Called once more than there are requests. */
    void ended() {
      if (--underWay == 0) {
        if (failed) {
          item.failed();
        } else {
          item.succeeded();
        }
      }
    }
  }

  void begin(TrackedSet set, WorkQueue.Item item) {
    Requests requests = new Requests(item);
    Ownership ownership =
        Ownership.of(set.tree, set.selector, pods.claimable(set.uid, set.name.namespace()));
    settleStrays(set, ownership, requests);
    if (set.update != null) {
      decide(set, set.update, ownership, requests);
    }
    requests.ended();
  }

  private void settleStrays(TrackedSet set, Ownership ownership, Requests requests) {
    JsonObject tree = set.tree;
    for (JsonObject pod : ownership.adopt()) {
      if (set.names(pod)) {
        requests.run(
            () -> adoption.adopt(tree, pod),
            result -> {
              if (result instanceof ApiResult.Done(JsonObject adopted)) {
                pods.changed(pod, adopted);
                queue.add(set.name);
              } else {
                failUnlessGone(result, requests);
              }
            });
      }
    }
    for (JsonObject pod : ownership.release()) {
      requests.run(
          () -> adoption.release(set.uid, pod), result -> failUnlessGone(result, requests));
    }
  }

  private static void failUnlessGone(ApiResult result, Requests requests) {
    if (!result.isDone() && !result.isNotFound()) {
      requests.fail();
    }
  }

  private void decide(TrackedSet set, Revision update, Ownership ownership, Requests requests) {
    Instant now = time.now();
    List<StatefulPod> members = new ArrayList<>();
    for (JsonObject pod : ownership.owned()) {
      if (set.names(pod)) {
        members.add(StatefulPod.read(pod, set.spec, pods.isBeingDeleted(pod)));
      }
    }
    List<Revision> revisions = histories.of(set.tree);
    String named = set.tree.object("status").text("currentRevision", "");
    Revision current =
        revisions.stream().filter(r -> r.name().equals(named)).findFirst().orElse(update);
    StatefulPlan plan =
        StatefulDecision.decide(set.spec, members, current.name(), update.name(), now);
    if (!set.isBeingDeleted()) {
      plan.actions().forEach(action -> act(set, action, current, update, requests));
      keepClaims(set, members, requests);
      plan.again().ifPresent(at -> queue.addAfter(set.name, Duration.between(now, at)));
      Set<String> used = used(members, current, update);
      histories.truncate(
          set.tree,
          revision -> used.contains(revision.name()),
          () -> queue.addAfter(set.name, RETRY));
    }
    writeStatus(
        set,
        StatefulStatus.of(
            set.tree,
            set.spec,
            plan.counts(),
            new StatefulStatus.Revisions(current.name(), update.name()),
            set.collisions),
        requests);
  }

  private static Set<String> used(List<StatefulPod> pods, Revision current, Revision update) {
    Set<String> used = new HashSet<>(Set.of(current.name()));
    used.add(update.name());
    pods.forEach(pod -> used.add(pod.revision()));
    return used;
  }

  private void act(
      TrackedSet set, Action action, Revision current, Revision update, Requests requests) {
    StatefulSpec spec = set.spec;
    StatefulRequests about = requests(set);
    switch (action) {
      case Action.Create(long ordinal, boolean old) -> {
        Revision revision = old ? current : update;
        JsonObject template = RevisionData.template(revision.data());
        JsonObject pod = StatefulIdentity.pod(set.tree, spec, template, revision.name(), ordinal);
        requests.run(
            () -> about.create(pod, ordinal), result -> created(set, pod, result, requests));
      }
      case Action.Delete(StatefulPod pod, StatefulPlan.Reason reason) -> {
        explain(set, pod, reason);
        requests.run(() -> about.delete(pod), result -> deleted(set, pod, result, requests));
      }
      case Action.Label(StatefulPod pod) ->
          requests.run(() -> about.label(pod), result -> failUnlessGone(result, requests));
      case Action.MakeClaims(StatefulPod pod) -> {
        if (!spec.claimTemplates().isEmpty()) {
          requests.run(
              () -> about.makeClaims(pod.ordinal(), false),
              result -> failUnlessGone(result, requests));
        }
      }
    }
  }

  private StatefulRequests requests(TrackedSet set) {
    JsonObject tree = set.tree;
    return new StatefulRequests(
        api,
        tree,
        set.spec,
        claim ->
            loop.after(
                Duration.ZERO,
                () ->
                    record(
                        tree,
                        true,
                        "Create",
                        "create Claim %s in StatefulSet %s success"
                            .formatted(Metadata.of(claim).name(), set.name.name()))));
  }

  private void explain(TrackedSet set, StatefulPod pod, StatefulPlan.Reason reason) {
    String name = Metadata.of(pod.tree()).name();
    switch (reason) {
      case FAILED ->
          events.record(
              set.tree,
              EventRecorder.Type.WARNING,
              "RecreatingFailedPod",
              "Recreating",
              "StatefulSet %s is recreating failed Pod %s".formatted(set.name, name));
      case SUCCEEDED ->
          events.record(
              set.tree,
              EventRecorder.Type.NORMAL,
              "RecreatingTerminatedPod",
              "Recreating",
              "StatefulSet %s is recreating terminated Pod %s".formatted(set.name, name));
      case SCALED_DOWN, OUTDATED -> {}
    }
  }

  private void created(TrackedSet set, JsonObject pod, ApiResult result, Requests requests) {
    String name = Metadata.of(pod).name();
    switch (result) {
      case ApiResult.Done(JsonObject made) -> {
        pods.created(made);
        record(set.tree, true, "Create", done("create", name, set));
        queue.add(set.name);
      }
      case ApiResult.Failure why -> {
        requests.fail();
        if (!why.isAlreadyExists()) {
          record(set.tree, false, "Create", failed("create", name, set, why));
        }
      }
    }
  }

  private void deleted(TrackedSet set, StatefulPod pod, ApiResult result, Requests requests) {
    String name = Metadata.of(pod.tree()).name();
    switch (result) {
      case ApiResult.Done _ -> {
        pods.deleted(pod.tree());
        record(set.tree, true, "Delete", done("delete", name, set));
      }
      case ApiResult.Failure why -> {
        if (!why.isNotFound() && !why.isConflict()) {
          record(set.tree, false, "Delete", failed("delete", name, set, why));
        }
        requests.fail();
      }
    }
  }

  private static String done(String verb, String pod, TrackedSet set) {
    return "%s Pod %s in StatefulSet %s successful".formatted(verb, pod, set.name.name());
  }

  private static String failed(String verb, String pod, TrackedSet set, ApiResult.Failure why) {
    return "%s Pod %s in StatefulSet %s failed error: %s"
        .formatted(verb, pod, set.name.name(), why.message());
  }

  private void record(JsonObject set, boolean successful, String verb, String note) {
    events.record(
        set,
        successful ? EventRecorder.Type.NORMAL : EventRecorder.Type.WARNING,
        (successful ? "Successful" : "Failed") + verb,
        verb,
        note);
  }

  /**
   * Gives the claims of pods that stay the owners that they should have, when the policy changed.
   */
  private void keepClaims(TrackedSet set, List<StatefulPod> members, Requests requests) {
    if (set.spec.claimTemplates().isEmpty() || set.spec.equals(set.claimsKeptFor)) {
      return;
    }
    StatefulSpec spec = set.spec;
    StatefulRequests about = requests(set);
    int[] left = {members.size()};
    if (members.isEmpty()) {
      return;
    }
    for (StatefulPod pod : members) {
      requests.run(
          () -> about.ownClaims(pod.ordinal(), pod.tree()),
          result -> {
            if (!result.isDone()) {
              requests.fail();
            } else if (--left[0] == 0) {
              set.claimsKeptFor = spec;
            }
          });
    }
  }

  private void writeStatus(TrackedSet set, JsonObject status, Requests requests) {
    if (status.equals(set.tree.object("status"))) {
      return;
    }
    Instant now = time.now();
    if (set.nextStatus.isAfter(now)) {
      queue.addAfter(set.name, Duration.between(now, set.nextStatus));
      return;
    }
    set.nextStatus = now.plus(BETWEEN_STATUSES);
    JsonObject written = set.tree.with("status", status);
    requests.run(
        () -> api.updateStatus(Resources.STATEFUL_SETS, written),
        result -> {
          if (result.isConflict()) {
            // Who changed it will be heard of.
            set.nextStatus = now;
            queue.addAfter(set.name, BETWEEN_STATUSES);
          } else {
            failUnlessGone(result, requests);
          }
        });
  }
}
