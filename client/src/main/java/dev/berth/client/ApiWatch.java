package dev.berth.client;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * A watch: the changes of some objects, in order. Nothing is pushed: the reader is told that there
 * may be events, and polls for them at its own pace. One thread polls at a time; any thread may
 * close it.
 */
public interface ApiWatch extends AutoCloseable {

  /** What happened to an object. */
  enum Change {
    ADDED,
    MODIFIED,
    DELETED
  }

  /**
   * One change.
   *
   * @param object as it is now, or as it was last when it is gone; its revision is the change's
   */
  record Event(Change change, JsonObject object) {}

  /** What a poll returns. */
  sealed interface Poll {
    /**
     * The next changes, perhaps none yet.
     *
     * @param revision everything up to here was taken: another watch can go on from there. It moves
     *     also without changes, by what Kubernetes calls bookmarks.
     */
    record Events(List<Event> events, String revision) implements Poll {}

    /** The server no longer knows what happened after the revision; the reader must list again. */
    record Expired(String message) implements Poll {}

    /** The server ended the watch, as it does now and then; another goes on where it ended. */
    record Ended() implements Poll {}

    /** The server refused the watch, or the connection broke. */
    record Failed(ApiResult.Failure why) implements Poll {}
  }

  /** At most {@code limit} changes. Never blocks. */
  Poll poll(int limit);

  @Override
  void close();
}
