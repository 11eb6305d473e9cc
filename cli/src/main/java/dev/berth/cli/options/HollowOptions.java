package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.NodeSize;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.resource.NameRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How many hollow nodes there are and how they behave. Several commands have these options; where
 * they stand among others, their names begin with {@code --hollow}.
 */
public final class HollowOptions {
  /** More do not fit into the addresses that hollow nodes have. */
  private static final int MOST_NODES = 1_000_000;

  private final Option count;
  private final Option zones =
      new Option(
          "--zones", "NAME,...", "The zones to spread hollow nodes over, in turn (default: none).");
  private final Option prefix;
  private final Option cpu;
  private final Option memory;
  private final Option pods;
  private final Option lease;
  private final Option renew;
  private final Option start;
  private final Option stop;
  private final Option noFinalStatus;
  private final Option crashes;
  private final Option notReady;

  private HollowOptions(Option count, String dashes) {
    this.count = count;
    prefix =
        new Option(
            dashes + "name-prefix", "NAME", "The prefix of hollow nodes' names (default: hollow).");
    cpu = new Option(dashes + "node-cpu", "QUANTITY", "The CPUs of each node (default: 4).");
    memory =
        new Option(dashes + "node-memory", "QUANTITY", "The memory of each node (default: 32Gi).");
    pods = new Option(dashes + "node-pods", "N", "How many pods each node can run (default: 110).");
    lease =
        new Option(
            dashes + "lease-duration", "DURATION", "How long leases are valid (default: 40s).");
    renew =
        new Option(
            dashes + "renew-every",
            "DURATION",
            "How often leases are renewed (default: a quarter of their duration).");
    start =
        new Option(
            dashes + "start-latency", "DURATION", "How long pods take to start (default: 500ms).");
    stop =
        new Option(
            dashes + "stop-latency", "DURATION", "How long pods take to stop (default: 200ms).");
    noFinalStatus =
        Option.flag(
            dashes + "no-final-status",
            "Deletes terminated pods without reporting their final status first.");
    crashes =
        new Option(
            dashes + "crashes-per-hour",
            "RATE",
            "How often each pod's container crashes, on average (default: 0).");
    notReady =
        new Option(
            dashes + "not-ready-per-hour",
            "RATE",
            "How often each node is not ready for a minute, on average (default: 0).");
  }

  /** The options of a command that runs hollow nodes among other things. */
  public static HollowOptions among() {
    return new HollowOptions(
        new Option("--hollow", "N", "The number of hollow nodes to run as well (default: 0)."),
        "--hollow-");
  }

  /** The options of the command that runs hollow nodes alone. */
  public static HollowOptions alone() {
    return new HollowOptions(new Option("--nodes", "N", "How many hollow nodes to run."), "--");
  }

  public List<Option> options() {
    return List.of(
        count,
        zones,
        prefix,
        cpu,
        memory,
        pods,
        lease,
        renew,
        start,
        stop,
        noFinalStatus,
        crashes,
        notReady);
  }

  /** These options and others. */
  public List<Option> with(List<Option> others) {
    List<Option> all = new ArrayList<>(others);
    all.addAll(options());
    return List.copyOf(all);
  }

  /** What was asked for; empty if no nodes are wanted. */
  public Optional<HollowSettings> settings(Arguments arguments) {
    int nodes = arguments.number(count.name(), 0, 0, MOST_NODES);
    if (nodes == 0) {
      for (Option option : options()) {
        if (arguments.has(option.name()) && !option.equals(count)) {
          throw new UsageException(
              "%s needs hollow nodes: add %s.".formatted(option.name(), count.shown()));
        }
      }
      return Optional.empty();
    }
    HollowSettings settings =
        HollowSettings.of(nodes).zones(zones(arguments)).size(size(arguments));
    Optional<String> names = arguments.text(prefix.name());
    if (names.isPresent()) {
      checkName(prefix, names.get());
      settings = settings.prefix(names.get());
    }
    settings =
        settings
            .leaseDuration(duration(arguments, lease, settings.heartbeats().leaseDuration()))
            .startLatency(duration(arguments, start, settings.pods().start()))
            .stopLatency(duration(arguments, stop, settings.pods().stop()))
            .crashesPerHour(rate(arguments, crashes))
            .notReadyPerHour(rate(arguments, notReady));
    settings = settings.renewEvery(duration(arguments, renew, settings.heartbeats().renewEvery()));
    return Optional.of(
        arguments.has(noFinalStatus.name()) ? settings.withoutFinalStatus() : settings);
  }

  private List<String> zones(Arguments arguments) {
    List<String> names = arguments.list(zones.name());
    for (String name : names) {
      List<String> errors = NameRules.labelValue(name);
      if (name.isEmpty() || !errors.isEmpty()) {
        throw new UsageException(
            "%s must be names separated by commas, such as a,b,c; \"%s\" is not one."
                .formatted(zones.name(), name));
      }
    }
    return names;
  }

  private static void checkName(Option option, String name) {
    if (!NameRules.dns1123Subdomain(name).isEmpty()) {
      throw new UsageException(
          "%s must be the prefix of a node name (lower-case letters, digits, - and .), not \"%s\"."
              .formatted(option.name(), name));
    }
  }

  private NodeSize size(Arguments arguments) {
    NodeSize usual = NodeSize.USUAL;
    try {
      return new NodeSize(
          arguments.text(cpu.name()).orElse(usual.cpu()),
          arguments.text(memory.name()).orElse(usual.memory()),
          usual.ephemeralStorage(),
          arguments.number(pods.name(), usual.pods(), 0, 100_000));
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "%s and %s must be quantities such as 500m, 4 or 32Gi: %s."
              .formatted(cpu.name(), memory.name(), e.getMessage()));
    }
  }

  private static Duration duration(Arguments arguments, Option option, Duration otherwise) {
    Optional<String> text = arguments.text(option.name());
    if (text.isEmpty()) {
      return otherwise;
    }
    Duration duration = GoDuration.parse(text.get());
    boolean mayBeZero = option.name().endsWith("latency");
    if (duration == null || (duration.isZero() && !mayBeZero)) {
      throw new UsageException(
          "%s must be a duration such as 500ms, 10s or 1m30s, not \"%s\"."
              .formatted(option.name(), text.get()));
    }
    return duration;
  }

  private static double rate(Arguments arguments, Option option) {
    Optional<String> text = arguments.text(option.name());
    if (text.isEmpty()) {
      return 0;
    }
    try {
      double rate = Double.parseDouble(text.get());
      if (rate >= 0 && rate <= 1e6) {
        return rate;
      }
    } catch (NumberFormatException e) {
      // Said below, like a number that is none.
    }
    throw new UsageException(
        "%s must be a number per hour, such as 0.5, not \"%s\"."
            .formatted(option.name(), text.get()));
  }
}
