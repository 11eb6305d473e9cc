package dev.berth.model.config;

/** A configuration that cannot be used. The message is for who wrote it. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message);
  }
}
