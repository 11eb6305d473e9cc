package dev.berth.controllers.reconcile;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.controllers.owned.Adoption;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.owned.Selectors;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.Ownership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a resource that a controller's objects own: which are whose, which are to be
 * adopted and released, and whose owners have to be reconciled because of them.
 *
 * <ol>
 *   <li>Objects of other kinds of owners are not kept.
 *   <li>An object that changes hands concerns both owners.
 *   <li>Objects that nobody controls are compared with the selectors of their namespace when they
 *       or their labels are new; and an owner looks for such objects when it is new or has changed.
 *   <li>The objects of an owner are compared with its selector only then, and when one comes that
 *       it does not select.
 * </ol>
 *
 * <p>It lives on its controller's loop.
 */
final class OwnedResource {
  private final Api api;
  private final ObjectKind kind;
  private final GroupVersionResource resource;
  private final OwnershipRules rules;
  private final OwnedObjects objects;
  private final Adoption adoption;
  private final Concerned concerned;
  private final Selectors selectors = new Selectors();

  /** Owners that may have objects to adopt or to release, or that are not members. */
  private final Set<ObjectName> claiming = new HashSet<>();

  /** UIDs of owners that may have objects that nobody here knows. */
  private final Set<String> uncertain = new HashSet<>();

  /** By UID of the owner: objects of which nobody here knows whether they are being deleted. */
  private final Map<String, List<JsonObject>> doubtful = new HashMap<>();

  /** The UIDs of owners for which something was created that is not theirs. */
  private final Set<String> stopped = new HashSet<>();

  /** Told of owners that are to be reconciled. */
  interface Concerned {
    void accept(ObjectName owner, Duration delay);
  }

  OwnedResource(
      ControllerParts parts,
      ObjectKind kind,
      GroupVersionResource resource,
      OwnershipRules rules,
      Concerned concerned) {
    this.api = parts.api();
    this.kind = kind;
    this.resource = resource;
    this.rules = rules;
    this.objects =
        rules
            .index()
            .map(index -> new OwnedObjects(parts.time(), index))
            .orElseGet(() -> new OwnedObjects(parts.time()));
    this.adoption =
        new Adoption(parts.api(), kind.resource(), resource, rules.adopted(), rules.released());
    this.concerned = concerned;
  }

  GroupVersionResource resource() {
    return resource;
  }

  OwnedObjects objects() {
    return objects;
  }

  /** An owner is new or its specification has changed. */
  void ownerChanged(JsonObject owner) {
    stopped.remove(Metadata.of(owner).uid());
    Optional<LabelSelector> selector = rules.selector(owner);
    if (selector.isPresent()) {
      selectors.put(ObjectName.of(owner), selector.get());
      claiming.add(ObjectName.of(owner));
    }
  }

  void ownerGone(JsonObject owner) {
    uncertain.remove(Metadata.of(owner).uid());
    doubtful.remove(Metadata.of(owner).uid());
    stopped.remove(Metadata.of(owner).uid());
    selectors.remove(ObjectName.of(owner));
    claiming.remove(ObjectName.of(owner));
  }

