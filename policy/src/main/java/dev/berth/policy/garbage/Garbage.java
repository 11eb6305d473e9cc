package dev.berth.policy.garbage;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether an object is garbage.
 *
 * <ol>
 *   <li>An object stays while one of its owners is there and does not wait for it to go. It then
 *       loses its references to all other owners, so that none waits for it in vain.
 *   <li>Otherwise it is deleted. If an owner waits for it and it owns something itself, that goes
 *       first: it is deleted in the foreground.
 *   <li>If one of those it owns waits for its own dependents, the object may be one of them, in a
 *       circle: then its references block nobody any more before it is deleted.
 *   <li>Else it is deleted in the way that a finalizer on it asks for, or in the background.
 * </ol>
 */
public final class Garbage {
  /** The finalizer of an owner that goes once all that block it have gone. */
  public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

  /** The finalizer of an owner that goes once nothing refers to it any more. */
  public static final String ORPHAN_FINALIZER = "orphan";

  /** How an owner stands. */
  public enum OwnerState {
    /** It is there, and does not wait for its dependents to go. */
    SOLID,
    /** There is no such object, or it is another one of the same name. */
    ABSENT,
    /** It is being deleted in the foreground. */
    AWAITS_DEPENDENTS
  }

  /** When what an object owns is to go. */
  public enum Cascade {
    BACKGROUND,
    FOREGROUND,
    ORPHAN
  }

  /** A reference, and how its owner stands. */
  public record Owner(OwnerReference reference, OwnerState state) {}

  /**
   * What an object owns.
   *
   * @param any whether it owns anything
   * @param someAwait whether some of that waits for its own dependents to go
   */
  public record Dependents(boolean any, boolean someAwait) {
    public static final Dependents NONE = new Dependents(false, false);
  }

  /** What is to be done about an object. */
  public sealed interface Verdict {
    record Keep() implements Verdict {}

    /** It stays, but loses some owners, given by UID. */
    record Release(List<String> owners) implements Verdict {
      public Release {
        owners = List.copyOf(owners);
      }
    }

    /**
     * It goes.
     *
     * @param unblockFirst whether none of its owners is to wait for it any more
     */
    record Delete(Cascade cascade, boolean unblockFirst) implements Verdict {}
  }

  private Garbage() {}

  /** How an object stands that was found where a reference with this UID points to. */
  public static OwnerState stateOf(Metadata found, String uid) {
    if (!found.uid().equals(uid)) {
      return OwnerState.ABSENT;
    }
    return awaitsDependents(found) ? OwnerState.AWAITS_DEPENDENTS : OwnerState.SOLID;
  }

  /** Whether an object is being deleted in the foreground. */
  public static boolean awaitsDependents(Metadata object) {
    return object.isBeingDeleted() && object.finalizers().contains(FOREGROUND_FINALIZER);
  }

  /** Whether an object is being deleted, and what it owns is to stay. */
  public static boolean orphansDependents(Metadata object) {
    return object.isBeingDeleted() && object.finalizers().contains(ORPHAN_FINALIZER);
  }

  /**
   * Judges an object that is not being deleted.
   *
   * @param finalizers the object's
   */
  public static Verdict judge(List<Owner> owners, List<String> finalizers, Dependents dependents) {
    if (owners.isEmpty()) {
      return new Verdict.Keep();
    }
    boolean solid = owners.stream().anyMatch(owner -> owner.state() == OwnerState.SOLID);
    if (solid) {
      List<String> others = new ArrayList<>();
      for (Owner owner : owners) {
        if (owner.state() != OwnerState.SOLID) {
          others.add(owner.reference().uid());
        }
      }
      return others.isEmpty() ? new Verdict.Keep() : new Verdict.Release(others);
    }
    boolean awaited =
        owners.stream().anyMatch(owner -> owner.state() == OwnerState.AWAITS_DEPENDENTS);
    if (awaited && dependents.any()) {
      return new Verdict.Delete(Cascade.FOREGROUND, dependents.someAwait());
    }
    return new Verdict.Delete(cascade(finalizers), false);
  }

  private static Cascade cascade(List<String> finalizers) {
    if (finalizers.contains(ORPHAN_FINALIZER)) {
      return Cascade.ORPHAN;
    }
    return finalizers.contains(FOREGROUND_FINALIZER) ? Cascade.FOREGROUND : Cascade.BACKGROUND;
  }
}
