package dev.berth.model.tree;

/** The JSON value {@code null}, so that a tree holds no Java null. */
public enum JsonNull {
  NULL;

  @Override
  public String toString() {
    return "null";
  }
}
