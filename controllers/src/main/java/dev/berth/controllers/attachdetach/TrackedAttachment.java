package dev.berth.controllers.attachdetach;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.VolumeAttachmentView;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A VolumeAttachment that is there, or may be: the server was asked to make it and did not answer.
 * What this controller wrote itself counts before it is heard of.
 */
final class TrackedAttachment {
  /** How long news of one may take before the server is asked. */
  private static final Duration HEARD_OF_WITHIN = Duration.ofSeconds(30);

  final String name;
  final String node;

  /** Which volume it is of. */
  ObjectName volume;

  /** Null while nobody knows whether there is one. */
  @Nullable VolumeAttachmentView seen;

  private Metadata metadata = new Metadata(JsonObject.EMPTY);
  private Instant since;
  private boolean isHeardOf;

  /** The server was asked to do something to it and did not answer. */
  boolean isDoubted;

  /** Its node is not told that it is attached, since it is about to be detached. */
  boolean isWithdrawn;

  TrackedAttachment(String name, String node, ObjectName volume, Instant since) {
    this.name = name;
    this.node = node;
    this.volume = volume;
    this.since = since;
  }

  /**
   * Takes a state of it, if that is news.
   *
   * @param heard whether it is from the watch
   */
  boolean take(JsonObject tree, boolean heard, Instant now) {
    Metadata told = Metadata.of(tree);
    isHeardOf |= heard;
    since = now;
    if (seen != null && told.isBefore(metadata)) {
      return false;
    }
    boolean left = seen != null && seen.terminating() && seen.uid().equals(told.uid());
    VolumeAttachmentView read = VolumeAttachmentView.read(tree);
    seen = left ? read.asTerminating() : read;
    metadata = told;
    return true;
  }

  /** The server has taken its deletion, of which the watch may not have told yet. */
  void left() {
    seen = seen == null ? null : seen.asTerminating();
  }

  boolean isOf(String uid) {
    return seen != null && seen.uid().equals(uid);
  }

  /** Whether the server must be asked how it is before anything is decided by it. */
  boolean isDoubtful(Instant now) {
    return seen == null || isDoubted || (!isHeardOf && !now.isBefore(since.plus(HEARD_OF_WITHIN)));
  }

  /** When that will have to be asked, if nothing is heard of it. */
  @Nullable Duration doubtfulAfter() {
    return isHeardOf ? null : HEARD_OF_WITHIN;
  }
}
