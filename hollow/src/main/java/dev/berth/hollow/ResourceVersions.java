package dev.berth.hollow;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/**
 * Which of two states of an object is the newer one. A component knows a state from its watch and
 * from the answers to its requests, and the watch may be behind.
 */
public final class ResourceVersions {
  private ResourceVersions() {}

  /** Whether a state is older than another; not, if their revisions are no numbers. */
  public static boolean isOlder(JsonObject one, JsonObject other) {
    String first = Metadata.of(one).resourceVersion();
    String second = Metadata.of(other).resourceVersion();
    return first.length() == second.length()
        ? first.compareTo(second) < 0
        : first.length() < second.length();
  }
}
