package dev.berth.hollow;

import dev.berth.client.Api;
import dev.berth.metrics.Metrics;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.function.Consumer;

/** Simulated nodes, many of them, that run until they are closed. */
public final class HollowNodes implements AutoCloseable {

  /**
   * What to make them of.
   *
   * @param api the server, as somebody who may be any node sees it
   * @param complaints gets sentences for the operator
   */
  public record Parts(
      Api api, Time time, Metrics metrics, HollowSettings settings, Consumer<String> complaints) {}

  private final Loop loop;

  private HollowNodes(Parts parts) {
    loop = parts.time().start("hollow");
  }

  /** Registers the nodes and begins to run what is bound to them. */
  public static HollowNodes start(Parts parts) {
    return new HollowNodes(parts);
  }

  @Override
  public void close() {
    loop.close();
  }
}
