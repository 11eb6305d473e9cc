package dev.berth.agent.runtime;

/**
 * A file or directory of the machine, or the files of an image, at a place in a container.
 *
 * @param hostPath empty for an image
 * @param isRecursivelyReadOnly whether what is mounted within it is read-only, too
 * @param propagation {@code None}, {@code HostToContainer} or {@code Bidirectional}
 * @param image as the pod's specification names it; empty for what is the machine's
 * @param imageSubPath the part of the image; empty for all of it
 */
public record Mount(
    String hostPath,
    String containerPath,
    boolean isReadOnly,
    boolean isRecursivelyReadOnly,
    String propagation,
    String image,
    String imageSubPath) {

  public Mount(
      String hostPath,
      String containerPath,
      boolean isReadOnly,
      boolean isRecursivelyReadOnly,
      String propagation) {
    this(hostPath, containerPath, isReadOnly, isRecursivelyReadOnly, propagation, "", "");
  }

  public boolean isImage() {
    return !image.isEmpty();
  }

  public Mount withoutRecursiveReadOnly() {
    return new Mount(hostPath, containerPath, isReadOnly, false, propagation, image, imageSubPath);
  }
}
