package dev.berth.registry;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.CustomKind;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Resource.StoredAs;
import dev.berth.kinds.resource.ZeroFields;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.resource.NameRules;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.AdmissionRequest.Operation;
import dev.berth.registry.apply.ApplyResult;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.WriteResult;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The objects of all resources, and the rules of reading and writing them. Whatever is refused is a
 * {@link StatusException} in Kubernetes' words.
 *
 * <p>Objects that come in have the shape that their schema says. May be used from any thread;
 * writers of the same object are told apart by the store, and whoever does not insist on a revision
 * tries again.
 */
public final class Registry {
  /** How often in a row a write may lose to another one before that counts as a bug. */
  private static final int ATTEMPTS = 1000;

  private static final int NAME_ATTEMPTS = 8;
  private static final GroupResource LEASES = new GroupResource("coordination.k8s.io", "leases");

  private final Store store;
  private final StoreWrites writes;
  private final Recency recency;
  private final Time time;
  private final Supplier<Catalog> catalog;
  private final Identities identities;
  private final FieldOwnership ownership;
  private final AdmissionChain admission;
  private final CustomWatches customWatches;

  /** A registry without policies, which draws other UIDs than one with policies beside it. */
  public Registry(Store store, Catalog catalog, Time time) {
    this(store, catalog, time, registry -> AdmissionChain.EMPTY);
  }

  /**
   * @param policies makes the policies, which read and write through this registry
   */
  public Registry(
      Store store, Catalog catalog, Time time, Function<Registry, AdmissionChain> policies) {
    this(store, () -> catalog, time, policies);
  }

  /** A registry whose resources change while it is used. */
  public Registry(
      Store store,
      Supplier<Catalog> catalog,
      Time time,
      Function<Registry, AdmissionChain> policies) {
    this.store = store;
    writes = new StoreWrites(store);
    recency = new Recency(store);
    this.time = time;
    this.catalog = catalog;
    this.ownership = new FieldOwnership(catalog);
    this.customWatches = new CustomWatches(catalog);
    this.admission = policies.apply(this);
    String draws = admission.plugins().isEmpty() ? "registry without policies" : "registry";
    this.identities = new Identities(time.random(draws));
    IndexedFields.declare(store, catalog.get());
  }

  /** How many objects of a resource there are. */
  public long count(Resource resource) {
    var all = Store.RangeRequest.prefix(ObjectKeys.prefix(resource, "")).limit(0);
    return store.range(all) instanceof Store.RangeResult.Page page ? page.remaining() : 0;
  }

  /** All resources as they are now. */
  public Catalog catalog() {
    return catalog.get();
  }

  public Instant now() {
    return time.now();
  }

  public Time time() {
    return time;
  }

  Store store() {
    return store;
  }

  /**
   * Waits until what is read is as new as a request wants it: everything, for one that names no
   * revision, or the revision that it names.
   */
  public void awaitRecent(String revision) {
    if (revision.isEmpty()) {
      store.sync();
    } else {
      recency.await(Long.parseUnsignedLong(revision));
    }
  }

  /**
   * Answers a request of a leader: whatever is written by it is written only while the lease says
   * what the leader says, also if another server changes the lease meanwhile.
   */
  public <X extends Throwable> void whileLeading(
      LeaderTerm term, ScopedValue.CallableOp<?, X> request) throws X {
    var guard = new LeaderGuard(term, catalog().find(LEASES).orElseThrow());
    guard.check(store);
    guard.run(request);
  }

  /** Whether other servers write objects, too; {@link #awaitRecent} waits for what they wrote. */
  public boolean isShared() {
    return store.isShared();
  }

  /** The revision of the latest write of any object. */
  public long revision() {
    return store.revision();
  }

  public Optional<Stored> find(Resource resource, ObjectName name) {
    return store.get(ObjectKeys.of(resource, name)).map(entry -> Stored.of(resource, entry));
  }

  public Stored get(Resource resource, ObjectName name) {
    return find(resource, name)
        .orElseThrow(() -> Failures.notFound(resource.shownResource(), name.name()));
  }

  public Listing.Page list(Resource resource, ListOptions request) {
    return Listing.list(store, resource, request);
  }

  /** The changes of what a request selects; the caller closes it. */
  public ObjectWatch watch(Resource resource, WatchOptions request) {
    return watch(resource, request, () -> {});
  }

