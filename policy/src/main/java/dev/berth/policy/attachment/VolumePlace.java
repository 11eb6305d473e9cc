package dev.berth.policy.attachment;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.VolumeAttachmentView;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A volume at one node.
 *
 * @param state null if there is no such node
 * @param pods those there that need the volume, in the order in which they were made
 * @param attachment null if there is none
 * @param unneededSince since when no pod there needs it; nothing is waited for before that is known
 */
public record VolumePlace(
    String node,
    @Nullable NodeVolumes state,
    List<Use> pods,
    @Nullable VolumeAttachmentView attachment,
    Instant unneededSince) {

  /** A pod that needs the volume. */
  public record Use(ObjectName pod, Instant created) {
    static final Comparator<Use> OLDEST =
        Comparator.comparing(Use::created).thenComparing(Use::pod);
  }

  public VolumePlace {
    pods = pods.stream().sorted(Use.OLDEST).toList();
  }

  public boolean isNeeded() {
    return !pods.isEmpty();
  }

  /** Whether this is a place to attach to: there is a node that leaves that to the controller. */
  boolean canBeAttached() {
    return isNeeded() && state != null && state.managed();
  }

  /** Whether the node says that it uses the volume. A node that is gone says nothing. */
  boolean isInUse() {
    return state != null && attachment != null && state.uses(node, attachment.name());
  }

  /** Whether the node itself attaches and detaches. */
  boolean isLeftAlone() {
    return state != null && !state.managed();
  }
}
