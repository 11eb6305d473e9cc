package dev.berth.bench.firstminute;

import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a new user gets: {@code bench/run firstminute [what...] [--runs N] [--nodes N] [--pods N]
 * [--distribution FOLDER]...}. Each measurement starts a server anew, without a warm-up: {@code
 * pods} from their creation until they run on 5,000 hollow nodes, four rounds; {@code leases}
 * patched with a service account's token, four rounds; {@code creates} with nothing else on, four
 * rounds; {@code start} of the second start and idle memory. Several distributions are measured in
 * turn, so that what disturbs one disturbs the others.
 */
public final class FirstMinuteBench {
  private FirstMinuteBench() {}

  public static void main(String... arguments) throws Exception {
    List<String> what = new ArrayList<>();
    List<Path> distributions = new ArrayList<>();
    int runs = 1;
    int nodes = 5_000;
    int pods = 10_000;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--runs" -> runs = Integer.parseInt(arguments[++i]);
        case "--nodes" -> nodes = Integer.parseInt(arguments[++i]);
        case "--pods" -> pods = Integer.parseInt(arguments[++i]);
        case "--distribution" -> distributions.add(Path.of(arguments[++i]).resolve("bin"));
        default -> what.add(arguments[i]);
      }
    }
    if (distributions.isEmpty()) {
      distributions.add(Berth.ROOT);
    }
    if (what.isEmpty()) {
      what.addAll(List.of("pods", "leases", "creates", "start"));
    }
    System.out.printf(
        "load of the machine before: %.2f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    for (String one : what) {
      measure(one, distributions, runs, nodes, pods);
    }
  }

  private static void measure(String what, List<Path> distributions, int runs, int nodes, int pods)
      throws Exception {
    List<Rounds> figures = new ArrayList<>();
    for (Path _ : distributions) {
      figures.add(new Rounds());
    }
    for (int run = 0; run < runs; run++) {
      for (int i = 0; i < distributions.size(); i++) {
        Path folder = Files.createTempDirectory("berth-bench");
        try {
          Launch launch = new Launch(distributions.get(i), folder, nodes, pods);
          switch (what) {
            case "pods" -> PodRounds.measure(launch, figures.get(i));
            case "leases" -> LeaseRounds.measure(launch, figures.get(i));
            case "creates" -> PodRounds.creates(launch, figures.get(i));
            case "start" -> Starts.measure(launch, figures.get(i));
            default -> throw new IOException("There is no measurement " + what + ".");
          }
        } finally {
          Folders.delete(folder);
        }
      }
    }
    for (int i = 0; i < distributions.size(); i++) {
      System.out.println(distributions.get(i));
      figures.get(i).print();
    }
  }
}
