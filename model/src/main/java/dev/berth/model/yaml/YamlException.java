package dev.berth.model.yaml;

/** A text that is no YAML which JSON could hold. The message is for whoever wrote it. */
public final class YamlException extends RuntimeException {
  public YamlException(String message) {
    super(message);
  }
}