  /** Takes note of what was heard; null if the object was not or is no more. */
  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    Optional<OwnerReference> former = controller(before);
    Optional<OwnerReference> owner = controller(after);
    JsonObject was = isKept(former) ? before : null;
    JsonObject is = isKept(owner) ? after : null;
    objects.changed(was, is);
    boolean isSame = former.map(OwnerReference::uid).equals(owner.map(OwnerReference::uid));
    if (was != null && former.isPresent() && !isSame) {
      concern(former.get(), was, was, null);
    }
    if (is == null) {
      return;
    }
    if (owner.isPresent()) {
      claimUnlessOwn(owner.get(), is);
      concern(owner.get(), is, isSame ? was : null, is);
    } else {
      offer(was, is);
    }
  }

  private static Optional<OwnerReference> controller(@Nullable JsonObject object) {
    return object == null ? Optional.empty() : Metadata.of(object).controller();
  }

  private boolean isKept(Optional<OwnerReference> owner) {
    return owner.isEmpty() || kind.isKindOf(owner.get());
  }

  private void concern(
      OwnerReference owner,
      JsonObject object,
      @Nullable JsonObject before,
      @Nullable JsonObject after) {
    rules
        .concernsOwner(before, after, objects.of(owner.uid()).size())
        .ifPresent(delay ->
            concerned.accept(new ObjectName(Metadata.of(object).namespace(), owner.name()), delay));
  }

  /** An owner looks at all that it has as long as some of that is not its own. */
  private void claimUnlessOwn(OwnerReference owner, JsonObject object) {
    Metadata metadata = Metadata.of(object);
    ObjectName name = new ObjectName(metadata.namespace(), owner.name());
    Optional<LabelSelector> selector = selectors.get(name);
    if (selector.isPresent()
        && !(selector.get().matches(metadata.labels()) && rules.isMember(owner.name(), object))) {
      claiming.add(name);
    }
  }

  /** Somebody may want an object that nobody controls. */
  private void offer(@Nullable JsonObject before, JsonObject object) {
    Metadata metadata = Metadata.of(object);
    boolean isKnown =
        before != null
            && Metadata.of(before).controller().isEmpty()
            && Metadata.of(before).labels().equals(metadata.labels());
    if (isKnown || metadata.isBeingDeleted()) {
      return;
    }
    for (ObjectName owner : selectors.matching(metadata.namespace(), metadata.labels())) {
      claiming.add(owner);
      concerned.accept(owner, Duration.ZERO);
    }
  }

  /** What an owner has, and has to take and let go. */
  Ownership of(JsonObject owner) {
    Metadata metadata = Metadata.of(owner);
    ObjectName name = ObjectName.of(owner);
    Optional<LabelSelector> selector = selectors.get(name);
    if (selector.isEmpty()) {
      return new Ownership(List.copyOf(objects.of(metadata.uid())), List.of(), List.of());
    }
    Collection<JsonObject> own = objects.of(metadata.uid());
    boolean isIndexed = rules.index().isPresent();
    if (!claiming.contains(name)) {
      return new Ownership(isIndexed ? List.of() : List.copyOf(own), List.of(), List.of());
    }
    Ownership ownership =
        Ownership.of(
            owner,
            selector.get(),
            objects.claimable(metadata.uid(), metadata.namespace()),
            object -> rules.isMember(metadata.name(), object));
    boolean hasOnlyItsOwn = ownership.owned().size() == own.size();
    if (hasOnlyItsOwn && ownership.adopt().isEmpty()) {
      claiming.remove(name);
    }
    return isIndexed ? new Ownership(List.of(), ownership.adopt(), ownership.release()) : ownership;
  }

  /** Nobody knows whether an object was created for an owner: the server did not say. */
  void creationInDoubt(JsonObject owner) {
    if (rules.asksAfterLostAnswers()) {
      uncertain.add(Metadata.of(owner).uid());
    }
  }

  /** Nobody knows whether an object of an owner is being deleted. */
  void deletionInDoubt(String ownerUid, JsonObject object) {
    doubtful.computeIfAbsent(ownerUid, _ -> new ArrayList<>()).add(object);
  }

  /** Asks the server about all that is in doubt of an owner's objects. */
  void askIfInDoubt(Reconciliation run) {
    askForCreated(run);
    askForDeleted(run);
  }

  /**
   * Which of them are on their way out: otherwise others might be chosen to go in their place. By
   * lists, since not all controllers may get what they own.
   */
  private void askForDeleted(Reconciliation run) {
    String owner = Metadata.of(run.object()).uid();
    for (JsonObject object : List.copyOf(doubtful.getOrDefault(owner, List.of()))) {
      ObjectName name = ObjectName.of(object);
      ListRequest one =
          ListRequest.of(resource).in(name.namespace()).fields("metadata.name=" + name.name());
      run.request(
          () -> api.list(one),
          result -> {
            switch (result) {
              case ListResult.Page page -> {
                Optional<Metadata> now =
                    page.items().stream()
                        .map(Metadata::of)
                        .filter(found -> found.uid().equals(Metadata.of(object).uid()))
                        .findFirst();
                if (now.isEmpty()) {
                  objects.gone(object);
                } else if (now.get().isBeingDeleted()) {
                  objects.deleted(object);
                }
                certain(owner, object);
              }
              case ApiResult.Failure why -> run.fail("FailedList", why);
            }
          });
    }
  }

  /** The owner may be gone by now, and what was in doubt with it. */
  private void certain(String owner, JsonObject object) {
    List<JsonObject> left = doubtful.get(owner);
    if (left != null && left.remove(object) && left.isEmpty()) {
      doubtful.remove(owner);
    }
  }

  /** Which objects there are, as they are now. */
  private void askForCreated(Reconciliation run) {
    Metadata owner = Metadata.of(run.object());
    Optional<LabelSelector> selector = selectors.get(ObjectName.of(run.object()));
    if (selector.isEmpty() || !uncertain.contains(owner.uid())) {
      return;
    }
    ListRequest selected =
        ListRequest.of(resource).in(owner.namespace()).labels(selector.get().toString());
    run.request(
        () -> Pages.all(api, selected),
        result -> {
          switch (result) {
            case ListResult.Page page -> {
              page.items().stream()
                  .filter(object -> Metadata.of(object).isControlledBy(owner.uid()))
                  .forEach(objects::created);
              uncertain.remove(owner.uid());
              claiming.add(ObjectName.of(run.object()));
            }
            case ApiResult.Failure why -> run.fail("FailedList", why);
          }
        });
  }

  /**
   * Whether something that was created for an owner is its own, so that it will count. If it is
   * not, as much would be created again, and for ever: then nothing is done for the owner until it
   * changes.
   */
  boolean isRecognised(JsonObject owner, JsonObject made) {
    Metadata metadata = Metadata.of(made);
    String uid = Metadata.of(owner).uid();
    boolean isOwn =
        metadata.controller().filter(controller -> controller.uid().equals(uid)).isPresent()
            && rules.selector(owner).filter(s -> !s.matches(metadata.labels())).isEmpty()
            && rules.isMember(Metadata.of(owner).name(), made);
    if (!isOwn) {
      stopped.add(uid);
    }
    return isOwn;
  }

  /** Whether what is created for an owner is not its own. */
  boolean isStopped(JsonObject owner) {
    return stopped.contains(Metadata.of(owner).uid());
  }

  /**
   * Adopts and releases.
   *
   * <p>What turns out to be moot will be heard of; until then the same would be tried again and
   * again, so that it counts as a failure.
   */
  void claim(Reconciliation run, Ownership ownership) {
    JsonObject owner = run.object();
    String uid = Metadata.of(owner).uid();
    for (JsonObject object : ownership.adopt()) {
      run.log(() -> "adopt " + Metadata.of(object).name());
      run.request(() -> adoption.adopt(owner, object), result -> claimed(run, result));
    }
    for (JsonObject object : ownership.release()) {
      run.log(() -> "release " + Metadata.of(object).name());
      run.request(() -> adoption.release(uid, object), result -> claimed(run, result));
    }
  }

  private void claimed(Reconciliation run, ApiResult result) {
    if (result instanceof ApiResult.Done(JsonObject object) && !object.isEmpty()) {
      objects.written(object);
    } else {
      run.retry();
    }
  }
}
