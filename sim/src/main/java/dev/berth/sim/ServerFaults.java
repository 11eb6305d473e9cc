package dev.berth.sim;

import dev.berth.store.Store;
import dev.berth.time.LoopFailure;
import dev.berth.time.Time;
import dev.berth.time.VirtualTime;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * What is between a server and what it stands on: nothing, or something that makes it fail.
 *
 * @param time applied at each start of the server
 * @param store applied once, before the server is opened
 * @param onFailure is told of each loop of a supervised component that failed
 */
public record ServerFaults(
    UnaryOperator<Time> time,
    BiFunction<Store, VirtualTime, Store> store,
    LoopFailure.Listener onFailure) {
  static final ServerFaults NONE =
      new ServerFaults(
          time -> time,
          (store, _) -> store,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
}
