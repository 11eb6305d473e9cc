package dev.berth.registry;

import dev.berth.kinds.resource.MetadataValidation;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions.Propagation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What deleting an object does to it.
 *
 * <ol>
 *   <li>How owned objects are to go is written down as a finalizer: {@code foregroundDeletion} or
 *       {@code orphan}, or neither. If nobody says it, a finalizer of this kind that is there
 *       stays, and some kinds of objects lose what they own.
 *   <li>An object with finalizers is only marked as being deleted; so is one that has a grace
 *       period, such as a pod that runs.
 *   <li>Who asks again can make the grace period shorter, but not longer; with none left and no
 *       finalizers, the object goes.
 * </ol>
 */
final class Deletion {

  /** What a deletion does. */
  sealed interface Step {
    record Remove(JsonObject last) implements Step {}

    record Mark(JsonObject marked) implements Step {}

    record Nothing() implements Step {}
  }

  /** Kinds that nothing is owned by, so that nothing is waited for, whatever is asked. */
  private static final Set<GroupKind> OWNS_NOTHING =
      Set.of(new GroupKind("", "Event"), new GroupKind("events.k8s.io", "Event"));

  /**
   * Kubernetes marks definitions by code of their own: without a grace period, a finalizer of the
   * propagation or another generation. Whoever deletes one again is treated as with other kinds.
   */
  private static final GroupKind DEFINITION =
      new GroupKind("apiextensions.k8s.io", "CustomResourceDefinition");

  private Deletion() {}

  static Step decide(Resource resource, JsonObject object, DeletionOptions options, Instant now) {
    boolean isMarkedAlone =
        resource.groupKind().equals(DEFINITION) && !Metadata.of(object).isBeingDeleted();
    JsonObject marked =
        isMarkedAlone
            ? resource.rules().prepareForDelete(withoutGrace(mark(object, now, 0)))
            : withGrace(resource, withPropagation(resource, object, options), options, now);
    if (isDone(resource, marked)) {
      return new Step.Remove(resource.rules().deletesGracefully() ? marked : object);
    }
    return marked.equals(object) ? new Step.Nothing() : new Step.Mark(marked);
  }

  /** Whether nothing keeps an object any more that is being deleted. */
  static boolean isDone(Resource resource, JsonObject object) {
    Metadata metadata = Metadata.of(object);
    return metadata.isBeingDeleted()
        && metadata.deletionGracePeriodSeconds().orElse(0) == 0
        && metadata.finalizers().isEmpty()
        && !resource.rules().isHeld(object);
  }

  private static JsonObject withPropagation(
      Resource resource, JsonObject object, DeletionOptions options) {
    List<String> finalizers = new ArrayList<>(Metadata.of(object).finalizers());
    Propagation propagation =
        OWNS_NOTHING.contains(resource.groupKind())
            ? Propagation.BACKGROUND
            : options.propagation();
    if (propagation == null) {
      boolean decided =
          finalizers.contains(MetadataValidation.FOREGROUND_DELETION)
              || Metadata.of(object).isBeingDeleted();
      if (decided || !resource.orphansByDefault()) {
        return object;
      }
      propagation = Propagation.ORPHAN;
    }
    set(finalizers, MetadataValidation.ORPHAN, propagation == Propagation.ORPHAN);
    set(finalizers, MetadataValidation.FOREGROUND_DELETION, propagation == Propagation.FOREGROUND);
    return Metadata.update(
        object,
        metadata ->
            finalizers.isEmpty()
                ? metadata.without("finalizers")
                : metadata.with("finalizers", JsonArray.copyOf(finalizers)));
  }

  private static void set(List<String> finalizers, String finalizer, boolean wanted) {
    if (!wanted) {
      finalizers.remove(finalizer);
    } else if (!finalizers.contains(finalizer)) {
      finalizers.add(finalizer);
    }
  }

  private static JsonObject withGrace(
      Resource resource, JsonObject object, DeletionOptions options, Instant now) {
    Metadata metadata = Metadata.of(object);
    Long asked = askedGrace(options);
    if (!metadata.isBeingDeleted()) {
      long grace = resource.rules().gracePeriodSeconds(object, asked == null ? -1 : asked);
      JsonObject marked = mark(object, now.plusSeconds(grace), grace);
      if (resource.rules().isHeld(marked)) {
        // A namespace goes when it is empty, and has no time until then.
        marked = withoutGrace(marked);
      }
      marked = resource.rules().prepareForDelete(marked);
      return metadata.generation() > 0 ? Preparation.nextGeneration(marked) : marked;
    }
    OptionalLong before = metadata.deletionGracePeriodSeconds();
    if (before.isEmpty() && resource.groupKind().equals(DEFINITION)) {
      return mark(object, metadata.deletionTimestamp().orElse(now), 0);
    }
    if (asked == null || before.isEmpty() || asked >= before.getAsLong()) {
      return object;
    }
    Instant begin = metadata.deletionTimestamp().orElse(now).minusSeconds(before.getAsLong());
    Instant gone = begin.plusSeconds(asked);
    boolean over = gone.isBefore(now);
    // Over or not, who wants it gone in a moment does not want it gone at once.
    return mark(object, over ? now : gone, over && asked > 0 ? 1 : asked);
  }

  /** What is asked for; Kubernetes takes what is negative for a second. */
  private static @Nullable Long askedGrace(DeletionOptions options) {
    Long asked = options.gracePeriodSeconds();
    return asked == null || asked >= 0 ? asked : Long.valueOf(1);
  }

  private static JsonObject withoutGrace(JsonObject marked) {
    return Metadata.update(marked, metadata -> metadata.without("deletionGracePeriodSeconds"));
  }

  private static JsonObject mark(JsonObject object, Instant gone, long grace) {
    return Metadata.update(
        object,
        metadata ->
            metadata
                .with("deletionTimestamp", Times.format(gone))
                .with("deletionGracePeriodSeconds", grace));
  }
}
