package dev.berth.controllers.replicaset;

import dev.berth.client.InformerSet;
import dev.berth.client.Resources;
import dev.berth.controllers.Controller;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.WorkQueue;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.owned.Selectors;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.replicaset.Replica;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps as many pods as replica sets say; {@link dev.berth.policy.replicaset.ReplicaPlan} says what
 * that takes. This class hears of sets and pods, and knows which sets to look at; {@link
 * ReplicaLook} looks at one.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 *
 * <ol>
 *   <li>A pod that comes, goes, ends or changes hands has its set looked at at once. News of a
 *       pod's readiness changes the status alone, which a set of many pods can have written ten
 *       times a second but not for each of them.
 *   <li>Pods that nobody controls are compared with the sets of their namespace when they or their
 *       labels are new, and a set looks for such pods when it is new or has changed.
 * </ol>
 */
public final class ReplicaSets implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "replicaset-controller";

  /** A set with more pods than this does not have its status written for each. */
  private static final int MANY = 50;

  private static final Duration PACE = Duration.ofMillis(100);

  private final ReplicaKind kind;
  private final Loop loop;
  private final InformerSet informers;
  private final KnownObjects sets;
  private final OwnedObjects pods;
  private final Siblings siblings;
  private final WorkQueue queue;
  private final ReplicaLook looks;

  private final Selectors selectors = new Selectors();

  private ReplicaSets(ControllerParts parts, ReplicaKind kind) {
    Time time = parts.time();
    this.kind = kind;
    this.loop = time.start(kind.component());
    Heard heard = Heard.nothing(time);
    this.sets = heard.sets();
    this.pods = heard.pods();
    this.siblings = heard.siblings();
    this.looks = new ReplicaLook(parts, loop, kind, heard);
    this.queue = looks.queue();
    this.informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers.on(kind.resource(), this::setChanged).on(Resources.PODS, this::podChanged);
  }

  public static ReplicaSets start(ControllerParts parts) {
    return start(parts, ReplicaKind.REPLICA_SET);
  }

  public static ReplicaSets start(ControllerParts parts, ReplicaKind kind) {
    ReplicaSets controller = new ReplicaSets(parts, kind);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    sets.values().forEach(set -> queue.add(ObjectName.of(set)));
  }

  /** Until everything is heard of, pods may seem to be missing that are not. */
  private void add(ObjectName name) {
    if (informers.isSynced()) {
      queue.add(name);
    }
  }

  private void setChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject was = before == null ? null : kind.named(before);
    JsonObject is = after == null ? null : kind.named(after);
    JsonObject told = is == null ? was : is;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    boolean isOwnWrite = is != null && sets.get(name).filter(is::equals).isPresent();
    sets.changed(was, is);
    siblings.changed(was, is);
    if (is == null) {
      selectors.remove(name);
      looks.forget(Metadata.of(told).uid());
    } else if (was == null || !was.object("spec").equals(is.object("spec"))) {
      selectors.put(name, kind.selector(is));
      looks.lookForOrphans(Metadata.of(is).uid());
    }
    if (!isOwnWrite) {
      add(name);
    }
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    pods.changed(before, after);
    Optional<ObjectName> was = before == null ? Optional.empty() : setOf(before);
    Optional<ObjectName> is = after == null ? Optional.empty() : setOf(after);
    if (was.isPresent() && !was.equals(is)) {
      add(was.get());
    }
    if (after == null) {
      return;
    }
    if (is.isPresent()) {
      consider(is.get(), before, after);
    } else if (Metadata.of(after).controller().isEmpty()) {
      offer(before, after);
    }
  }

  private Optional<ObjectName> setOf(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    return metadata
        .controller()
        .filter(kind::isOwner)
        .map(owner -> new ObjectName(metadata.namespace(), owner.name()));
  }

  private void consider(ObjectName set, @Nullable JsonObject before, JsonObject after) {
    Replica is = new Replica(after);
    if (before != null) {
      Replica was = new Replica(before);
      boolean isUrgent =
          was.isFinished() != is.isFinished()
              || was.metadata().isBeingDeleted() != is.metadata().isBeingDeleted()
              || !was.metadata().labels().equals(is.metadata().labels());
      if (isUrgent) {
        add(set);
        return;
      }
      if (was.readySince().equals(is.readySince()) && was.isReady() == is.isReady()) {
        return;
      }
    }
    boolean many =
        is.metadata().controller().filter(o -> pods.of(o.uid()).size() > MANY).isPresent();
    if (!many) {
      add(set);
    } else if (informers.isSynced()) {
      queue.addAfter(set, PACE);
    }
  }

  /** Somebody may want a pod that nobody controls. */
  private void offer(@Nullable JsonObject before, JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    boolean isKnown =
        before != null
            && Metadata.of(before).controller().isEmpty()
            && Metadata.of(before).labels().equals(metadata.labels());
    if (isKnown || metadata.isBeingDeleted()) {
      return;
    }
    for (ObjectName name : selectors.matching(metadata.namespace(), metadata.labels())) {
      sets.get(name).ifPresent(set -> looks.lookForOrphans(Metadata.of(set).uid()));
      add(name);
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
