package dev.berth.controllers.replicaset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.EventRecorder;
import dev.berth.client.Resources;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.SlowStart;
import dev.berth.controllers.WorkQueue;
import dev.berth.controllers.owned.Adoption;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.FromTemplate;
import dev.berth.policy.owner.Ownership;
import dev.berth.policy.replicaset.ReplicaCount;
import dev.berth.policy.replicaset.ReplicaPlan;
import dev.berth.policy.replicaset.ReplicaStatus;
import dev.berth.policy.replicaset.ReplicaStatus.Failed;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks at a set: claims pods, then creates or deletes some, then writes how it stands. What fails
 * is told in the set's status and by an event, and tried again.
 *
 * <p>It lives on its controller's loop.
 */
final class ReplicaLook {
  /** How many sets are looked at at once. */
  private static final int LOOKS_AT_ONCE = 64;

  private static final int REQUESTS_AT_ONCE = 32;
  private static final int FEW = 20;

  private final Api api;
  private final Time time;
  private final ReplicaKind kind;
  private final Heard heard;
  private final OwnedObjects pods;
  private final BoundedRequests requests;

  /** Not behind all the pods of others. */
  private final BoundedRequests statuses;

  private final EventRecorder events;
  private final WorkQueue queue;

  /** UIDs of sets that may have pods to adopt. */
  private final Set<String> adopting = new HashSet<>();

  ReplicaLook(ControllerParts parts, Loop loop, ReplicaKind kind, Heard heard) {
    this.api = parts.api();
    this.time = parts.time();
    this.kind = kind;
    this.heard = heard;
    this.pods = heard.pods();
    this.requests = new BoundedRequests(loop, REQUESTS_AT_ONCE);
    this.statuses = new BoundedRequests(loop, REQUESTS_AT_ONCE);
    this.events = new EventRecorder(api, loop, time, kind.component(), parts.instance());
    this.queue = new WorkQueue(loop, time, LOOKS_AT_ONCE, this::look);
  }

  WorkQueue queue() {
    return queue;
  }

  /** There may be pods that nobody controls and this set selects. */
  void lookForOrphans(String uid) {
    adopting.add(uid);
  }

  void forget(String uid) {
    adopting.remove(uid);
  }

  private void look(ObjectName name, WorkQueue.Look look) {
    heard.sets().get(name).ifPresentOrElse(set -> look(set, look), look::succeeded);
  }

  private void look(JsonObject set, WorkQueue.Look look) {
    Metadata metadata = Metadata.of(set);
    Collection<JsonObject> candidates =
        adopting.contains(metadata.uid())
            ? pods.claimable(metadata.uid(), metadata.namespace())
            : pods.of(metadata.uid());
    Ownership ownership = Ownership.of(set, kind.selector(set), candidates);
    if (ownership.adopt().isEmpty()) {
      adopting.remove(metadata.uid());
    }
    if (!ownership.adopt().isEmpty() || !ownership.release().isEmpty()) {
      claim(set, ownership, look);
      return;
    }
    ReplicaPlan plan =
        ReplicaPlan.decide(
            set, ownership.owned(), pods::isBeingDeleted, () -> related(set), time.now());
    if (plan.create() > 0) {
      create(set, plan.create(), look);
    } else if (!plan.delete().isEmpty()) {
      delete(set, plan.delete(), look);
    } else {
      write(set, plan.count(), Optional.empty(), look);
    }
  }

  private Collection<JsonObject> related(JsonObject set) {
    List<JsonObject> related = new ArrayList<>();
    heard.siblings().of(set).forEach(uid -> related.addAll(pods.of(uid)));
    return related;
  }

  /** Has all of these done, and then the set looked at again. */
  private void claim(JsonObject set, Ownership ownership, WorkQueue.Look look) {
    List<Supplier<ApiResult>> tasks = new ArrayList<>();
    String uid = Metadata.of(set).uid();
    ownership
        .adopt()
        .forEach(
            pod -> tasks.add(() -> Adoption.adopt(api, kind.resource(), set, Resources.PODS, pod)));
    ownership
        .release()
        .forEach(pod -> tasks.add(() -> Adoption.release(api, uid, Resources.PODS, pod)));
    // What is moot will be heard of; until then the same claims would be made again and again.
    boolean[] isMoot = {false};
    all(
        tasks,
        (_, result) -> {
          if (result instanceof ApiResult.Done(JsonObject pod) && !pod.isEmpty()) {
            pods.written(pod);
          } else {
            isMoot[0] = true;
          }
        },
        _ -> {
          if (isMoot[0]) {
            look.failed();
          } else {
            queue.add(ObjectName.of(set));
            look.succeeded();
          }
        });
  }

  private void create(JsonObject set, long count, WorkQueue.Look look) {
    JsonObject pod = FromTemplate.pod(set, set.object("spec").object("template"));
    SlowStart.run(
        requests,
        count,
        () -> api.create(Resources.PODS, pod),
        result -> created(set, result),
        failure -> done(set, failure, "FailedCreate", look));
  }

