package dev.berth.controllers.attachdetach;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.VolumeAttachmentView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.AttachableVolume;
import dev.berth.time.Time;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The VolumeAttachments that there are, by name, and by the volumes that they are of: heard of, or
 * written by this controller and not heard of yet.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class AttachmentIndex {
  private final Time time;
  private final VolumeIndex volumes;
  private final Listener listener;
  private final Map<String, TrackedAttachment> byName = new LinkedHashMap<>();
  private final Map<String, Set<TrackedAttachment>> byPersistentVolume = new HashMap<>();

  /** Learns what became of attachments. */
  interface Listener {
    /** What a node should be told may have changed. */
    void changed(String node);

    /** A driver has attached a volume. */
    void attached(TrackedAttachment attachment);

    /** A driver could not. */
    void failed(TrackedAttachment attachment, String why);
  }

  AttachmentIndex(Time time, VolumeIndex volumes, Listener listener) {
    this.time = time;
    this.volumes = volumes;
    this.listener = listener;
  }

  /** Takes note of what the watch told. */
  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      take(after, true);
    } else if (before != null) {
      gone(Metadata.of(before).name(), Metadata.of(before).uid());
    }
  }

  /** Takes note of what the server answered. */
  void answered(JsonObject tree) {
    take(tree, false);
  }

  private void take(JsonObject tree, boolean heard) {
    VolumeAttachmentView now = VolumeAttachmentView.read(tree);
    if (!isOurs(now)) {
      return;
    }
    TrackedAttachment tracked = byName.get(now.name());
    boolean isNew = tracked == null;
    if (tracked == null) {
      ObjectName volume = volumes.key(now.persistentVolume());
      tracked = new TrackedAttachment(now.name(), now.node(), volume, time.monotonicNow());
      byName.put(now.name(), tracked);
    }
    VolumeAttachmentView before = tracked.seen;
    tracked.isDoubted &= heard;
    if (!tracked.take(tree, heard, time.monotonicNow())) {
      return;
    }
    byPersistentVolume
        .computeIfAbsent(now.persistentVolume(), _ -> new LinkedHashSet<>(2))
        .add(tracked);
    volumes.put(tracked, now.persistentVolume(), isNew);
    listener.changed(now.node());
    if (before != null && !before.attached() && now.attached()) {
      listener.attached(tracked);
    }
    if (!now.error().isEmpty() && (before == null || !now.error().equals(before.error()))) {
      listener.failed(tracked, now.error());
    }
  }

  /**
   * Whether it has the name that this controller would give it, or could, if its PersistentVolume
   * is not known. What others have made under other names is theirs to delete.
   */
  private boolean isOurs(VolumeAttachmentView attachment) {
    String persistentVolume = attachment.persistentVolume();
    AttachableVolume volume = volumes.known(persistentVolume);
    boolean hasOurName =
        volume == null
            ? AttachableVolume.isAttachmentName(attachment.name())
            : volume.attachmentName(attachment.node()).equals(attachment.name());
    return hasOurName && !persistentVolume.isEmpty();
  }

  /** The server was asked to make an attachment: from now on there may be one. */
  void asked(AttachableVolume volume, String node) {
    TrackedAttachment tracked =
        new TrackedAttachment(
            volume.attachmentName(node), node, VolumeIndex.key(volume), time.monotonicNow());
    if (byName.putIfAbsent(tracked.name, tracked) == null) {
      volumes.put(tracked, volume.persistentVolume(), true);
    }
  }

  /**
   * An attachment is gone.
   *
   * @param uid which one; empty if there is none of this name at all
   */
  void gone(String name, String uid) {
    TrackedAttachment tracked = byName.get(name);
    if (tracked == null || (!uid.isEmpty() && !tracked.isOf(uid))) {
      return;
    }
    byName.remove(name);
    VolumeAttachmentView seen = tracked.seen;
    if (seen != null) {
      Set<TrackedAttachment> same = byPersistentVolume.get(seen.persistentVolume());
      if (same != null && same.remove(tracked) && same.isEmpty()) {
        byPersistentVolume.remove(seen.persistentVolume());
      }
    }
    volumes.remove(tracked);
    listener.changed(tracked.node);
  }

  /** A PersistentVolume changed: its attachments may be found to be of another volume. */
  void volumeChanged(String persistentVolume) {
    for (TrackedAttachment tracked :
        List.copyOf(byPersistentVolume.getOrDefault(persistentVolume, Set.of()))) {
      ObjectName volume = volumes.key(persistentVolume);
      // What is known of a volume that is gone is all that will ever be.
      if (!volume.equals(tracked.volume) && !volume.namespace().isEmpty()) {
        volumes.remove(tracked);
        if (tracked.seen != null && !isOurs(tracked.seen)) {
          byName.remove(tracked.name);
          continue;
        }
        tracked.volume = volume;
        volumes.put(tracked, persistentVolume, true);
        listener.changed(tracked.node);
      }
    }
  }
}
