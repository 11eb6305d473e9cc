package dev.berth.agent.runtime;

/**
 * When a container's log is put aside and another one begun.
 *
 * @param maxBytes how large a file gets, by and large
 * @param maxFiles how many there are of a container, with the one that is written to
 */
public record LogRotation(long maxBytes, int maxFiles) {
  /** Kubernetes' {@code containerLogMaxSize} and {@code containerLogMaxFiles}. */
  public static final LogRotation DEFAULT = new LogRotation(10L << 20, 5);

  public LogRotation {
    if (maxBytes < 1 || maxFiles < 2) {
      throw new IllegalArgumentException("logs need room and at least two files");
    }
  }
}
