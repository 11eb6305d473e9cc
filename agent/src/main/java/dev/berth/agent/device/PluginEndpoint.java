package dev.berth.agent.device;

import dev.berth.policy.device.DeviceGrant;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A plugin that has registered. Answers come on the loop of the devices, and in time: what a plugin
 * does not answer by then has failed.
 */
final class PluginEndpoint {
  /** What upstream gives a plugin to be reached. */
  static final Duration DIAL = Duration.ofSeconds(10);

  /** What upstream gives this call. */
  static final Duration PRE_START = Duration.ofSeconds(30);

  /**
   * What a plugin gets to answer which devices it prefers, and to make them ready. Upstream waits
   * for ever, and admits no other pods meanwhile.
   */
  static final Duration ALLOCATE = Duration.ofMinutes(2);

  private static final String TOO_LATE =
      "rpc error: code = DeadlineExceeded desc = context deadline exceeded";

  private final Loop loop;
  private final PluginConnection connection;
  private PluginOptions options = PluginOptions.NONE;

  PluginEndpoint(Loop loop, PluginConnection connection) {
    this.loop = loop;
    this.connection = connection;
  }

  PluginOptions options() {
    return options;
  }

  void connect(Consumer<Answer<PluginOptions>> then) {
    this.<PluginOptions>timed(
        DIAL,
        told -> connection.connect(DIAL, told),
        answer -> {
          if (answer instanceof Answer.Value<PluginOptions>(PluginOptions given)) {
            options = given;
          }
          then.accept(answer);
        });
  }

  void listAndWatch(PluginConnection.DeviceWatch watch) {
    connection.listAndWatch(watch);
  }

  void preferredAllocation(
      Set<String> available, Set<String> reused, int size, Consumer<Answer<List<String>>> then) {
    timed(
        ALLOCATE,
        told -> connection.preferredAllocation(available, reused, size, ALLOCATE, told),
        then);
  }

  void allocate(Set<String> devices, Consumer<Answer<List<DeviceGrant>>> then) {
    timed(ALLOCATE, told -> connection.allocate(devices, ALLOCATE, told), then);
  }

  void preStartContainer(Set<String> devices, Consumer<Answer<PluginOptions>> then) {
    timed(PRE_START, told -> connection.preStartContainer(devices, PRE_START, told), then);
  }

  void close() {
    connection.close();
  }

  /** The first counts: the answer, or that none came in time. */
  private <T> void timed(
      Duration patience, Consumer<Consumer<Answer<T>>> begin, Consumer<Answer<T>> then) {
    boolean[] isOver = {false};
    Loop.Timer tooLate =
        loop.after(
            patience,
            () -> {
              if (!isOver[0]) {
                isOver[0] = true;
                then.accept(new Answer.Failed<>(TOO_LATE));
              }
            });
    begin.accept(answer ->
        // A timer is never refused.
        loop.after(
            Duration.ZERO,
            () -> {
              if (!isOver[0]) {
                isOver[0] = true;
                tooLate.cancel();
                then.accept(answer);
              }
            }));
  }
}
