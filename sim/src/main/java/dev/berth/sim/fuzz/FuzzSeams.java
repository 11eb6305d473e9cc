package dev.berth.sim.fuzz;

import dev.berth.client.Api;
import dev.berth.controllers.ControllerSettings;
import dev.berth.store.Store;

/** Where a test puts a bug into a simulated cluster, to see that it is found. */
interface FuzzSeams {
  /** No bug but the product's own. */
  FuzzSeams NONE = new FuzzSeams() {};

  /**
   * The network as a process sees it.
   *
   * @param account the service account by which a controller knows it, or what else calls itself
   */
  default Api client(String process, String account, Api network) {
    return network;
  }

  /** The server as the network sees it. */
  default Api server(Api server) {
    return server;
  }

  /** The store as the server sees it; faults are in front of it. */
  default Store store(Store store) {
    return store;
  }

  /** A server has been started with what the store holds. */
  default void serverStarted() {}

  default ControllerSettings controllers(ControllerSettings settings) {
    return settings;
  }
}
