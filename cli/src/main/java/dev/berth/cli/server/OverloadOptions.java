package dev.berth.cli.server;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.http.ConnectionLimits;
import dev.berth.http.HttpLimits;
import dev.berth.serving.flowcontrol.FlowControlSettings;
import java.util.List;

/** The options by which a server protects itself from too many requests and connections. */
final class OverloadOptions {
  private static final FlowControlSettings USUAL = FlowControlSettings.DEFAULT;
  private static final ConnectionLimits CONNECTIONS = ConnectionLimits.DEFAULT;

  private static final Option PRIORITY_AND_FAIRNESS =
      new Option(
          "--enable-priority-and-fairness",
          "true|false",
          "Whether requests wait for their turn by FlowSchemas and PriorityLevelConfigurations"
              + " (default: true); if not, those above the limits are refused.");
  private static final Option MAX_REQUESTS =
      new Option(
          "--max-requests-inflight",
          "N",
          "How many reading requests may run at once (default: %d). With priority and fairness, the"
                  .formatted(USUAL.maxRequestsInFlight())
              + " priority levels share the sum of this and the next number.");
  private static final Option MAX_MUTATING_REQUESTS =
      new Option(
          "--max-mutating-requests-inflight",
          "N",
          "How many writing requests may run at once (default: %d)."
              .formatted(USUAL.maxMutatingRequestsInFlight()));

  private static final Option MAX_CONNECTIONS =
      new Option(
          "--max-connections",
          "N",
          "How many connections there may be (default: %d). Beyond this and the next limits, the"
                  .formatted(CONNECTIONS.total())
              + " oldest connection without an authenticated request is closed, or the new one.");
  private static final Option MAX_PER_ADDRESS =
      new Option(
          "--max-connections-per-address",
          "N",
          "How many of them from one address (IPv6: one /64 network; default: %d)."
              .formatted(CONNECTIONS.perAddress()));
  private static final Option MAX_UNAUTHENTICATED =
      new Option(
          "--max-unauthenticated-connections",
          "N",
          "How many of them without an authenticated request (default: %d); the rest is kept for"
                  .formatted(CONNECTIONS.unauthenticated())
              + " authenticated clients.");
  private static final Option MAX_UNAUTHENTICATED_PER_ADDRESS =
      new Option(
          "--max-unauthenticated-connections-per-address",
          "N",
          "How many of those from one address (default: %d)."
              .formatted(CONNECTIONS.unauthenticatedPerAddress()));

  private OverloadOptions() {}

  static List<Option> options() {
    return List.of(
        PRIORITY_AND_FAIRNESS,
        MAX_REQUESTS,
        MAX_MUTATING_REQUESTS,
        MAX_CONNECTIONS,
        MAX_PER_ADDRESS,
        MAX_UNAUTHENTICATED,
        MAX_UNAUTHENTICATED_PER_ADDRESS);
  }

  static FlowControlSettings flowControl(Arguments arguments) {
    boolean fair =
        switch (arguments.text(PRIORITY_AND_FAIRNESS.name()).orElse("true")) {
          case "true" -> true;
          case "false" -> false;
          case String other ->
              throw new UsageException(
                  "%s must be true or false, not \"%s\"."
                      .formatted(PRIORITY_AND_FAIRNESS.name(), other));
        };
    int reading = number(arguments, MAX_REQUESTS, USUAL.maxRequestsInFlight());
    int writing = number(arguments, MAX_MUTATING_REQUESTS, USUAL.maxMutatingRequestsInFlight());
    if (fair && reading + writing == 0) {
      throw new UsageException(
          "%s and %s must not both be 0 with priority and fairness."
              .formatted(MAX_REQUESTS.name(), MAX_MUTATING_REQUESTS.name()));
    }
    return new FlowControlSettings(fair, reading, writing);
  }

  static HttpLimits httpLimits(Arguments arguments) {
    return HttpLimits.DEFAULT.withConnections(
        new ConnectionLimits(
            connections(arguments, MAX_CONNECTIONS, CONNECTIONS.total()),
            connections(arguments, MAX_PER_ADDRESS, CONNECTIONS.perAddress()),
            connections(arguments, MAX_UNAUTHENTICATED, CONNECTIONS.unauthenticated()),
            connections(
                arguments,
                MAX_UNAUTHENTICATED_PER_ADDRESS,
                CONNECTIONS.unauthenticatedPerAddress())));
  }

  private static int connections(Arguments arguments, Option option, int usual) {
    return arguments.number(option.name(), usual, 1, 1_000_000);
  }

  private static int number(Arguments arguments, Option option, int usual) {
    return arguments.number(option.name(), usual, 0, 1_000_000);
  }
}
