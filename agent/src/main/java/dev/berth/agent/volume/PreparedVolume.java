package dev.berth.agent.volume;

/**
 * A volume that is there.
 *
 * @param path where it is on the machine; empty for an image
 * @param isReadOnly whether containers may only read it, whatever they ask for
 * @param image whose files it has, for the runtime to mount; empty for what is at a path
 */
record PreparedVolume(String path, boolean isReadOnly, String image) {

  PreparedVolume(String path, boolean isReadOnly) {
    this(path, isReadOnly, "");
  }

  static PreparedVolume ofImage(String reference) {
    return new PreparedVolume("", true, reference);
  }

  boolean isImage() {
    return !image.isEmpty();
  }
}
