package dev.berth.agent.volume;

import java.util.Arrays;
import java.util.OptionalLong;

/** A file of a volume that is made of other objects: its content, permissions and owner. */
final class ProjectedFile {
  private final byte[] content;
  private final int mode;
  private final OptionalLong owner;

  ProjectedFile(byte[] content, int mode) {
    this(content, mode, OptionalLong.empty());
  }

  /**
   * @param owner root if empty
   */
  ProjectedFile(byte[] content, int mode, OptionalLong owner) {
    this.content = content.clone();
    this.mode = mode;
    this.owner = owner;
  }

  byte[] content() {
    return content.clone();
  }

  int mode() {
    return mode;
  }

  OptionalLong owner() {
    return owner;
  }

  boolean hasContent(byte[] other) {
    return Arrays.equals(content, other);
  }
}
