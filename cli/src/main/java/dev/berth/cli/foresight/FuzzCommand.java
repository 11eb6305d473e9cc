package dev.berth.cli.foresight;

import com.sun.management.OperatingSystemMXBean;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.sim.fuzz.FuzzFailure;
import dev.berth.sim.fuzz.FuzzOutcome;
import dev.berth.sim.fuzz.FuzzSettings;
import dev.berth.sim.fuzz.Fuzzer;
import dev.berth.sim.scenario.Spans;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Simulates Berth itself under faults, seed after seed, and tells the first that does harm. */
public final class FuzzCommand implements Command {
  private static final int MOST_NODES = 1_000;
  private static final int MOST_PODS = 40_000;
  private static final int MOST_STEPS = 10_000;
  private static final int MOST_MINUTES = 100_000;
  private static final int MOST_SEEDS = 1_000_000;
  private static final int DEFAULT_MINUTES = 10;
  private static final int SHRINK_MINUTES = 5;
  private static final FuzzSettings USUAL = FuzzSettings.DEFAULT;

  private static final Option MINUTES =
      new Option("--minutes", "N", "How long to go on (default: " + DEFAULT_MINUTES + ").");
  private static final Option SEED =
      new Option("--seed", "S", "The first seed; those after it follow (default: drawn anew).");
  private static final Option SEEDS =
      new Option("--seeds", "N", "How many seeds to play at most (default: as time allows).");
  private static final Option NODES =
      new Option(
          "--nodes", "N", "How many nodes there are (default: %d).".formatted(USUAL.nodes()));
  private static final Option PODS =
      new Option(
          "--pods", "N", "How many pods there are, about (default: %d).".formatted(USUAL.pods()));
  private static final Option STEPS =
      new Option(
          "--steps",
          "N",
          "How many faults and changes there are in a history (default: %d)."
              .formatted(USUAL.steps()));
  private static final Option SPAN =
      new Option(
          "--span",
          "N",
          "Over how many simulated minutes they are spread (default: %d)."
              .formatted(USUAL.span().toMinutes()));
  private static final Option ONLY =
      new Option(
          "--only",
          "N,...",
          "With --seed: plays that history with these of its steps alone, as a failure says it.");
  private static final Option SHRINK =
      new Option(
          "--shrink-minutes",
          "N",
          "How long to look for a shorter history that fails (default: " + SHRINK_MINUTES + ").");

