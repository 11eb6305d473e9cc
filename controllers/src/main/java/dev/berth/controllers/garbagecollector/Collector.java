package dev.berth.controllers.garbagecollector;

import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.controllers.garbagecollector.Node.Identity;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.garbage.Garbage;
import dev.berth.policy.garbage.Garbage.Dependents;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Reconciles objects of the graph: has done what is to be done about them. What fails is reconciled
 * again. Lives on the collector's loop.
 */
final class Collector {
  private static final int CALLS_AT_ONCE = 32;
  private static final int ABSENT_OWNERS = 4_096;

  /** How soon an owner that is there should have been heard of. */
  private static final Duration HEARD_OF_WITHIN = Duration.ofSeconds(10);

  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);

  private final Time time;
  private final Consumer<String> warnings;
  private final Graph graph;
  private final Monitors monitors;
  private final Graph.Listener listener;
  private final Changes changes;
  private final BoundedRequests requests;
  private final WorkQueue queue;

  /** Those that nobody could decide about, until other kinds are served. */
  private final Set<String> undecidable = new LinkedHashSet<>();

  /** Those that are to be reconciled once everything has been heard of. */
  private final Set<String> postponed = new LinkedHashSet<>();

  /** Owners that are gone; UIDs do not come back. Those that were not asked for lately go first. */
  private final Set<OwnerKey> absent =
      Collections.newSetFromMap(
          new LinkedHashMap<OwnerKey, Boolean>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<OwnerKey, Boolean> eldest) {
              return size() > ABSENT_OWNERS;
            }
          });

  private Instant nextComplaint = Instant.MIN;

  /**
   * What it goes by.
   *
   * @param listener is told of references into other namespaces
   */
  record Sources(Graph graph, Monitors monitors, Graph.Listener listener) {}

  Collector(ControllerParts parts, Loop loop, int concurrentSyncs, Sources sources) {
    this.time = parts.time();
    this.warnings = parts.warnings();
    this.graph = sources.graph();
    this.monitors = sources.monitors();
    this.listener = sources.listener();
    this.changes = new Changes(parts.api());
    this.requests = new BoundedRequests(loop, CALLS_AT_ONCE);
    // UIDs tell objects apart whatever they are, so they stand in for names.
    this.queue =
        new WorkQueue(
            parts,
            loop,
            "garbage_collector_attempt_to_delete",
            concurrentSyncs,
            (name, item) -> reconcile(name.name(), item));
  }

  void add(String uid) {
    if (monitors.isSynced()) {
      queue.add(ObjectName.of(uid));
    } else {
      postponed.add(uid);
    }
  }

  /** Everything has been heard of, so that what is missing is not there. */
  void synced() {
    postponed.forEach(uid -> queue.add(ObjectName.of(uid)));
    postponed.clear();
  }

  /** Other kinds are served than before. */
  void kindsChanged() {
    List<String> again = List.copyOf(undecidable);
    undecidable.clear();
    again.forEach(this::add);
  }

  void gone(Identity identity, String uid) {
    absent.add(new OwnerKey(identity.served().resource(), identity.name(), uid));
  }

  private void reconcile(String uid, WorkQueue.Item item) {
    Node node = graph.get(uid);
    Identity identity = node == null ? null : node.identity;
    if (node == null || identity == null) {
      undecidable.remove(uid);
      item.succeeded();
    } else if (!monitors.isSynced()) {
      postponed.add(uid);
      item.succeeded();
    } else if (node.orphansDependents) {
      orphan(node, identity, item);
    } else if (node.awaitsDependents) {
      await(node, identity, item);
    } else if (graph.isSettled(node)) {
      item.succeeded();
    } else {
      attemptToDelete(node, identity, item);
    }
  }

  private void attemptToDelete(Node node, Identity identity, WorkQueue.Item item) {
    List<OwnerReference> references = node.owners;
    Set<OwnerKey> known = new HashSet<>();
    for (OwnerReference reference : references) {
      OwnerKey key = monitors.kinds().owner(reference, identity.name().namespace()).orElse(null);
      if (key == null) {
        undecidable(node.uid, identity, reference);
        item.succeeded();
        return;
      }
      if (absent.contains(key)) {
        known.add(key);
      }
    }
    DeleteAttempt attempt =
        new DeleteAttempt(
            changes, monitors.kinds(), identity, node.uid, dependents(node), Set.copyOf(known));
    requests.run(
        () -> graph.get(node.uid) == node || ended(item),
        attempt::run,
        outcome -> {
          report(attempt, references, outcome);
          attempted(node, outcome, item);
        });
  }

  private static boolean ended(WorkQueue.Item item) {
    item.succeeded();
    return false;
  }

  private static Dependents dependents(Node node) {
    if (node.dependents().isEmpty()) {
      return Dependents.NONE;
    }
    boolean someAwait = node.dependents().stream().anyMatch(d -> d.awaitsDependents);
    return new Dependents(true, someAwait);
  }

  private void attempted(Node node, DeleteAttempt.Outcome outcome, WorkQueue.Item item) {
    switch (outcome.end()) {
      case DeleteAttempt.End.Acted _ -> item.succeeded();
      case DeleteAttempt.End.Kept _ -> {
        item.succeeded();
        if (graph.get(node.uid) == node && !graph.isSettled(node)) {
          // An owner is there but was not heard of. Should that never happen, nobody would hear of
          // its end either.
          queue.addAfter(ObjectName.of(node.uid), HEARD_OF_WITHIN);
        }
      }
      case DeleteAttempt.End.Undecidable _ -> {
        undecidable.add(node.uid);
        item.succeeded();
      }
      case DeleteAttempt.End.Failed(ApiResult.Failure why) ->
          failed("garbage-collect", node, why, item);
    }
  }

  private void undecidable(String uid, Identity identity, OwnerReference reference) {
    undecidable.add(uid);
    if (monitors.kinds().of(reference).isPresent()) {
      // What is in no namespace refers to something in one, and does not say in which.
      listener.misplaced(identity, uid, reference);
    }
  }

  /** Takes note of owners that are gone, and tells of those that are there, but elsewhere. */
  private void report(
      DeleteAttempt attempt, List<OwnerReference> references, DeleteAttempt.Outcome outcome) {
    for (OwnerKey key : outcome.absent()) {
      boolean elsewhere = absent.add(key) && monitors.search(key.resource(), key.uid()).isPresent();
      for (OwnerReference reference : references) {
        if (elsewhere && reference.uid().equals(key.uid())) {
          listener.misplaced(attempt.identity(), attempt.uid(), reference);
        }
      }
    }
  }

  /** Takes an owner from all that it owns, and then lets it go. */
  private void orphan(Node owner, Identity identity, WorkQueue.Item item) {
    forEach(
        owner.dependents(),
        (where, uid) -> changes.orphan(where, uid, owner.uid),
        () -> removeFinalizer(identity, owner.uid, Garbage.ORPHAN_FINALIZER, item),
        why -> failed("orphan what belongs to", owner, why, item));
  }

  /** Lets an owner go if nothing blocks it, or nothing that does not wait for it in turn. */
  private void await(Node owner, Identity identity, WorkQueue.Item item) {
    if (owner.blocking == 0) {
      removeFinalizer(identity, owner.uid, Garbage.FOREGROUND_FINALIZER, item);
      return;
    }
    forEach(
        graph.inCirclesWith(owner),
        (where, uid) -> changes.unblock(where, uid, owner.uid),
        item::succeeded,
        why -> failed("break the circle at", owner, why, item));
  }

  /** Makes a change to each of some objects, and then says that all were made, or why not. */
  private void forEach(
      Collection<Node> nodes,
      BiFunction<Identity, String, ApiResult> change,
      Runnable done,
      Consumer<ApiResult.Failure> notDone) {
    Map<String, Identity> open = new LinkedHashMap<>();
    for (Node node : nodes) {
      if (node.identity != null) {
        open.put(node.uid, node.identity);
      }
    }
    if (open.isEmpty()) {
      done.run();
      return;
    }
    List<ApiResult.Failure> failures = new ArrayList<>();
    new LinkedHashMap<>(open)
        .forEach((uid, where) ->
            requests.run(
                () -> change.apply(where, uid),
                result -> {
                  if (result instanceof ApiResult.Failure why && !result.isNotFound()) {
                    failures.add(why);
                  }
                  open.remove(uid);
                  if (open.isEmpty() && failures.isEmpty()) {
                    done.run();
                  } else if (open.isEmpty()) {
                    notDone.accept(failures.getFirst());
                  }
                }));
  }

  private void removeFinalizer(
      Identity identity, String uid, String finalizer, WorkQueue.Item item) {
    requests.run(
        () -> changes.removeFinalizer(identity, uid, finalizer),
        result -> {
          Node node = graph.get(uid);
          if (node != null && result instanceof ApiResult.Failure why && !result.isNotFound()) {
            failed("remove the finalizer " + finalizer + " of", node, why, item);
          } else {
            item.succeeded();
          }
        });
  }

  private void failed(String doing, Node node, ApiResult.Failure why, WorkQueue.Item item) {
    item.failed();
    Instant now = time.monotonicNow();
    Identity identity = node.identity;
    if (why.isConflict() || identity == null || now.isBefore(nextComplaint)) {
      return;
    }
    nextComplaint = now.plus(BETWEEN_COMPLAINTS);
    warnings.accept(
        "cannot %s %s %s, and tries again: %s"
            .formatted(
                doing,
                identity.served().resource().groupResource(),
                identity.name(),
                why.message()));
  }
}