  /** The same, for a reader that does not wait but is told when there may be something to take. */
  public ObjectWatch watch(Resource resource, WatchOptions request, Runnable onReady) {
    return customWatches.keep(ObjectWatch.open(store, resource, request, onReady));
  }

  /** Ends watches of resources that are not defined any more, or are defined otherwise. */
  public void endOutdatedWatches() {
    customWatches.endOutdated();
  }

  /** Creates an object in a namespace, which is empty for a resource that has none. */
  public Stored create(
      Resource resource, String namespace, JsonObject object, WriteOptions options) {
    if (resource.storedAs().isPresent()) {
      StoredAs other = resource.storedAs().get();
      JsonObject tracked =
          ownership.trackServed(
              resource, JsonObject.EMPTY, other.roundTrip(object), options, time.now());
      return create(other.written(), namespace, other.store().apply(tracked), options.untracked())
          .servedBy(resource);
    }
    JsonObject placed = WriteChecks.placedIn(resource, namespace, object);
    Metadata metadata = Metadata.of(placed);
    resource
        .custom()
        .flatMap(CustomKind::refusesCreation)
        .ifPresent(why -> {
          throw Failures.forbidden(resource.shownResource(), metadata.name(), why);
        });
    boolean unnamed = metadata.name().isEmpty() && metadata.generateName().isEmpty();
    if (unnamed && resource.namesUnnamed()) {
      String given = identities.uid();
      return create(
          resource, namespace, Metadata.update(placed, m -> m.with("name", given)), options);
    }
    if (unnamed || !metadata.name().isEmpty()) {
      return recency
          .decide(() -> createStored(resource, placed, options))
          .orElseThrow(() -> alreadyExists(resource, ObjectName.of(placed)));
    }
    String name = "";
    for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
      String tried = identities.name(metadata.generateName());
      JsonObject named = Metadata.update(placed, m -> m.with("name", tried));
      Optional<Stored> created = recency.decide(() -> createStored(resource, named, options));
      if (created.isPresent()) {
        return created.get();
      }
      name = tried;
    }
    throw Failures.generatedNameExists(resource.shownResource(), name);
  }

  /** Who waits for the name to be free is told that it will be. */
  private StatusException alreadyExists(Resource resource, ObjectName name) {
    boolean leaving =
        store
            .get(ObjectKeys.of(resource, name))
            .filter(entry -> Metadata.of(StoredEncoding.tree(entry)).isBeingDeleted())
            .isPresent();
    return leaving
        ? Failures.stillExists(resource.shownResource(), name.name())
        : Failures.alreadyExists(resource.shownResource(), name.name());
  }

  /** Empty if the name is taken. */
  private Optional<Stored> createStored(
      Resource resource, JsonObject object, WriteOptions options) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (createNamed(resource, object, options) instanceof Creation.Ended(var created)) {
        return created;
      }
    }
    throw Failures.modified(resource.shownResource(), ObjectName.of(object).name());
  }

  /** How one attempt to create an object ended. */
  private sealed interface Creation {
    /** It was created; empty if its name is taken. */
    record Ended(Optional<Stored> created) implements Creation {}

    /** What a policy relied on has changed meanwhile. */
    record Again() implements Creation {}
  }

  private Creation createNamed(Resource resource, JsonObject object, WriteOptions options) {
    ObjectName name = ObjectName.of(object);
    Instant now = time.now();
    AdmissionRequest request =
        request(Operation.CREATE, resource, name, object, JsonObject.EMPTY, options);
    ObjectWarnings warnings = resource.warnings();
    boolean written = false;
    try {
      // Nobody owns what policies add, so its writer is written down before they do.
      JsonObject prepared =
          Preparation.forCreate(
              resource,
              object,
              identities.uid(),
              now,
              new Preparation.Admission(
                  o -> {
                    JsonObject tracked =
                        ownership.track(resource, JsonObject.EMPTY, o, options, now);
                    JsonObject admitted = mutate(request.with(tracked));
                    say(warnings.beforePreparation(admitted), options);
                    return admitted;
                  },
                  o -> admission.fieldErrors(request.with(o))));
      say(warnings.onCreate(prepared), options);
      admission.validate(request.with(prepared));
      String key = ObjectKeys.of(resource, name);
      if (options.dryRun()) {
        return new Creation.Ended(
            store.get(key).isPresent()
                ? Optional.empty()
                : Optional.of(Stored.unwritten(resource, prepared)));
      }
      if (WriteChecks.namesRevision(Metadata.of(object).resourceVersion())) {
        throw Failures.unknown("resourceVersion should not be set on objects to be created");
      }
      switch (writes.create(key, StoreWrites.fitting(resource, prepared, 0, options), request)) {
        case WriteResult.Written done -> {
          written = true;
          return new Creation.Ended(Optional.of(Stored.of(resource, done.entry().orElseThrow())));
        }
        case WriteResult.Conflict _ -> {
          return new Creation.Ended(Optional.empty());
        }
        case WriteResult.Prevented prevented -> {
          LeaderGuard.check(prevented);
          return new Creation.Again();
        }
      }
    } finally {
      settle(request, written);
    }
  }

  /**
   * Replaces an object. With a revision in its metadata, only that one is replaced; without one,
   * whatever is there.
   */
  public Stored update(
      Resource resource, ObjectName name, JsonObject object, WriteOptions options) {
    checkName(object, name);
    JsonObject placed = placedIn(resource, name, object);
    return modify(resource, name, options, old -> placed);
  }

  /** An object in the namespace of a request; refused if it says another one. */
  public static JsonObject placedIn(Resource resource, ObjectName name, JsonObject object) {
    return WriteChecks.placedIn(resource, name.namespace(), object);
  }

  /** Refuses an object that says another name than the request. */
  public static void checkName(JsonObject object, ObjectName name) {
    String own = Metadata.of(object).name();
    if (!own.equals(name.name())) {
      throw Failures.badRequest(
          own.isEmpty()
              ? "the name of the object (%s based on URL) was undeterminable: name must be provided"
                  .formatted(name.name())
              : "the name of the object (%s) does not match the name on the URL (%s)"
                  .formatted(own, name.name()));
    }
  }

  /** Refuses a name, said in a body, that no object could be found under. */
  public static void checkReadable(String name) {
    if (name.isEmpty()) {
      throw Failures.badRequest("Name parameter required.");
    }
    List<String> problems = NameRules.pathSegment(name);
    if (!problems.isEmpty()) {
      throw Failures.badRequest(
          "Name parameter invalid: \"%s\": %s".formatted(name, String.join(";", problems)));
    }
  }

  /**
   * Changes an object by a function of what it is. The function is asked again when somebody else
   * was faster, unless its result insists on a revision.
   */
  public Stored modify(
      Resource resource, ObjectName name, WriteOptions options, UnaryOperator<JsonObject> change) {
    if (resource.storedAs().isPresent()) {
      StoredAs other = resource.storedAs().get();
      return modify(
              other.written(),
              name,
              options.untracked(),
              old -> {
                JsonObject served = other.serve().apply(old);
                JsonObject changed = other.roundTrip(change.apply(served));
                return other
                    .store()
                    .apply(ownership.trackServed(resource, served, changed, options, time.now()));
              })
          .servedBy(resource);
    }
    return recency.decide(() -> modifyStored(resource, name, options, change));
  }

  private Stored modifyStored(
      Resource resource, ObjectName name, WriteOptions options, UnaryOperator<JsonObject> change) {
    String key = ObjectKeys.of(resource, name);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Entry entry =
          store
              .get(key)
              .orElseThrow(() -> Failures.notFound(resource.shownResource(), name.name()));
      Optional<Stored> written = modify(resource, name, entry, options, change);
      if (written.isPresent()) {
        return written.get();
      }
    }
    throw Failures.modified(resource.shownResource(), name.name());
  }

  /** One attempt; empty if somebody else was faster. */
  private Optional<Stored> modify(
      Resource resource,
      ObjectName name,
      Entry entry,
      WriteOptions options,
      UnaryOperator<JsonObject> change) {
    JsonObject stored = StoredEncoding.tree(entry);
    // Filled, since what an earlier version stored is not.
    JsonObject old = ZeroFields.builtIn().fill(resource.read(stored), resource.kind());
    JsonObject wanted = change.apply(old);
    WriteChecks.checkPreconditions(resource, wanted, old, options.isPatch());
    Instant now = time.now();
    AdmissionRequest request = request(Operation.UPDATE, resource, name, wanted, old, options);
    Optional<Stored> written = Optional.empty();
    try {
      JsonObject next =
          Preparation.forUpdate(
              resource,
              wanted,
              old,
              options.subresource(),
              now,
              // As above: nobody owns what the server makes of it.
              new Preparation.Admission(
                  o -> mutate(request.with(ownership.track(resource, old, o, options, now))),
                  o -> admission.fieldErrors(request.with(o))));
      String subresource = options.subresource();
      say(
          subresource.isEmpty()
              ? resource.warnings().onUpdate(next, old)
              : resource.warnings().onSubresource(subresource, next, old),
          options);
      admission.validate(request.with(next));
      next = ManagedTimes.kept(StoredEncoding.withRevision(next, entry.revision()), old);
      boolean same = next.equals(old) && !store.isStale(entry.key());
      // What is stored in an older version is rewritten by whoever writes it as it is.
      if (same && (resource.custom().isEmpty() || resource.write(next).equals(stored))) {
        return recency.isCurrent(entry)
            ? Optional.of(Stored.of(resource, entry))
            : Optional.empty();
      }
      if (options.dryRun()) {
        return Optional.of(Stored.unwritten(resource, next));
      }
      written =
          Deletion.isDone(resource, next)
              ? writes.remove(resource, entry, next, request)
              : writes.replace(
                  resource,
                  entry,
                  StoreWrites.fitting(resource, next, entry.value().length, options),
                  request);
      return written;
    } finally {
      settle(request, written.isPresent());
    }
  }

  /** What somebody sent that is answered and not stored, with the sender's name on its fields. */
  public JsonObject trackSent(GroupVersionKind kind, JsonObject sent, WriteOptions options) {
    return ownership.trackSent(kind, sent, options, time.now());
  }

  /** What the policies make of an object that is to be stored. */
  private JsonObject mutate(AdmissionRequest request) {
    return OwnerReferences.distinct(
        admission.mutate(request), true, text -> request.notices().warn(text));
  }

  private static void say(List<String> warnings, WriteOptions options) {
    warnings.forEach(options.notices()::warn);
  }

  /**
   * A configuration to apply on the server's side.
   *
   * @param force whether fields are taken from others who own them
   * @param beforeCreate run before an object is made of it, which fails if it may not be
   */
  public record Applied(
      JsonObject configuration, boolean force, WriteOptions options, Runnable beforeCreate) {
    public Applied(JsonObject configuration, boolean force, WriteOptions options) {
      this(configuration, force, options, () -> {});
    }
  }

  /** An object that a configuration was applied to, and whether that made it. */
  public record AppliedTo(Stored object, boolean created) {}

  /** Applies a configuration to an object, or makes the object from it. */
  public AppliedTo apply(Resource resource, ObjectName name, Applied applied) {
    // Owners know the fields by the names that are served, whatever they are stored as.
    StoredAs as =
        resource
            .storedAs()
            .orElseGet(
                () -> new StoredAs(resource, UnaryOperator.identity(), UnaryOperator.identity()));
    WriteOptions untracked = applied.options().untracked();
    boolean whole = untracked.subresource().isEmpty();
    if (whole && find(resource, name).isEmpty()) {
      JsonObject made = as.store().apply(applied(resource, name, JsonObject.EMPTY, applied));
      checkNew(resource, made);
      applied.beforeCreate.run();
      try {
        Stored created = create(as.written(), name.namespace(), made, untracked);
        return new AppliedTo(created.servedBy(resource), true);
      } catch (StatusException e) {
        // Of those who apply it first, one makes it, and the others apply to what it made.
        if (!e.status().reason().equals("AlreadyExists")) {
          throw e;
        }
      }
    }
    Stored changed =
        modify(
            as.written(),
            name,
            untracked,
            old -> as.store().apply(applied(resource, name, as.serve().apply(old), applied)));
    return new AppliedTo(changed.servedBy(resource), false);
  }

  /** Whoever names a UID means an object that was there. */
  private static void checkNew(Resource resource, JsonObject made) {
    Metadata metadata = Metadata.of(made);
    if (!metadata.uid().isEmpty()) {
      throw Failures.conflict(
          resource.shownResource(),
          metadata.name(),
          "uid mismatch: the provided object specified uid %s, and no existing object was found"
              .formatted(metadata.uid()));
    }
  }

  /** A name that is another's is refused, too, but after all conflicts. */
  private JsonObject applied(Resource resource, ObjectName name, JsonObject old, Applied applied) {
    return switch (ownership.apply(resource, old, applied, time.now())) {
      case ApplyResult.Applied(JsonObject object) -> {
        JsonObject placed = placedIn(resource, name, object);
        checkName(placed, name);
        yield placed;
      }
      case ApplyResult.Conflicts conflicts ->
          throw Failures.applyConflict(
              conflicts.message(),
              conflicts.conflicts().stream()
                  .map(c -> new Status.Cause(ApplyResult.Conflict.TYPE, c.message(), c.field()))
                  .toList());
    };
  }

  /**
   * Deletes an object, or marks it as being deleted.
   *
   * @return the object, gone or marked
   */
  public Deleted delete(Resource resource, ObjectName name, DeletionOptions options) {
    return recency.decide(() -> deleteStored(resource, name, options));
  }

  private Deleted deleteStored(Resource resource, ObjectName name, DeletionOptions options) {
    String key = ObjectKeys.of(resource, name);
    GroupResource what = resource.shownResource();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Entry entry = store.get(key).orElseThrow(() -> Failures.notFound(what, name.name()));
      JsonObject old = StoredEncoding.tree(resource, entry);
      WriteChecks.checkPreconditions(resource, old, options);
      AdmissionRequest request =
          new AdmissionRequest(
              Operation.DELETE,
              resource,
              name,
              "",
              JsonObject.EMPTY,
              old,
              options.user(),
              options.dryRun(),
              options.notices(),
              options::toTree);
      Optional<Deleted> done = Optional.empty();
      try {
        admission.admitDeletion(request);
        done = delete(resource, entry, old, options, request);
      } finally {
        settle(request, done.isPresent() && !options.dryRun());
      }
      if (done.isPresent()) {
        return done.get();
      }
    }
    throw Failures.modified(what, name.name());
  }

  /** One attempt; empty if somebody else was faster. */
  private Optional<Deleted> delete(
      Resource resource,
      Entry entry,
      JsonObject old,
      DeletionOptions options,
      AdmissionRequest request) {
    return switch (Deletion.decide(resource, old, options, time.now())) {
      case Deletion.Step.Nothing _ -> Optional.of(new Deleted(Stored.of(resource, entry), false));
      case Deletion.Step.Remove(JsonObject last) ->
          options.dryRun()
              ? Optional.of(new Deleted(new Stored(resource, last, null), true))
              : writes
                  .remove(resource, entry, last, request)
                  .map(stored -> new Deleted(stored, true));
      case Deletion.Step.Mark(JsonObject marked) ->
          options.dryRun()
              ? Optional.of(new Deleted(new Stored(resource, marked, null), false))
              : writes
                  .replace(resource, entry, StoreWrites.Encoded.of(resource, marked), request)
                  .map(stored -> new Deleted(stored, false));
    };
  }

  /**
   * Asks the policies about what is created but not stored: an eviction, a request for a token.
   *
   * @return the object with what they added
   */
  public JsonObject admit(
      Resource resource, ObjectName name, JsonObject object, WriteOptions options) {
    AdmissionRequest request =
        request(Operation.CREATE, resource, name, object, JsonObject.EMPTY, options);
    boolean admitted = false;
    try {
      JsonObject changed = admission.mutate(request);
      admission.validate(request.with(changed));
      admitted = true;
      return changed;
    } finally {
      settle(request, admitted);
    }
  }

  /**
   * Asks the policies about a connection.
   *
   * @param what the options of the connection, such as a PodExecOptions
   */
  public void admitConnection(
      Resource resource, ObjectName name, JsonObject what, WriteOptions options) {
    admission.intercept(
        request(Operation.CONNECT, resource, name, what, JsonObject.EMPTY, options));
  }

  /** How a deletion ended: with the object gone, or only marked. */
  public record Deleted(Stored object, boolean gone) {}

  private static AdmissionRequest request(
      Operation operation,
      Resource resource,
      ObjectName name,
      JsonObject object,
      JsonObject old,
      WriteOptions options) {
    AdmissionRequest request =
        new AdmissionRequest(
            operation,
            resource,
            name,
            options.subresource(),
            object,
            old,
            options.user(),
            options.dryRun(),
            options.notices(),
            () -> options.toTree(operation));
    return options.isPatch() ? request.patch() : request;
  }

  private static void settle(AdmissionRequest request, boolean written) {
    LeaderGuard.lifted(() -> request.settlement().settle(written));
  }
}