  @Override
  public String name() {
    return "fuzz";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Simulates Berth itself under faults, and checks after every write that nothing is broken.",
        "The production server, two schedulers and two processes of all controllers, with hollow"
            + " nodes on virtual time: crashes, disk errors, partitions, lost, repeated, slow and"
            + " late messages, jumping clocks and lost nodes, while workloads change. A failure"
            + " names the invariant, the seed and the shortest history found, with the command that"
            + " replays it; the exit status is then 1.");
  }

  @Override
  public List<Option> options() {
    return List.of(MINUTES, SEED, SEEDS, NODES, PODS, STEPS, SPAN, ONLY, SHRINK);
  }

  @Override
  public int run(Arguments arguments, Console console) {
    FuzzSettings settings = settings(arguments);
    int minutes = arguments.number(MINUTES.name(), DEFAULT_MINUTES, 1, MOST_MINUTES);
    int shrinkMinutes = arguments.number(SHRINK.name(), SHRINK_MINUTES, 0, MOST_MINUTES);
    Set<Integer> only = only(arguments, settings.steps());
    if (!only.isEmpty() && !arguments.has(SEED.name())) {
      throw new UsageException(ONLY.name() + " needs " + SEED.name() + ".");
    }
    int seeds = only.isEmpty() ? arguments.number(SEEDS.name(), MOST_SEEDS, 1, MOST_SEEDS) : 1;
    try (WallTime time = new WallTime(_ -> {})) {
      long first = seed(arguments, time);
      Campaign campaign = new Campaign(settings, time, TerminalLine.on(console));
      for (int i = 0; i < seeds && campaign.lasted().toMinutes() < minutes; i++) {
        FuzzOutcome outcome = campaign.play(first + i, only);
        if (outcome.failure().isPresent()) {
          FuzzFailure failure = outcome.failure().get();
          tellFound(failure, console.out());
          FuzzFailure shortest = campaign.shrink(failure, Duration.ofMinutes(shrinkMinutes));
          tellShortest(shortest, given(arguments), console.out());
          return ExitCode.FAILED;
        }
      }
      console.out().println(campaign.summary());
      return ExitCode.OK;
    }
  }

  private static void tellFound(FuzzFailure failure, PrintWriter out) {
    out.printf("Seed %d: it does not hold that %s.%n", failure.seed(), failure.invariant());
    out.printf("At %s: %s%n", failure.at(), failure.what());
    out.flush();
  }

  /**
   * Tells the shortest history that fails, and how to play it again.
   *
   * @param size the options by which its cluster differs from the usual one
   */
  static void tellShortest(FuzzFailure shortest, List<String> size, PrintWriter out) {
    String numbers =
        shortest.numbers().stream().map(String::valueOf).collect(Collectors.joining(","));
    int steps = shortest.numbers().size();
    out.printf("%nThe shortest history found has %d %s:%n", steps, steps == 1 ? "step" : "steps");
    shortest.history().forEach(line -> out.println("  " + line));
    out.println("It ends at %s: %s".formatted(shortest.at(), shortest.what()));
    List<String> words = new ArrayList<>(List.of("berth fuzz --seed " + shortest.seed()));
    words.addAll(size);
    String whole = String.join(" ", words) + " " + SEEDS.name() + " 1";
    out.println(
        "To replay it: "
            + (numbers.isEmpty()
                ? whole
                : String.join(" ", words) + " " + ONLY.name() + " " + numbers));
    out.println("To replay the whole history: " + whole);
  }

  private static List<String> given(Arguments arguments) {
    return Stream.of(NODES, PODS, STEPS, SPAN)
        .flatMap(option ->
            arguments.text(option.name()).stream().map(value -> option.name() + " " + value))
        .toList();
  }

  private static FuzzSettings settings(Arguments arguments) {
    int nodes = arguments.number(NODES.name(), USUAL.nodes(), 1, MOST_NODES);
    int pods = arguments.number(PODS.name(), USUAL.pods(), 1, MOST_PODS);
    int steps = arguments.number(STEPS.name(), USUAL.steps(), 0, MOST_STEPS);
    int span = arguments.number(SPAN.name(), (int) USUAL.span().toMinutes(), 1, MOST_MINUTES);
    try {
      return new FuzzSettings(nodes, pods, steps, Duration.ofMinutes(span));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static Set<Integer> only(Arguments arguments, int steps) {
    Set<Integer> numbers = new TreeSet<>();
    for (String number : arguments.list(ONLY.name())) {
      try {
        numbers.add(Integer.parseInt(number.strip()));
      } catch (NumberFormatException e) {
        throw new UsageException(
            "%s must be the numbers of steps, such as 3,17,40, not \"%s\"."
                .formatted(ONLY.name(), number));
      }
    }
    for (int number : numbers) {
      if (number < 1 || number > steps) {
        throw new UsageException(
            "%s: there is no step %d, since a history has %d (%s)."
                .formatted(ONLY.name(), number, steps, STEPS.name()));
      }
    }
    return numbers;
  }

  private static long seed(Arguments arguments, WallTime time) {
    String given = arguments.text(SEED.name()).orElse("");
    if (given.isEmpty()) {
      return time.random("seed").nextInt(1, Integer.MAX_VALUE);
    }
    try {
      return Long.parseLong(given);
    } catch (NumberFormatException e) {
      throw new UsageException(
          "%s must be a whole number, not \"%s\".".formatted(SEED.name(), given));
    }
  }

  /** Histories, one after the other. */
  private static final class Campaign {
    private final Fuzzer fuzzer;
    private final WallTime time;
    private final TerminalLine progress;
    private final Instant began;
    private Duration simulated = Duration.ZERO;
    private long writes;
    private int histories;

    Campaign(FuzzSettings settings, WallTime time, TerminalLine progress) {
      this.fuzzer = new Fuzzer(settings);
      this.time = time;
      this.progress = progress;
      this.began = time.monotonicNow();
    }

    Duration lasted() {
      return time.since(began);
    }

    FuzzOutcome play(long seed, Set<Integer> only) {
      progress.show("seed %d; so far %s".formatted(seed, summary()));
      FuzzOutcome outcome = only.isEmpty() ? fuzzer.play(seed) : fuzzer.play(seed, only);
      histories++;
      simulated = simulated.plus(outcome.simulated());
      writes += outcome.writes();
      progress.clear();
      return outcome;
    }

    FuzzFailure shrink(FuzzFailure failure, Duration atMost) {
      Instant from = time.monotonicNow();
      int[] tries = {0};
      FuzzFailure shortest =
          fuzzer.shrink(
              failure,
              () -> {
                progress.show("looking for a shorter history, try %d".formatted(++tries[0]));
                return time.since(from).compareTo(atMost) < 0;
              });
      progress.clear();
      return shortest;
    }

    String summary() {
      return "%,d %s, %s simulated, %,d writes checked, in %s with %s of processor time"
          .formatted(
              histories,
              histories == 1 ? "history" : "histories",
              Spans.text(Duration.ofMinutes(simulated.toMinutes())),
              writes,
              Spans.text(Duration.ofSeconds(lasted().toSeconds())),
              Spans.text(Duration.ofSeconds(1 + processorTime().toSeconds())));
    }

    /** Of the whole process, its compiler and its garbage collector included; never too little. */
    private static Duration processorTime() {
      return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
          ? Duration.ofNanos(system.getProcessCpuTime())
          : Duration.ZERO;
    }
  }
}
