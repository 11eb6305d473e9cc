package dev.berth.bench.cost;

import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * What single things cost the server: {@code bench/run cost [cluster|api|process]}. Prints tables
 * for docs/performance.md, of a server that was warmed up by the same things before.
 */
public final class CostBench {
  private final Path folder;
  private final List<Cost> costs = new ArrayList<>();

  private CostBench(Path folder) {
    this.folder = folder;
  }

  /** What one thing cost. */
  private record Cost(String what, Counters each, Map<String, Double> stages) {}

  /** Something that is done so many times. */
  interface Work {
    void run() throws Exception;
  }

  public static void main(String... arguments) throws Exception {
    String what = arguments.length > 0 ? arguments[0] : "all";
    System.out.printf(
        "load of the machine before: %.2f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      if (what.equals("process")) {
        ProcessWork.measure();
        return;
      }
      if (!what.equals("api")) {
        CostBench cluster = new CostBench(folder);
        ClusterWork.measure(cluster, folder);
        cluster.print();
      }
      if (!what.equals("cluster")) {
        CostBench api = new CostBench(folder);
        ApiWork.measure(api, folder);
        api.print();
      }
    } finally {
      Folders.delete(folder);
    }
  }

  /** Does something and counts what that takes for each of so many. */
  void measure(String what, Berth berth, int units, Work work) throws Exception {
    Control control = new Control(berth);
    Counters before = Counters.of(berth, control);
    Profile profile = Profile.begin(berth, folder);
    work.run();
    Map<String, Double> stages = profile.end();
    Counters each = Counters.of(berth, control).since(before, units);
    stages.replaceAll((stage, micros) -> micros / units);
    costs.add(new Cost(what, each, stages));
  }

  private void print() {
    StringBuilder head = new StringBuilder("| for each |");
    StringBuilder line = new StringBuilder("|---|");
    costs.forEach(cost -> {
      head.append(' ').append(cost.what).append(" |");
      line.append("---|");
    });
    System.out.println();
    System.out.println(head);
    System.out.println(line);
    row("writes", cost -> cost.each.writes());
    row("transactions, each an fsync", cost -> cost.each.transactions());
    row("bytes written", cost -> cost.each.bytes());
    row("KB allocated", cost -> cost.each.allocated() / 1e3);
    row("controllers told", cost -> cost.each.told());
    row("**processor time, µs**", cost -> cost.each.cpuMicros());
    Set<String> stages = new LinkedHashSet<>();
    costs.forEach(cost -> stages.addAll(cost.stages.keySet()));
    for (String stage : stages) {
      row(stage, cost -> cost.stages.getOrDefault(stage, 0.0));
    }
  }

  private void row(String name, ToDoubleFunction<Cost> figure) {
    StringBuilder row = new StringBuilder("| ").append(name).append(" |");
    boolean worthShowing = false;
    for (Cost cost : costs) {
      double value = figure.applyAsDouble(cost);
      worthShowing |= value >= 0.5 || name.startsWith("transactions");
      row.append(String.format(Locale.ROOT, value < 10 ? " %.1f |" : " %,.0f |", value));
    }
    if (worthShowing) {
      System.out.println(row);
    }
  }
}
