package dev.berth.bench.simulate;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.api.Berth;
import dev.berth.model.quantity.GoDuration;
import dev.berth.sim.fuzz.FuzzSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a cluster's life under faults is simulated in an hour of one core: campaigns as a
 * user types them, of which all that the process takes counts, its start, its compiler and its
 * garbage collector included.
 */
public final class FuzzBench {
  private static final int CAMPAIGNS = 3;
  private static final int HISTORIES = 30;
  private static final double BAR = 2_000;
  private static final Pattern SUMMARY =
      Pattern.compile(
          "(\\S+) simulated, ([0-9,]+) writes checked, in \\S+ with (\\S+) of processor time");

  private FuzzBench() {}

  public static void main(String... arguments) throws Exception {
    double[] hours = new double[CAMPAIGNS];
    double[] writes = new double[CAMPAIGNS];
    for (int i = 0; i < CAMPAIGNS; i++) {
      Matcher told = play(1 + i * HISTORIES);
      double seconds = seconds(told.group(3));
      hours[i] = seconds(told.group(1)) / seconds;
      writes[i] = Double.parseDouble(told.group(2).replace(",", "")) / seconds;
    }
    FuzzSettings settings = FuzzSettings.DEFAULT;
    System.out.printf(
        "%d nodes, %d pods; campaigns of %d histories%n",
        settings.nodes(), settings.pods(), HISTORIES);
    new Figure("simulated cluster-hours per core-hour", "h/h", BAR, Better.HIGHER).print(hours);
    Figure.forComparison("  writes checked", "1/s").print(writes);
  }

  /** Plays histories, and returns what the program says of them in the end. */
  private static Matcher play(int seed) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Berth.ROOT.resolve("target/berth/bin/berth").toString(),
                    "fuzz",
                    "--seed=" + seed,
                    "--seeds=" + HISTORIES,
                    "--minutes=100"))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher summary = SUMMARY.matcher(said);
    if (process.waitFor() != 0 || !summary.find()) {
      throw new IOException("berth fuzz from seed " + seed + " on said:\n" + said);
    }
    return summary;
  }

  private static double seconds(String span) {
    Duration parsed = Objects.requireNonNull(GoDuration.parse(span), span);
    return parsed.toMillis() / 1e3;
  }
}
