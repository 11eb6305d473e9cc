package dev.berth.controllers.reconcile;

import dev.berth.client.Api;
import dev.berth.client.BoundedRequests;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.Ownership;
import dev.berth.policy.reconcile.Action;
import dev.berth.policy.reconcile.Decision;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller of objects of one kind, given its {@link Reconciler}. One loop owns all that it
 * knows, and nothing of that is durable.
 *
 * <ol>
 *   <li>The objects that it looks after are listed and watched, and after those what they own and
 *       what else is {@linkplain #watches watched}: nothing that is owned is heard of before its
 *       owner. Until all is heard of, nothing is reconciled, since what is there may seem to be
 *       missing.
 *   <li>An object is reconciled when it changes, unless by the controller itself; when what it owns
 *       changes, as {@link OwnershipRules} say; at the time that was decided; and when what was
 *       tried has failed, after a while.
 *   <li>To reconcile is to adopt and release, and then to begin again; or else to decide, to carry
 *       out the actions one after the other, to write the status, and to carry out what comes after
 *       it. After actions the object is reconciled again, until there are none.
 *   <li>If something was created for an object that then is not its own, an event tells, and the
 *       object is not reconciled again until its specification changes: otherwise the same would be
 *       created again and again.
 * </ol>
 */
public final class ReconcilerFrame<S, A extends Action, D extends Decision<A>>
    implements Controller {
  private final Reconciler<S, A, D> reconciler;
  private final ControllerParts parts;
  private final ReconcilerSettings settings;
  private final Time time;
  private final Loop loop;
  private final Logger log;
  private final InformerSet first;
  private final InformerSet then;
  private final BoundedRequests requests;
  private final BoundedRequests statuses;
  private final EventRecorder events;
  private final WorkQueue queue;
  private final KnownObjects objects = new KnownObjects();
  private final List<Memories<?>> memories = new ArrayList<>();

  /** When the status of an object may be written next, on the monotonic clock. */
  private final Map<ObjectName, Instant> nextStatus = new HashMap<>();

  private @Nullable OwnedResource owned;

  public ReconcilerFrame(
      ControllerParts parts, ReconcilerSettings settings, Reconciler<S, A, D> reconciler) {
    this.reconciler = reconciler;
    this.parts = parts;
    this.settings = settings;
    this.time = parts.time();
    this.loop = time.start(settings.name());
    this.log = LoggerFactory.getLogger(settings.name());
    this.then = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    this.first = new InformerSet(parts.informers(), loop, then::start, parts.warnings());
    this.requests = new BoundedRequests(loop, settings.requests());
    this.statuses = new BoundedRequests(loop, settings.requests());
    this.events = EventRecorder.counting(parts.api(), loop, time, settings.name());
    this.queue =
        new WorkQueue(parts, loop, settings.queue(), settings.reconciliations(), this::process);
    first.on(settings.kind().resource(), this::objectChanged);
  }

  /** The objects own others, of a resource. */
  public ReconcilerFrame<S, A, D> owns(GroupVersionResource resource, OwnershipRules rules) {
    OwnedResource of = new OwnedResource(parts, settings.kind(), resource, rules, this::addAfter);
    owned = of;
    return watches(
        resource,
        (before, after) -> {
          of.changed(before, after);
          reconciler.ownedChanged(before, after);
        });
  }

  /** Something else matters; whoever is told {@linkplain #add adds} the objects concerned. */
  public ReconcilerFrame<S, A, D> watches(
      GroupVersionResource resource,
      BiConsumer<@Nullable JsonObject, @Nullable JsonObject> changed) {
    then.on(resource, changed);
    return this;
  }

  /**
   * Something is remembered of each object, until it is gone.
   *
   * @param fresh what is remembered of an object at first
   */
  public <M> Memories<M> remembers(Supplier<M> fresh) {
    Memories<M> kept = new Memories<>(fresh);
    memories.add(kept);
    return kept;
  }

  public ReconcilerFrame<S, A, D> start() {
    first.start();
    return this;
  }

  @Override
  public void close() {
    first.close();
    then.close();
    loop.close();
  }

  private void synced() {
    objects.values().forEach(object -> addAfter(ObjectName.of(object), Duration.ZERO));
  }

  /** Has an object reconciled as soon as possible. */
  public void add(ObjectName name) {
    addAfter(name, Duration.ZERO);
  }

  /** Has an object reconciled after a while. */
  public void addAfter(ObjectName name, Duration delay) {
    if (!then.isSynced()) {
      return;
    }
    if (delay.isZero()) {
      queue.add(name);
    } else {
      queue.addAfter(name, delay);
    }
  }

  private void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject was = before == null ? null : settings.kind().named(before);
    JsonObject is = after == null ? null : settings.kind().named(after);
    if (was != null && (is == null || !uid(was).equals(uid(is)))) {
      gone(was);
      was = null;
    }
    if (is == null) {
      return;
    }
    ObjectName name = ObjectName.of(is);
    boolean isOwnWrite = objects.get(name).filter(is::equals).isPresent();
    objects.changed(was, is);
    if (owned != null && (was == null || !was.object("spec").equals(is.object("spec")))) {
      owned.ownerChanged(is);
    }
    reconciler.objectChanged(was, is);
    if (!isOwnWrite && reconciler.isToBeReconciled(is)) {
      add(name);
    }
  }

  private void gone(JsonObject object) {
    objects.changed(object, null);
    if (owned != null) {
      owned.ownerGone(object);
    }
    queue.forget(ObjectName.of(object));
    nextStatus.remove(ObjectName.of(object));
    reconciler.objectChanged(object, null);
    memories.forEach(kept -> kept.forget(object));
  }

  private static String uid(JsonObject object) {
    return Metadata.of(object).uid();
  }

  private void process(ObjectName name, WorkQueue.Item item) {
    Optional<JsonObject> object = objects.get(name).filter(reconciler::isToBeReconciled);
    if (object.isEmpty() || (owned != null && owned.isStopped(object.get()))) {
      item.succeeded();
      return;
    }
    Reconciliation run = new Reconciliation(this, object.get());
    Runnable end = () -> end(run, item);
    run.step(() -> prepare(run), () -> claim(run, end));
  }

  private void prepare(Reconciliation run) {
    if (owned != null) {
      owned.askIfInDoubt(run);
    }
    reconciler.prepare(run);
  }

  private void claim(Reconciliation run, Runnable end) {
    if (run.outcome() != Reconciliation.Outcome.GOES_ON) {
      end.run();
      return;
    }
    if (owned == null) {
      decide(run, List.of(), end);
      return;
    }
    OwnedResource of = owned;
    Ownership ownership = of.of(run.object());
    if (ownership.adopt().isEmpty() && ownership.release().isEmpty()) {
      decide(run, ownership.owned(), end);
    } else {
      run.startOver();
      run.step(() -> of.claim(run, ownership), end);
    }
  }

  private void decide(Reconciliation run, List<JsonObject> members, Runnable end) {
    D decision = reconciler.decide(reconciler.snapshot(run, members), time.now());
    Runnable ended =
        () -> {
          reconciler.ended(run, decision);
          end.run();
        };
    act(run, decision.actions(), () -> acted(run, decision, ended));
  }

  private void act(Reconciliation run, List<A> actions, Runnable then) {
    act(run, run.outcome(), actions.iterator(), then);
  }

  /** Carries out actions one after the other, until one ends the reconciliation. */
  private void act(
      Reconciliation run, Reconciliation.Outcome sofar, Iterator<A> left, Runnable then) {
    if (run.outcome() != sofar || !left.hasNext()) {
      then.run();
      return;
    }
    A action = left.next();
    run.log(action::reason);
    run.again();
    run.step(() -> reconciler.apply(run, action), () -> act(run, sofar, left, then));
  }

  private void acted(Reconciliation run, D decision, Runnable ended) {
    boolean isAllDone = run.outcome() == Reconciliation.Outcome.GOES_ON;
    if (decision.actions().isEmpty() || (isAllDone && !reconciler.countsAfterActions())) {
      writeStatus(run, decision, ended);
    } else if (reconciler.countsAfterActions()) {
      countAgain(run, ended);
    } else {
      ended.run();
    }
  }

  /** Decides about the status, given what became of the actions. */
  private void countAgain(Reconciliation run, Runnable ended) {
    Optional<JsonObject> now =
        objects.get(ObjectName.of(run.object())).filter(is -> uid(is).equals(uid(run.object())));
    if (now.isEmpty()) {
      ended.run();
      return;
    }
    run.refresh(now.get());
    List<JsonObject> members = owned == null ? List.of() : owned.of(now.get()).owned();
    writeStatus(run, reconciler.decide(reconciler.snapshot(run, members), time.now()), ended);
  }

  private void writeStatus(Reconciliation run, D decision, Runnable ended) {
    ObjectName name = ObjectName.of(run.object());
    reconciler.decided(run, decision);
    decision.next().ifPresent(at -> queue.addAfter(name, Duration.between(time.now(), at)));
    if (owned != null) {
      owned
          .objects()
          .takesBackAt()
          .ifPresent(at -> queue.addAfter(name, Duration.between(time.monotonicNow(), at)));
    }
    run.step(
        () -> {
          if (run.object().equals(decision.withStatus()) || mayWriteStatus(name)) {
            run.writeStatus(decision.withStatus(), () -> statusWritten(run, decision));
          }
        },
        () -> {
          if (run.isWritten()) {
            act(run, decision.afterStatus(), ended);
          } else {
            ended.run();
          }
        });
  }

  /** Whether a status was not written just now; if it was, the object is reconciled again later. */
  private boolean mayWriteStatus(ObjectName name) {
    if (settings.betweenStatuses().isZero()) {
      return true;
    }
    Instant now = time.monotonicNow();
    Instant next = nextStatus.getOrDefault(name, now);
    if (next.isAfter(now)) {
      queue.addAfter(name, Duration.between(now, next));
      return false;
    }
    nextStatus.put(name, now.plus(settings.betweenStatuses()));
    return true;
  }

  private void statusWritten(Reconciliation run, D decision) {
    reconciler.statusWritten(run, decision);
    decision.notes().forEach(note -> run.event(note, "Sync"));
    if (decision.goesOn()) {
      run.again();
    }
  }

  private void end(Reconciliation run, WorkQueue.Item item) {
    switch (run.outcome()) {
      case FAILED -> {
        log(run.object(), () -> "tried again: " + run.failure());
        item.failed();
      }
      case STOPPED -> item.succeeded();
      case STARTS_OVER, GOES_ON -> {
        if (run.isDoneAgain() || run.outcome() == Reconciliation.Outcome.STARTS_OVER) {
          queue.add(ObjectName.of(run.object()));
        }
        item.succeeded();
      }
    }
  }

  void log(JsonObject object, Supplier<String> reason) {
    if (log.isDebugEnabled()) {
      log.atDebug()
          .addKeyValue("object", settings.kind().kind() + " " + ObjectName.of(object))
          .log(reason.get());
    }
  }

  /** The objects that it looks after. */
  public KnownObjects objects() {
    return objects;
  }

  /** The objects that those own, and those that nobody does. */
  public OwnedObjects owned() {
    return ownedResource().objects();
  }

  /** The thread that all of it runs on. */
  public Loop loop() {
    return loop;
  }

  OwnedResource ownedResource() {
    return Objects.requireNonNull(owned, "it owns nothing");
  }

  ObjectKind kind() {
    return settings.kind();
  }

  Api api() {
    return parts.api();
  }

  BoundedRequests requests() {
    return requests;
  }

  BoundedRequests statuses() {
    return statuses;
  }

  EventRecorder events() {
    return events;
  }
}
