package dev.berth.registry;

import dev.berth.kinds.resource.MetadataValidation;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions.Propagation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
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

  private Deletion() {}

  static Step decide(Resource resource, JsonObject object, DeletionOptions options, Instant now) {
    JsonObject marked = withPropagation(resource, object, options);
    marked = withGrace(resource, marked, options, now);
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
    Propagation propagation = options.propagation();
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
        marked = Metadata.update(marked, m -> m.without("deletionGracePeriodSeconds"));
      }
      marked = resource.rules().prepareForDelete(marked);
      return metadata.generation() > 0 ? Preparation.nextGeneration(marked) : marked;
    }
    OptionalLong before = metadata.deletionGracePeriodSeconds();
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

  private static JsonObject mark(JsonObject object, Instant gone, long grace) {
    return Metadata.update(
        object,
        metadata ->
            metadata
                .with("deletionTimestamp", Times.format(gone))
                .with("deletionGracePeriodSeconds", grace));
  }
}
