package dev.berth.client;

import dev.berth.model.tree.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a deletion.
 *
 * @param gracePeriodSeconds how long the object may take to end; empty if the object decides
 * @param uid a precondition: the object's UID; empty for none
 * @param resourceVersion a precondition: the object's resourceVersion; empty for none
 * @param propagation what happens to what the object owns; empty if the server decides
 */
public record DeleteOptions(
    OptionalLong gracePeriodSeconds,
    String uid,
    String resourceVersion,
    Optional<Propagation> propagation) {

  /** No options. */
  public static final DeleteOptions NONE =
      new DeleteOptions(OptionalLong.empty(), "", "", Optional.empty());

  /** What happens to the objects that the deleted one owns: upstream's propagation policies. */
  public enum Propagation {
    /** They stay, and lose their owner. */
    ORPHAN("Orphan"),
    /** They are deleted after their owner. */
    BACKGROUND("Background"),
    /** They are deleted before their owner. */
    FOREGROUND("Foreground");

    private final String word;

    Propagation(String word) {
      this.word = word;
    }
  }

  public DeleteOptions grace(long seconds) {
    return new DeleteOptions(OptionalLong.of(seconds), uid, resourceVersion, propagation);
  }

  /** Only the object with this UID, and none that came after it under the same name. */
  public DeleteOptions onlyUid(String expected) {
    return new DeleteOptions(gracePeriodSeconds, expected, resourceVersion, propagation);
  }

  /** Only the object as it was at a revision. */
  public DeleteOptions onlyRevision(String expected) {
    return new DeleteOptions(gracePeriodSeconds, uid, expected, propagation);
  }

  public DeleteOptions propagation(Propagation policy) {
    return new DeleteOptions(gracePeriodSeconds, uid, resourceVersion, Optional.of(policy));
  }

  /** Kubernetes' object of this name; empty if nothing in particular is asked for. */
  public JsonObject toTree() {
    if (equals(NONE)) {
      return JsonObject.EMPTY;
    }
    JsonObject.Builder tree =
        new JsonObject.Builder().put("kind", "DeleteOptions").put("apiVersion", "v1");
    gracePeriodSeconds.ifPresent(seconds -> tree.put("gracePeriodSeconds", seconds));
    JsonObject.Builder preconditions = new JsonObject.Builder();
    if (!uid.isEmpty()) {
      preconditions.put("uid", uid);
    }
    if (!resourceVersion.isEmpty()) {
      preconditions.put("resourceVersion", resourceVersion);
    }
    JsonObject expected = preconditions.build();
    if (!expected.isEmpty()) {
      tree.put("preconditions", expected);
    }
    propagation.ifPresent(policy -> tree.put("propagationPolicy", policy.word));
    return tree.build();
  }
}
