package dev.berth.controllers.statefulset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.InformerSet;
import dev.berth.client.Resources;
import dev.berth.controllers.history.Histories;
import dev.berth.controllers.history.HistorySync;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pods of StatefulSets; {@link dev.berth.policy.stateful.StatefulDecision} says which
 * come and go.
 *
 * <p>There is never more than one pod of a name: the server gives a name to one pod at a time, and
 * this controller deletes none by force. What it knows may be old; then its request is refused, and
 * it looks again.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable. A set is looked at by one
 * look at a time, which lasts until its requests have ended.
 */
public final class StatefulSets implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "statefulset-controller";

  private static final String KIND = "StatefulSet";
  private static final int LOOKS_AT_ONCE = 16;

  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final Histories histories;
  private final OwnedObjects pods;
  private final SetLook looks;
  private final Consumer<String> warnings;
  private final Map<ObjectName, TrackedSet> sets = new HashMap<>();

  private StatefulSets(ControllerParts parts) {
    Api api = parts.api();
    Time time = parts.time();
    loop = time.start("stateful-sets");
    warnings = parts.warnings();
    queue = new WorkQueue(parts, loop, "statefulset", LOOKS_AT_ONCE, this::look);
    histories = new Histories(api, loop, time, Resources.STATEFUL_SETS, Revision.HASH_LABEL);
    pods = new OwnedObjects(time);
    looks = new SetLook(parts, loop, queue, pods, histories);
    informers = new InformerSet(parts.informers(), loop, this::synced, warnings);
    informers
        .on(Resources.STATEFUL_SETS, this::setChanged)
        .on(Resources.CONTROLLER_REVISIONS, this::revisionChanged)
        .on(Resources.PODS, this::podChanged);
  }

  public static StatefulSets start(ControllerParts parts) {
    StatefulSets controller = new StatefulSets(parts);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    sets.keySet().forEach(queue::add);
  }

  private void touch(ObjectName name) {
    if (informers.isSynced() && sets.containsKey(name)) {
      queue.add(name);
    }
  }

  private void setChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      if (before != null) {
        sets.remove(ObjectName.of(before));
      }
      return;
    }
    ObjectName name = ObjectName.of(after);
    TrackedSet known = sets.get(name);
    if (known != null && known.uid.equals(Metadata.of(after).uid())) {
      known.become(after);
    } else {
      sets.put(name, new TrackedSet(after));
    }
    touch(name);
  }

  private void revisionChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    histories.changed(before, after);
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    Metadata metadata = Metadata.of(told);
    String owner = metadata.controller().map(OwnerReference::uid).orElse("");
    for (TrackedSet set : sets.values()) {
      boolean concerns =
          owner.isEmpty()
              ? set.name.namespace().equals(metadata.namespace())
              : set.uid.equals(owner);
      if (concerns) {
        set.historyIsCurrent = false;
        touch(set.name);
      }
    }
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (isOurs(before) || isOurs(after)) {
      pods.changed(isOurs(before) ? before : null, isOurs(after) ? after : null);
    }
    touchOwner(before);
    touchOwner(after);
  }

  /** Pods of other controllers are not kept. */
  private static boolean isOurs(@Nullable JsonObject pod) {
    return pod != null
        && Metadata.of(pod).controller().map(o -> o.kind().equals(KIND)).orElse(true);
  }

  private void touchOwner(@Nullable JsonObject pod) {
    if (pod == null) {
      return;
    }
    Metadata metadata = Metadata.of(pod);
    if (metadata.controller().isPresent()) {
      OwnerReference owner = metadata.controller().get();
      if (owner.kind().equals(KIND)) {
        touch(new ObjectName(metadata.namespace(), owner.name()));
      }
      return;
    }
    // An orphan is of interest to the set that its name would be given by.
    int dash = metadata.name().lastIndexOf('-');
    if (dash > 0) {
      touch(new ObjectName(metadata.namespace(), metadata.name().substring(0, dash)));
    }
  }

  private void look(ObjectName name, WorkQueue.Item item) {
    TrackedSet set = sets.get(name);
    if (set == null || !informers.isSynced()) {
      item.succeeded();
      return;
    }
    if (set.historyIsCurrent || set.isBeingDeleted()) {
      looks.begin(set, item);
      return;
    }
    JsonObject tree = set.tree;
    set.historyIsCurrent = true;
    histories.sync(tree, set.collisions, outcome -> historySynced(set, tree, outcome, item));
  }

  private void historySynced(
      TrackedSet set, JsonObject tree, HistorySync.Outcome outcome, WorkQueue.Item item) {
    switch (outcome) {
      case HistorySync.Current(Revision current, List<Revision> _) -> {
        if (set.tree.object("spec").equals(tree.object("spec"))) {
          set.update = current;
          looks.begin(set, item);
        } else {
          item.succeeded();
        }
      }
      case HistorySync.Collision(String _) -> {
        set.collisions++;
        set.historyIsCurrent = false;
        item.failed();
      }
      case HistorySync.Failed(ApiResult.Failure why) -> {
        set.historyIsCurrent = false;
        if (why instanceof ApiResult.Refused && !why.isConflict() && !why.isNotFound()) {
          warnings.accept(
              "cannot keep the revisions of statefulset %s: %s".formatted(set.name, why.message()));
        }
        item.failed();
      }
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
