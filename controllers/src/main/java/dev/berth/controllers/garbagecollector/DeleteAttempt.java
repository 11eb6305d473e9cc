package dev.berth.controllers.garbagecollector;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.controllers.garbagecollector.Node.Identity;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.garbage.Garbage;
import dev.berth.policy.garbage.Garbage.Cascade;
import dev.berth.policy.garbage.Garbage.Dependents;
import dev.berth.policy.garbage.Garbage.Owner;
import dev.berth.policy.garbage.Garbage.OwnerState;
import dev.berth.policy.garbage.Garbage.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One attempt to delete an object that may be garbage: it and its owners are read from the server,
 * since the graph may be stale, and what {@link Garbage} decides is done. Runs beside the loop, and
 * blocks.
 *
 * <p>An object is deleted only at the revision that was decided on: if it has changed since, the
 * server refuses, and there is another attempt.
 *
 * @param absent owners that are known to be gone, and need not be asked for
 */
record DeleteAttempt(
    Changes changes,
    Kinds kinds,
    Identity identity,
    String uid,
    Dependents dependents,
    Set<OwnerKey> absent) {

  /**
   * How it ended.
   *
   * @param absent owners that turned out to be gone
   */
  record Outcome(End end, List<OwnerKey> absent) {}

  /** What came of it. */
  sealed interface End {
    /** The object stays, and its owners are there. */
    record Kept() implements End {}

    /** The object is on its way, or lost some owners, or was gone already. */
    record Acted() implements End {}

    /** A reference means a kind that nobody serves, or one that cannot own this object. */
    record Undecidable() implements End {}

    record Failed(ApiResult.Failure why) implements End {}
  }

  Outcome run() {
    List<OwnerKey> found = new ArrayList<>();
    return new Outcome(end(found), found);
  }

  private Api api() {
    return changes.api();
  }

  private End end(List<OwnerKey> found) {
    ApiResult read = api().get(identity.served().resource(), identity.name());
    if (!(read instanceof ApiResult.Done(JsonObject object))) {
      return ended(read);
    }
    Metadata metadata = Metadata.of(object);
    if (!metadata.uid().equals(uid) || metadata.isBeingDeleted()) {
      return new End.Acted();
    }
    List<Owner> owners = new ArrayList<>();
    for (OwnerReference reference : metadata.ownerReferences()) {
      OwnerKey key = kinds.owner(reference, identity.name().namespace()).orElse(null);
      if (key == null) {
        return new End.Undecidable();
      }
      switch (state(key, found)) {
        case Standing.Known(OwnerState state) -> owners.add(new Owner(reference, state));
        case Standing.Unknown(ApiResult.Failure why) -> {
          return new End.Failed(why);
        }
      }
    }
    return switch (Garbage.judge(owners, metadata.finalizers(), dependents)) {
      case Verdict.Keep _ -> new End.Kept();
      case Verdict.Release(List<String> others) ->
          ended(changes.release(identity, object, Set.copyOf(others)));
      case Verdict.Delete delete -> ended(delete(object, delete));
    };
  }

  private sealed interface Standing {
    record Known(OwnerState state) implements Standing {}

    record Unknown(ApiResult.Failure why) implements Standing {}
  }

  private Standing state(OwnerKey key, List<OwnerKey> found) {
    if (absent.contains(key) || found.contains(key)) {
      return new Standing.Known(OwnerState.ABSENT);
    }
    return switch (api().get(key.resource(), key.name())) {
      case ApiResult.Done(JsonObject owner) -> {
        OwnerState state = Garbage.stateOf(Metadata.of(owner), key.uid());
        if (state == OwnerState.ABSENT) {
          found.add(key);
        }
        yield new Standing.Known(state);
      }
      case ApiResult.Failure why -> {
        if (!why.isNotFound()) {
          yield new Standing.Unknown(why);
        }
        found.add(key);
        yield new Standing.Known(OwnerState.ABSENT);
      }
    };
  }

  private ApiResult delete(JsonObject object, Verdict.Delete verdict) {
    String revision = Metadata.of(object).resourceVersion();
    if (verdict.unblockFirst()) {
      ApiResult unblocked = changes.unblock(identity, object);
      if (!(unblocked instanceof ApiResult.Done(JsonObject changed))) {
        return unblocked;
      }
      revision = Metadata.of(changed).resourceVersion();
    }
    return api()
        .delete(
            identity.served().resource(),
            identity.name(),
            DeleteOptions.NONE
                .onlyUid(uid)
                .onlyRevision(revision)
                .propagation(propagation(verdict.cascade())));
  }

  private static Propagation propagation(Cascade cascade) {
    return switch (cascade) {
      case BACKGROUND -> Propagation.BACKGROUND;
      case FOREGROUND -> Propagation.FOREGROUND;
      case ORPHAN -> Propagation.ORPHAN;
    };
  }

  /** What is gone needs nothing more. */
  private static End ended(ApiResult result) {
    return result instanceof ApiResult.Failure why && !result.isNotFound()
        ? new End.Failed(why)
        : new End.Acted();
  }
}