  private void created(JsonObject set, ApiResult result) {
    switch (result) {
      case ApiResult.Done(JsonObject made) -> {
        pods.created(made);
        tell(set, made, "SuccessfulCreate", "Create", "Created pod: ");
      }
      case ApiResult.Failure why -> {
        if (!why.isNamespaceGoing()) {
          String note = "Error creating: " + why.message();
          events.record(set, EventRecorder.Type.WARNING, "FailedCreate", "Create", note);
        }
      }
    }
  }

  /** A set of few pods has an event for each; one of many has one that counts them. */
  private void tell(JsonObject set, JsonObject pod, String reason, String action, String note) {
    boolean few = set.object("spec").integer("replicas").orElse(1) <= FEW;
    events.record(
        new EventRecorder.EventDetails(
            set,
            few ? pod : JsonObject.EMPTY,
            EventRecorder.Type.NORMAL,
            reason,
            action,
            note + Metadata.of(pod).name()));
  }

  private void delete(JsonObject set, List<JsonObject> surplus, WorkQueue.Look look) {
    List<Supplier<ApiResult>> tasks = new ArrayList<>();
    for (JsonObject pod : surplus) {
      DeleteOptions options = DeleteOptions.NONE.onlyUid(Metadata.of(pod).uid());
      tasks.add(() -> {
        ApiResult result = api.delete(Resources.PODS, ObjectName.of(pod), options);
        // A conflict may mean that another has its name, and may not: then it is tried again.
        return result.isNotFound() ? new ApiResult.Done(JsonObject.EMPTY) : result;
      });
    }
    all(
        tasks,
        (index, result) -> deleted(set, surplus.get(index), result),
        failure -> done(set, failure, "FailedDelete", look));
  }

  private void deleted(JsonObject set, JsonObject pod, ApiResult result) {
    switch (result) {
      case ApiResult.Done(JsonObject told) -> {
        pods.deleted(pod);
        if (!told.isEmpty()) {
          tell(set, pod, "SuccessfulDelete", "Delete", "Deleted pod: ");
        }
      }
      case ApiResult.Failure why -> {
        String note = "Error deleting: " + why.message();
        events.record(set, EventRecorder.Type.WARNING, "FailedDelete", "Delete", note);
      }
    }
  }

  /** Takes what became of one of several requests. */
  private interface Answered {
    void accept(int index, ApiResult result);
  }

  private void all(
      List<Supplier<ApiResult>> tasks,
      Answered answered,
      Consumer<Optional<ApiResult.Failure>> ended) {
    List<ApiResult.Failure> failures = new ArrayList<>();
    int[] left = {tasks.size()};
    for (int i = 0; i < tasks.size(); i++) {
      int index = i;
      requests.run(
          tasks.get(i),
          result -> {
            if (result instanceof ApiResult.Failure why) {
              failures.add(why);
            }
            answered.accept(index, result);
            left[0]--;
            if (left[0] == 0) {
              ended.accept(failures.stream().findFirst());
            }
          });
    }
  }

  /** Pods were created or deleted, or not: writes how the set stands now. */
  private void done(
      JsonObject set, Optional<ApiResult.Failure> failure, String reason, WorkQueue.Look look) {
    ObjectName name = ObjectName.of(set);
    String uid = Metadata.of(set).uid();
    Optional<JsonObject> now =
        heard.sets().get(name).filter(is -> Metadata.of(is).uid().equals(uid));
    if (now.isEmpty()) {
      look.succeeded();
      return;
    }
    if (failure.isEmpty()) {
      // There may be more to do than one look does.
      queue.add(name);
    }
    LabelSelector selector = kind.selector(now.get());
    List<JsonObject> owned =
        pods.of(uid).stream().filter(pod -> selector.matches(Metadata.of(pod).labels())).toList();
    ReplicaCount count = ReplicaPlan.count(now.get(), owned, pods::isBeingDeleted, time.now());
    // In a namespace that is being deleted nothing can be created, and nothing need be.
    Optional<Failed> failed =
        failure
            .filter(why -> !why.isNamespaceGoing())
            .map(why -> new Failed(reason, why.message()));
    write(now.get(), count, failed, look);
  }

  private void write(
      JsonObject set, ReplicaCount count, Optional<Failed> failure, WorkQueue.Look look) {
    ObjectName name = ObjectName.of(set);
    count.nextAvailable().ifPresent(at -> queue.addAfter(name, Duration.between(time.now(), at)));
    pods.takesBackAt()
        .ifPresent(at -> queue.addAfter(name, Duration.between(time.monotonicNow(), at)));
    JsonObject status = ReplicaStatus.of(set, count, failure, time.now());
    if (status.equals(set.object("status"))) {
      end(failure, look);
      return;
    }
    statuses.run(
        () -> api.updateStatus(kind.resource(), set.with("status", status)),
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject written) -> {
              heard.sets().written(kind.named(written));
              end(failure, look);
            }
            case ApiResult.Failure why -> {
              if (why.isNotFound()) {
                look.succeeded();
              } else {
                look.failed();
              }
            }
          }
        });
  }

  private static void end(Optional<Failed> failure, WorkQueue.Look look) {
    if (failure.isPresent()) {
      look.failed();
    } else {
      look.succeeded();
    }
  }
}
