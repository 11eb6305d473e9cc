package dev.berth.model.apps;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.regex.Pattern;

/**
 * A StatefulSet as its controller sees it.
 *
 * @param currentRevision the name of the revision that its pods had, as its status has it
 * @param collisionCount how many hashes of revisions turned out to be taken, as its status has it
 */
public record StatefulSetView(
    JsonObject tree,
    Metadata metadata,
    StatefulSetSpec spec,
    String currentRevision,
    long collisionCount) {
  private static final Pattern ORDINAL = Pattern.compile("0|[1-9][0-9]{0,8}");

  public static StatefulSetView read(JsonObject set) {
    JsonObject status = set.object("status");
    return new StatefulSetView(
        set,
        Metadata.of(set),
        StatefulSetSpec.read(set.object("spec")),
        status.text("currentRevision", ""),
        status.integer("collisionCount").orElse(0));
  }

  public String podName(long ordinal) {
    return metadata.name() + "-" + ordinal;
  }

  /** The ordinal in a pod's name; negative if it is not a name of this set's pods. */
  public long ordinal(String pod) {
    return ordinal(metadata.name(), pod);
  }

  /** The same by the name of the set. */
  public static long ordinal(String set, String pod) {
    String digits = pod.startsWith(set + "-") ? pod.substring(set.length() + 1) : "";
    return ORDINAL.matcher(digits).matches() ? Long.parseLong(digits) : -1;
  }
}
