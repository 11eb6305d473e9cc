package dev.berth.agent.volume;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Gives a volume to the group of a pod, {@code securityContext.fsGroup}.
 *
 * <ol>
 *   <li>Everything in it gets the group; links themselves too, but not what they point to.
 *   <li>Files may be read and written by the group, or only read in a volume that is read-only.
 *   <li>Directories may be entered besides, and what is made in them gets the group (set-group-ID).
 *   <li>Permissions are only added.
 * </ol>
 *
 * <p>Nothing outside of the volume is changed, even if another pod moves things about in it
 * meanwhile.
 *
 * @param group empty if the pod has none: then nothing is changed
 * @param onlyOnMismatch whether it is enough that the volume's own directory is as it should be:
 *     {@code fsGroupChangePolicy: OnRootMismatch}
 */
record FsGroup(OptionalLong group, boolean onlyOnMismatch) {
  private static final int READ_WRITE = 0660;
  private static final int READ_ONLY = 0440;
  private static final int ENTER = 0110;
  private static final int UNCHANGED = -1;

  /** The same with no regard to the policy, as it is for volumes that are the pod's own. */
  FsGroup always() {
    return new FsGroup(group, false);
  }

  void apply(Path volume, boolean isReadOnly) throws IOException {
    if (group.isPresent() && !(onlyOnMismatch && isRight(volume, isReadOnly))) {
      TreeWalk.visit(volume, new Change(group.getAsLong(), isReadOnly ? READ_ONLY : READ_WRITE));
    }
  }

  private boolean isRight(Path volume, boolean isReadOnly) throws IOException {
    try (Handle directory = Handle.directory(volume)) {
      FileStat stat = directory.stat();
      int wanted = (isReadOnly ? READ_ONLY : READ_WRITE) | ENTER | FileStat.SET_GID;
      return stat.group() == group.getAsLong() && (stat.permissions() & wanted) == wanted;
    }
  }

  private record Change(long group, int mask) implements TreeWalk.Visitor {
    @Override
    public void visitFile(Handle parent, byte[] name, FileStat stat) throws IOException {
      try (Handle file = parent.open(name)) {
        // What is there by now may be another file, and is changed as what it is.
        change(file, file.stat());
      }
    }

    @Override
    public void visitDirectory(Handle directory, FileStat stat) throws IOException {
      change(directory, stat);
    }

    private void change(Handle file, FileStat stat) throws IOException {
      if (stat.group() != group) {
        file.changeOwner(UNCHANGED, group);
      }
      if (stat.isLink()) {
        return;
      }
      int mode = stat.permissions() | mask | (stat.isDirectory() ? ENTER | FileStat.SET_GID : 0);
      // A change of group takes the set-group-ID of files away, so it is set again.
      if (mode != stat.permissions() || stat.group() != group) {
        file.changeMode(mode);
      }
    }
  }
}
