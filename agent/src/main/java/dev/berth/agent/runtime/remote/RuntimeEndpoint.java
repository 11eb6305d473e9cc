package dev.berth.agent.runtime.remote;

import dev.berth.model.config.ConfigException;
import java.nio.file.Path;

/** Where a runtime listens, such as {@code unix:///run/containerd/containerd.sock}. */
public final class RuntimeEndpoint {
  private static final String SCHEME = "unix://";

  private RuntimeEndpoint() {}

  /**
   * The socket of an endpoint.
   *
   * @throws ConfigException with what would be right
   */
  public static Path socket(String endpoint) {
    String path = endpoint.startsWith(SCHEME) ? endpoint.substring(SCHEME.length()) : endpoint;
    if (!path.startsWith("/")) {
      throw new ConfigException(
          "a container runtime's endpoint must be a socket such as unix:///run/containerd/containerd.sock, not \"%s\""
              .formatted(endpoint));
    }
    return Path.of(path);
  }
}
