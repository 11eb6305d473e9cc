package dev.berth.agent.volume;

import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Volumes that are made of other objects, and follow them. Containers only read them.
 *
 * @param directory the plugin's name in a pod's directory
 * @param inMemory whether it never touches a disk, as what is secret should not
 */
record ProjectedPlugin(Path root, Time time, String directory, boolean inMemory, Content content)
    implements VolumePlugin {

  /** What such a volume holds. */
  interface Content {
    Map<String, ProjectedFile> files(PodVolume volume) throws SetUpException;
  }

  @Override
  public PreparedVolume setUp(PodVolume volume) throws SetUpException, IOException {
    // Read first: a volume that cannot be filled is not made.
    Map<String, ProjectedFile> files = content.files(volume);
    Path path = PodDirectory.of(root, volume.podUid()).volume(directory, volume.name());
    Directories.make(path, 0777);
    if (inMemory && !Mounts.isMountPoint(path)) {
      Mounts.tmpfs(path, "");
    }
    NestedMounts.make(volume, path);
    FsGroup owners = volume.fsGroup().always();
    new AtomicWriter(path).write(files, time.now(), all -> owners.apply(all, true));
    return new PreparedVolume(path.toString(), true);
  }
}
