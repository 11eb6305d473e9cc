package dev.berth.controllers.reconcile;

/**
 * A controller that runs: one loop owns all it knows, and nothing that it knows is durable. Closing
 * it is no different from a crash; another goes on from what the API server says.
 */
public interface Controller extends AutoCloseable {
  /** Ends it. Requests under way may still be done; what they answer is ignored. */
  @Override
  void close();
}
