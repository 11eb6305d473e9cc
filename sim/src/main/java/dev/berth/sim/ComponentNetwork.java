package dev.berth.sim;

import dev.berth.client.Api;

/** What is between components and the server: nothing, or something that fails. */
@FunctionalInterface
public interface ComponentNetwork {

  /** Nothing. */
  ComponentNetwork DIRECT = (component, server) -> server;

  /**
   * The server as a component sees it.
   *
   * @param component such as {@code controllers}, {@code scheduler} or {@code hollow}
   */
  Api between(String component, Api server);
}
