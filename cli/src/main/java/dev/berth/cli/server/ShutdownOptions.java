package dev.berth.cli.server;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How a server stops, under kube-apiserver's names. */
final class ShutdownOptions {
  /**
   * Long enough for berth proxy, for nodes that follow the endpoints of the service kubernetes, and
   * for a load balancer that asks every second or two.
   */
  static final Duration AMONG_OTHERS = Duration.ofSeconds(5);

  private static final Option DELAY =
      new Option(
          "--shutdown-delay-duration",
          "DURATION",
          "How long a server that was told to stop goes on to answer requests, while /readyz says"
              + " that it is not ready, so that load balancers send nothing more (default: %s where"
                  .formatted(FlagValues.text(AMONG_OTHERS))
              + " other servers of the cluster are alive, or else 0).");

  private ShutdownOptions() {}

  static List<Option> options() {
    return List.of(DELAY);
  }

  /** Empty if it depends on whether there are others. */
  static Optional<Duration> delay(Arguments arguments) {
    return arguments.has(DELAY.name())
        ? Optional.of(FlagValues.durationOrZero(arguments, DELAY, Duration.ZERO))
        : Optional.empty();
  }
}
